module @softmax {
  func.func @main(%x: tensor<8x10xf32>) -> tensor<8x10xf32> {
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %largest = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
        : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %0 = stablehlo.broadcast_in_dim %largest, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %1 = stablehlo.subtract %x, %0 : tensor<8x10xf32>
    %2 = stablehlo.exponential %1 : tensor<8x10xf32>
    %total = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %4 = stablehlo.divide %2, %3 : tensor<8x10xf32>
    return %4 : tensor<8x10xf32>
  }
}
