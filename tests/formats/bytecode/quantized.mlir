module @quantized {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-20>>
    %1 = stablehlo.add %0, %0 : tensor<2x3x!quant.uniform<i8:f32, 0.5:-20>>
    %2 = stablehlo.uniform_quantize %1 : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<2x3x!quant.uniform<u8<1:200>:f32, 0.1:30>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<2x3x!quant.uniform<u8<1:200>:f32, 0.1:30>>) -> tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
