module @jit_grid attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x64xi32>, %arg1: tensor<16x3xi32>) -> (tensor<128x4xi32> {jax.result_info = "result[0]"}, tensor<8x3xi32> {jax.result_info = "result[1]"}, tensor<4x16xi32> {jax.result_info = "result[2]"}, tensor<8x64xi32> {jax.result_info = "result[3]"}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>, <@mesh, [{"y", "x"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg2: tensor<4x16xi32>, %arg3: tensor<2x3xi32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %6 = stablehlo.add %c_2, %5 : tensor<i32>
      %c_3 = stablehlo.constant dense<4> : tensor<ui32>
      %c_4 = stablehlo.constant dense<2> : tensor<ui32>
      %7 = stablehlo.partition_id : tensor<ui32>
      %8 = stablehlo.divide %7, %c_3 : tensor<ui32>
      %9 = stablehlo.remainder %8, %c_4 : tensor<ui32>
      %10 = stablehlo.convert %9 : (tensor<ui32>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<4> : tensor<i32>
      %11 = stablehlo.multiply %10, %c_5 : tensor<i32>
      %12 = stablehlo.add %6, %11 : tensor<i32>
      %13 = "stablehlo.all_to_all"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x16xi32>) -> tensor<16x4xi32>
      %14 = "stablehlo.reduce_scatter"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %18 = stablehlo.add %arg4, %arg5 : tensor<i32>
        stablehlo.return %18 : tensor<i32>
      }) : (tensor<2x3xi32>) -> tensor<1x3xi32>
      %15 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %18 = stablehlo.maximum %arg4, %arg5 : tensor<i32>
        stablehlo.return %18 : tensor<i32>
      }) : (tensor<4x16xi32>) -> tensor<4x16xi32>
      %16 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
      %17 = stablehlo.multiply %arg2, %16 : tensor<4x16xi32>
      sdy.return %13, %14, %15, %17 : tensor<16x4xi32>, tensor<1x3xi32>, tensor<4x16xi32>, tensor<4x16xi32>
    } : (tensor<8x64xi32>, tensor<16x3xi32>) -> (tensor<128x4xi32>, tensor<8x3xi32>, tensor<4x16xi32>, tensor<8x64xi32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<128x4xi32>, tensor<8x3xi32>, tensor<4x16xi32>, tensor<8x64xi32>
  }
}
