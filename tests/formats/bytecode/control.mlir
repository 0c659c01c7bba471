// Regions that use nothing from outside, and regions that do.
module @control attributes {mhlo.num_partitions = 1 : i32} {
  func.func @main(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "out"}, tensor<i32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %0:2 = stablehlo.while(%n = %i, %v = %x) : tensor<i32>, tensor<4xf32>
     cond {
      %5 = stablehlo.compare LT, %n, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = stablehlo.add %n, %one : tensor<i32>
      %6 = stablehlo.add %v, %x : tensor<4xf32>
      %7 = "stablehlo.if"(%p) ({
        stablehlo.return %6 : tensor<4xf32>
      }, {
        %8 = stablehlo.negate %6 : tensor<4xf32>
        stablehlo.return %8 : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.return %5, %7 : tensor<i32>, tensor<4xf32>
    }
    %1 = stablehlo.while(%n = %i) : tensor<i32>
     cond {
      %5 = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      stablehlo.return %n : tensor<i32>
    }
    %2 = "stablehlo.case"(%1) ({
      stablehlo.return %0#1 : tensor<4xf32>
    }, {
      %5 = stablehlo.multiply %0#1, %0#1 : tensor<4xf32>
      stablehlo.return %5 : tensor<4xf32>
    }, {
      %5 = stablehlo.constant dense<2.0> : tensor<4xf32>
      stablehlo.return %5 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %3:2 = stablehlo.optimization_barrier %2, %0#0 : tensor<4xf32>, tensor<i32>
    return %3#0, %3#1 : tensor<4xf32>, tensor<i32>
  }
}
