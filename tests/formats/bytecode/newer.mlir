// What came after 1.0: composites with attributes, batching dimensions, dot algorithms, accuracy, typed custom calls.
module @newer {
  func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<0.5> : tensor<4xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32>, %a: tensor<2x3x4xf32>, %i: tensor<2x1xi32>, %m: tensor<4x4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.composite "my.half" %x {composite_attributes = {k = 3 : i64, f = 1.5 : f32, s = "text", l = [1 : i32, true], d = dense<[1, 2]> : tensor<2xi64>}, decomposition = @half, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.custom_call @typed(%0) {api_version = 4 : i32, backend_config = {x = 1 : i32, y = true, z = "s"}} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.tan %1 : tensor<4xf32>
    %3 = "stablehlo.exponential"(%2) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-3, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 4>} : (tensor<2x3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %5 = "stablehlo.dot_general"(%m, %m) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %3 : tensor<4xf32>
  }
}
