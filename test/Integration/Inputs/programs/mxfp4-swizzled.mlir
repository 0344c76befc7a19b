// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>, %sa:
            tensor<?x?x32x4x4xf8E8M0FNU>, %sb: tensor<?x?x32x4x4xf8E8M0FNU>,
            %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      rhs_scale(%sb : tensor<?x?x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
