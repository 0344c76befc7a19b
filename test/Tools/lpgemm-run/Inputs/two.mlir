func.func @first(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}
func.func @second(%a: index) {
  return
}
func.func @third(%a: tensor<4x4xi1>) -> tensor<4x4xi1> {
  return %a : tensor<4x4xi1>
}
