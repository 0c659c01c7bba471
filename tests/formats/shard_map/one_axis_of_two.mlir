module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6xi32>) -> (tensor<4x6xi32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg1: tensor<2x6xi32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
        %7 = stablehlo.add %arg2, %arg3 : tensor<i32>
        %8 = sdy.sharding_constraint %7 <@mesh, []> : tensor<i32>
        stablehlo.return %8 : tensor<i32>
      }) : (tensor<2x6xi32>) -> tensor<2x6xi32>
      %2 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"y"} () {
        %c = stablehlo.constant dense<4> : tensor<ui32>
        %c_0 = stablehlo.constant dense<2> : tensor<ui32>
        %7 = stablehlo.partition_id : tensor<ui32>
        %8 = stablehlo.divide %7, %c : tensor<ui32>
        %9 = stablehlo.remainder %8, %c_0 : tensor<ui32>
        %10 = stablehlo.convert %9 : (tensor<ui32>) -> tensor<i32>
        sdy.return %10 : tensor<i32>
      } : () -> tensor<i32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x6xi32>
      %4 = sdy.sharding_constraint %3 <@mesh, [{?}, {?}]> : tensor<2x6xi32>
      %5 = stablehlo.add %1, %4 : tensor<2x6xi32>
      %6 = sdy.sharding_constraint %5 <@mesh, [{?}, {?}]> : tensor<2x6xi32>
      sdy.return %6 : tensor<2x6xi32>
    } : (tensor<4x6xi32>) -> tensor<4x6xi32>
    return %0 : tensor<4x6xi32>
  }
}
