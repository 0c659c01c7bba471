module @dynamic {
  func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x2xf32, #stablehlo.bounds<3, ?>>, %n: tensor<i32>) -> tensor<?x4xf32> {
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.constant dense<4> : tensor<1xi32>
    %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.constant dense<1.0> : tensor<f32>
    %5 = stablehlo.dynamic_broadcast_in_dim %4, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %6 = stablehlo.add %x, %5 : tensor<?x4xf32>
    %7 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
    %8 = stablehlo.dynamic_reshape %7, %3 : (tensor<?x4xi32>, tensor<2xi32>) -> tensor<?x4xi32>
    return %6 : tensor<?x4xf32>
  }
}
