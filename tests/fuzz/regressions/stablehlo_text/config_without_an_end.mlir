func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @t(%a) {backend_config = "{\22a"} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
