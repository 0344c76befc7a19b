// Ways to tile each lpgemm.matmul: each sequence is an entry point.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows_columns(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [5, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @parallel(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @threads(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 num_threads [3, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @k(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @all(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l1 = transform.structured.tile_using_forall %0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %l2 = transform.structured.tile_using_for %1 tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %3, %c, %l3 = transform.structured.tile_reduction_using_for %2 by tile_sizes = [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
