module @jit_branches attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?xf32>, %arg1: tensor<i32>) -> (tensor<?xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
    return %2 : tensor<?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xf32>, %arg2: tensor<i32>) -> (tensor<?xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c_1, %arg2, %c_2 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %2 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
      %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %4 = stablehlo.dynamic_broadcast_in_dim %2, %3, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
      %5 = stablehlo.add %arg1, %4 : tensor<?xf32>
      stablehlo.return %5 : tensor<?xf32>
    }, {
      %2 = stablehlo.convert %arg0 : tensor<i32>
      %3 = stablehlo.add %2, %c_0 : tensor<i32>
      %4 = stablehlo.convert %3 : tensor<i32>
      %5 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %6 = stablehlo.dynamic_iota %5, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %8 = stablehlo.dynamic_broadcast_in_dim %c_0, %7, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
      %9 = stablehlo.multiply %8, %6 : tensor<?xi32>
      %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %11 = stablehlo.dynamic_broadcast_in_dim %4, %10, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
      %12 = stablehlo.add %11, %9 : tensor<?xi32>
      %13 = stablehlo.reverse %12, dims = [0] : tensor<?xi32>
      %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %15 = stablehlo.concatenate %14, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %16 = stablehlo.dynamic_broadcast_in_dim %13, %15, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
      %17 = "stablehlo.gather"(%arg1, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1>}> : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
      %18 = stablehlo.reverse %17, dims = [0] : tensor<?xf32>
      %19 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
      %20 = stablehlo.dynamic_broadcast_in_dim %cst, %19, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
      %21 = stablehlo.multiply %18, %20 : tensor<?xf32>
      stablehlo.return %21 : tensor<?xf32>
    }, {
      %2 = func.call @sort(%arg0, %arg1) : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
      stablehlo.return %2 : tensor<?xf32>
    }) : (tensor<i32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
  func.func private @sort(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.sort"(%arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.compare EQ, %arg2, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %cst_0, %arg2 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %cst, %2 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare EQ, %arg3, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %cst_0, %arg3 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %cst, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}
