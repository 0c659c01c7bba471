module @jit_resize attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x2xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-4> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.convert %0 : tensor<i32>
    %3 = stablehlo.add %2, %c_0 : tensor<i32>
    %4 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.convert %0 : tensor<i32>
    %6 = stablehlo.add %5, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%4, %6, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint b >= 4. Expected 'b - 4' to be greater or equal to 0, but found {0}.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %7 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x2xf32>) -> tensor<?x3xf32>
    return %7 : tensor<?x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x2xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %0 = call @_resize(%arg0, %arg1) : (tensor<i32>, tensor<?x2xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func private @_resize(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x2xf32>) -> tensor<?x3xf32> {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_5 = stablehlo.constant dense<-1> : tensor<i32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %1 = stablehlo.multiply %0, %c_6 : tensor<i32>
    %2 = stablehlo.add %1, %c_5 : tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.convert %arg0 : tensor<i32>
    %6 = stablehlo.multiply %5, %c_6 : tensor<i32>
    %7 = stablehlo.add %6, %c_5 : tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst_4, %8, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %10 = stablehlo.multiply %9, %4 : tensor<?xf32>
    %11 = stablehlo.convert %arg0 : tensor<i32>
    %12 = stablehlo.multiply %11, %c_6 : tensor<i32>
    %13 = stablehlo.add %12, %c_5 : tensor<i32>
    %14 = stablehlo.reshape %13 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %cst_3, %14, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %16 = stablehlo.add %15, %10 : tensor<?xf32>
    %17 = stablehlo.convert %arg0 : tensor<i32>
    %18 = stablehlo.multiply %17, %c_6 : tensor<i32>
    %19 = stablehlo.add %18, %c_5 : tensor<i32>
    %20 = stablehlo.reshape %19 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.dynamic_broadcast_in_dim %cst_2, %20, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %22 = stablehlo.add %16, %21 : tensor<?xf32>
    %23 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %24 = stablehlo.convert %arg0 : tensor<i32>
    %25 = stablehlo.multiply %24, %c_6 : tensor<i32>
    %26 = stablehlo.add %25, %c_5 : tensor<i32>
    %27 = stablehlo.reshape %26 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %23, %27, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %29 = stablehlo.multiply %22, %28 : tensor<?xf32>
    %30 = stablehlo.convert %arg0 : tensor<i32>
    %31 = stablehlo.multiply %30, %c_6 : tensor<i32>
    %32 = stablehlo.add %31, %c_5 : tensor<i32>
    %33 = stablehlo.convert %32 : (tensor<i32>) -> tensor<f32>
    %34 = stablehlo.convert %arg0 : tensor<i32>
    %35 = stablehlo.multiply %34, %c_6 : tensor<i32>
    %36 = stablehlo.add %35, %c_5 : tensor<i32>
    %37 = stablehlo.reshape %36 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.dynamic_broadcast_in_dim %33, %37, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %39 = stablehlo.divide %29, %38 : tensor<?xf32>
    %40 = stablehlo.floor %39 : tensor<?xf32>
    %41 = stablehlo.convert %40 : (tensor<?xf32>) -> tensor<?xi32>
    %42 = stablehlo.convert %arg0 : tensor<i32>
    %43 = stablehlo.convert %arg0 : tensor<i32>
    %44 = stablehlo.multiply %43, %c_6 : tensor<i32>
    %45 = stablehlo.add %44, %c_5 : tensor<i32>
    %46 = stablehlo.reshape %45 : (tensor<i32>) -> tensor<1xi32>
    %47 = stablehlo.dynamic_broadcast_in_dim %c_1, %46, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %48 = stablehlo.compare LT, %41, %47, SIGNED : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
    %49 = stablehlo.convert %arg0 : tensor<i32>
    %50 = stablehlo.multiply %49, %c_6 : tensor<i32>
    %51 = stablehlo.add %50, %c_5 : tensor<i32>
    %52 = stablehlo.reshape %51 : (tensor<i32>) -> tensor<1xi32>
    %53 = stablehlo.dynamic_broadcast_in_dim %42, %52, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
    %54 = stablehlo.add %41, %53 : tensor<?xi32>
    %55 = stablehlo.select %48, %54, %41 : tensor<?xi1>, tensor<?xi32>
    %56 = stablehlo.convert %arg0 : tensor<i32>
    %57 = stablehlo.multiply %56, %c_6 : tensor<i32>
    %58 = stablehlo.add %57, %c_5 : tensor<i32>
    %59 = stablehlo.reshape %58 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.concatenate %59, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %61 = stablehlo.dynamic_broadcast_in_dim %55, %60, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %62 = "stablehlo.gather"(%arg1, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<?x2xf32>, tensor<?x1xi32>) -> tensor<?x2xf32>
    %63 = stablehlo.iota dim = 0 : tensor<3xf32>
    %64 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %65 = stablehlo.add %63, %64 : tensor<3xf32>
    %66 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<3xf32>
    %68 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %69 = stablehlo.divide %67, %68 : tensor<3xf32>
    %70 = stablehlo.floor %69 : tensor<3xf32>
    %71 = stablehlo.convert %70 : (tensor<3xf32>) -> tensor<3xi32>
    %72 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %73 = stablehlo.compare LT, %71, %72, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %74 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %75 = stablehlo.add %71, %74 : tensor<3xi32>
    %76 = stablehlo.select %73, %75, %71 : tensor<3xi1>, tensor<3xi32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %78 = stablehlo.convert %arg0 : tensor<i32>
    %79 = stablehlo.multiply %78, %c_6 : tensor<i32>
    %80 = stablehlo.add %79, %c_5 : tensor<i32>
    %81 = stablehlo.reshape %80 : (tensor<i32>) -> tensor<1xi32>
    %82 = stablehlo.concatenate %81, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %83 = "stablehlo.dynamic_gather"(%62, %77, %82) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x2xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<?x3xf32>
    return %83 : tensor<?x3xf32>
  }
}
