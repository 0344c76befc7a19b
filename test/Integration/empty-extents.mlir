// (G-11) Nothing is launched for a result without elements; with K = 0 all that
// follows the sum happens. (G-14) amax is 0 where there is nothing to look at.

// DEFINE: %{chip} = gfx950
// DEFINE: %{size} =
// DEFINE: %{run} = lpgemm-run %s --chip=%{chip} --device=emulate --poison --init=normal:5 --size=%{size} --compare=reference 2>/dev/null | FileCheck %s --match-full-lines --implicit-check-not=FAILED --check-prefix
// REDEFINE: %{size} = 0x5x7x40
// RUN: %{run}=BATCH
// REDEFINE: %{size} = 3x0x7x40
// RUN: %{run}=ROWS
// REDEFINE: %{size} = 3x5x0x40
// RUN: %{run}=COLUMNS
// REDEFINE: %{size} = 3x5x7x0
// RUN: %{run}=DEPTH
// REDEFINE: %{chip} = gfx942
// REDEFINE: %{size} = 0x5x7x40
// RUN: %{run}=BATCH
// REDEFINE: %{size} = 3x5x7x0
// RUN: %{run}=DEPTH

// BATCH: ok: 0x5x7 f8E4M3FN, {{.*}}
// BATCH: ok: {{.*}}f32, {{.*}} 0 of 1 {{.*}}
// ROWS: ok: 3x0x7 f8E4M3FN, {{.*}}
// ROWS: ok: {{.*}}f32, {{.*}} 0 of 1 {{.*}}
// COLUMNS: ok: 3x5x0 f8E4M3FN, {{.*}}
// COLUMNS: ok: {{.*}}f32, {{.*}} 0 of 1 {{.*}}
// DEPTH: ok: 3x5x7 f8E4M3FN, {{.*}} 0 of 105 {{.*}}
// DEPTH: ok: {{.*}}f32, {{.*}} 0 of 1 {{.*}}

func.func @f(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
             %sa: tensor<?x?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
             %c: tensor<?x?x?xf32>, %bias: tensor<?xf32>, %ds: tensor<f32>,
             %d: tensor<?x?x?xf8E4M3FN>, %amax: tensor<f32>)
    -> (tensor<?x?x?xf8E4M3FN>, tensor<f32>) {
  %r:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      c(%c : tensor<?x?x?xf32>) bias(%bias : tensor<?xf32>, n)
      d_scale(%ds : tensor<f32>)
      outs(%d : tensor<?x?x?xf8E4M3FN>)
      amax(%amax : tensor<f32>) transpose_b
      -> tensor<?x?x?xf8E4M3FN>, tensor<f32>
  return %r#0, %r#1 : tensor<?x?x?xf8E4M3FN>, tensor<f32>
}
