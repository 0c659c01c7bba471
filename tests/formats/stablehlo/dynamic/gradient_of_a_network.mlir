module @jit_gradient_of_a_network attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<4x2xf32>, %arg3: tensor<?x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1][0]"}, tensor<4x2xf32> {jax.result_info = "result[1][1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg3, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[3].shape[0] (= {0}) and the specification 'b' (= {1}).", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:3 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<?x3xf32>, tensor<3x4xf32>, tensor<4x2xf32>, tensor<?x2xf32>) -> (tensor<f32>, tensor<3x4xf32>, tensor<4x2xf32>)
    return %4#0, %4#1, %4#2 : tensor<f32>, tensor<3x4xf32>, tensor<4x2xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x3xf32>, %arg2: tensor<3x4xf32>, %arg3: tensor<4x2xf32>, %arg4: tensor<?x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1][0]"}, tensor<4x2xf32> {jax.result_info = "result[1][1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.tanh %0 : tensor<?x4xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst_3, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %5 = stablehlo.subtract %4, %1 : tensor<?x4xf32>
    %6 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
    %7 = stablehlo.subtract %6, %arg4 : tensor<?x2xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<?x2xf32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %cst_1, %10, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2xf32>
    %12 = stablehlo.multiply %11, %7 : tensor<?x2xf32>
    %13 = stablehlo.convert %arg0 : tensor<i32>
    %14 = stablehlo.multiply %13, %c_0 : tensor<i32>
    %15 = stablehlo.convert %14 : (tensor<i32>) -> tensor<f32>
    %16 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<f32>
    %17 = stablehlo.divide %16, %15 : tensor<f32>
    %18 = stablehlo.divide %cst_3, %15 : tensor<f32>
    %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.concatenate %19, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %18, %20, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2xf32>
    %22 = stablehlo.multiply %21, %12 : tensor<?x2xf32>
    %23 = stablehlo.dot_general %22, %1, contracting_dims = [0] x [0] : (tensor<?x2xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %25 = stablehlo.dot_general %22, %arg3, contracting_dims = [1] x [1] : (tensor<?x2xf32>, tensor<4x2xf32>) -> tensor<?x4xf32>
    %26 = stablehlo.multiply %25, %5 : tensor<?x4xf32>
    %27 = stablehlo.multiply %26, %1 : tensor<?x4xf32>
    %28 = stablehlo.add %26, %27 : tensor<?x4xf32>
    %29 = stablehlo.dot_general %28, %arg1, contracting_dims = [0] x [0] : (tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    return %17, %30, %24 : tensor<f32>, tensor<3x4xf32>, tensor<4x2xf32>
  }
}
