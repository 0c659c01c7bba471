module @quantized_axis {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8<-127:127>:f32:0, {0.5:-20, 0.25:7}>>
    %1 = stablehlo.uniform_dequantize %0 : (tensor<2x3x!quant.uniform<i8<-127:127>:f32:0, {0.5:-20, 0.25:7}>>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
