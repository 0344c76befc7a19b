func.func @f() {
  return %0 : f32
}
