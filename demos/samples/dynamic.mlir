module @dynamic {
  func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %x, %x : tensor<?x4xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
