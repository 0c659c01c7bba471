// A composite without a version: StableHLO writes 0 for it.
module @composite {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.composite "my.half" %x {decomposition = @half} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.composite "my.half" %0 {decomposition = @half, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0.5> : tensor<4xf32>
    %0 = stablehlo.multiply %x, %c : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
