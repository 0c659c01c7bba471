module @jit_mean_and_variance attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:4 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
    return %2#0, %2#1, %2#2, %2#3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.divide %1, %0 : tensor<f32>
    %3 = call @_var(%arg0, %arg1, %c) : (tensor<i32>, tensor<?xf32>, tensor<i32>) -> tensor<f32>
    %4 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %7 = stablehlo.multiply %6, %5 : tensor<f32>
    return %2, %3, %4, %7 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xf32>, %arg2: tensor<i32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.reduce(%arg1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %4, %5, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
    %7 = stablehlo.subtract %arg1, %6 : tensor<?xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<?xf32>
    %9 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %10 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %11 = stablehlo.subtract %9, %10 : tensor<f32>
    %12 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.divide %12, %11 : tensor<f32>
    %14 = stablehlo.compare GT, %11, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = call @_where(%arg0, %14, %13, %cst) : (tensor<i32>, tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %15 : tensor<f32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i1>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg3 : tensor<f32>
    %1 = stablehlo.select %arg1, %arg2, %0 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
}
