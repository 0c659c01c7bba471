// Ops whose attributes VHLO takes apart, and those that move data.
module @dimensions {
  func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %i: tensor<2x1xi32>, %n: tensor<1x6x6x2xf32>, %k: tensor<3x3x2x4xf32>) -> tensor<2x3x5xf32> {
    %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 4>, indices_are_sorted = true} : (tensor<2x3x4xf32>, tensor<2x1xi32>) -> tensor<2x3x4xf32>
    %2 = "stablehlo.scatter"(%a, %i, %1) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<2x3x4xf32>, tensor<2x1xi32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = stablehlo.convolution(%n, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 2]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x4x4xf32>
    %4 = stablehlo.convolution(%n, %k) dim_numbers = [b, 1, 0, f]x[1, 0, i, o]->[0, f, b, 1], window = {lhs_dilate = [2, 1], reverse = [true, false]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<9x4x1x4xf32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %5 = "stablehlo.reduce_window"(%a, %c) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.maximum %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [1, 0], [0, 0]]> : tensor<3x2xi64>} : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x2xf32>
    %6 = "stablehlo.select_and_scatter"(%a, %5, %c) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>} : (tensor<2x3x4xf32>, tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x4xf32>
    %7 = stablehlo.transpose %6, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %8 = stablehlo.slice %7 [0:4:2, 0:2, 1:3] : (tensor<4x2x3xf32>) -> tensor<2x2x2xf32>
    %9 = stablehlo.pad %8, %c, low = [1, -1, 0], high = [0, 0, 2], interior = [0, 1, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<3x2x4xf32>
    %10 = stablehlo.reverse %9, dims = [0, 2] : tensor<3x2x4xf32>
    %11 = stablehlo.concatenate %10, %10, dim = 1 : (tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> tensor<3x4x4xf32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.dynamic_slice %11, %z, %z, %z, sizes = [1, 2, 3] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %13 = stablehlo.dynamic_update_slice %11, %12, %z, %z, %z : (tensor<3x4x4xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
    %14 = stablehlo.reshape %13 : (tensor<3x4x4xf32>) -> tensor<48xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<48xf32>) -> tensor<2x48xf32>
    %16:2 = "stablehlo.sort"(%15, %15) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
      %s = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2x48xf32>, tensor<2x48xf32>) -> (tensor<2x48xf32>, tensor<2x48xf32>)
    %17 = "stablehlo.map"(%16#0) ({
    ^bb0(%x: tensor<f32>):
      stablehlo.return %x : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<2x48xf32>) -> tensor<2x48xf32>
    %19 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %18:3 = "stablehlo.batch_norm_training"(%a, %19, %19) {epsilon = 0.001 : f32, feature_index = 2 : i64} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    return %0 : tensor<2x3x5xf32>
  }
}
