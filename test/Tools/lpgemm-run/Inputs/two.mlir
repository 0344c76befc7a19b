func.func @first(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}
func.func @second(%a: f64) {
  return
}
func.func @third(%a: tensor<4x4xi1>) -> tensor<4x4xi1> {
  return %a : tensor<4x4xi1>
}
func.func @fourth(%a: tensor<0x4294967296xf8E4M3FN>) {
  return
}
func.func @fifth(%a: tensor<?x?xf8E4M3FN>) {
  return
}
func.func @sixth(%a: tensor<65536x65536x65536x65536xf8E4M3FN>) {
  return
}
