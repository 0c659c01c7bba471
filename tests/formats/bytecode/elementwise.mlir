module @elementwise {
  func.func @main(%f: tensor<4xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) -> tensor<4xf32> {
    %0 = stablehlo.abs %f : tensor<4xf32>
    %1 = stablehlo.cbrt %0 : tensor<4xf32>
    %2 = stablehlo.ceil %1 : tensor<4xf32>
    %3 = stablehlo.cosine %2 : tensor<4xf32>
    %4 = stablehlo.exponential %3 : tensor<4xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<4xf32>
    %6 = stablehlo.floor %5 : tensor<4xf32>
    %7 = stablehlo.log %6 : tensor<4xf32>
    %8 = stablehlo.log_plus_one %7 : tensor<4xf32>
    %9 = stablehlo.logistic %8 : tensor<4xf32>
    %10 = stablehlo.negate %9 : tensor<4xf32>
    %11 = stablehlo.round_nearest_afz %10 : tensor<4xf32>
    %12 = stablehlo.round_nearest_even %11 : tensor<4xf32>
    %13 = stablehlo.rsqrt %12 : tensor<4xf32>
    %14 = stablehlo.sign %13 : tensor<4xf32>
    %15 = stablehlo.sine %14 : tensor<4xf32>
    %16 = stablehlo.sqrt %15 : tensor<4xf32>
    %17 = stablehlo.tanh %16 : tensor<4xf32>
    %18 = stablehlo.is_finite %17 : (tensor<4xf32>) -> tensor<4xi1>
    %19 = stablehlo.popcnt %i : tensor<4xi32>
    %20 = stablehlo.count_leading_zeros %19 : tensor<4xi32>
    %21 = stablehlo.not %20 : tensor<4xi32>
    %22 = stablehlo.and %21, %i : tensor<4xi32>
    %23 = stablehlo.or %22, %i : tensor<4xi32>
    %24 = stablehlo.xor %23, %i : tensor<4xi32>
    %25 = stablehlo.shift_left %24, %i : tensor<4xi32>
    %26 = stablehlo.shift_right_arithmetic %25, %i : tensor<4xi32>
    %27 = stablehlo.shift_right_logical %26, %i : tensor<4xi32>
    %28 = stablehlo.convert %27 : (tensor<4xi32>) -> tensor<4xf32>
    %29 = stablehlo.bitcast_convert %27 : (tensor<4xi32>) -> tensor<4xf32>
    %30 = stablehlo.atan2 %28, %29 : tensor<4xf32>
    %31 = stablehlo.divide %30, %17 : tensor<4xf32>
    %32 = stablehlo.maximum %31, %17 : tensor<4xf32>
    %33 = stablehlo.minimum %32, %17 : tensor<4xf32>
    %34 = stablehlo.multiply %33, %17 : tensor<4xf32>
    %35 = stablehlo.power %34, %17 : tensor<4xf32>
    %36 = stablehlo.remainder %35, %17 : tensor<4xf32>
    %37 = stablehlo.subtract %36, %17 : tensor<4xf32>
    %38 = stablehlo.complex %37, %17 : tensor<4xcomplex<f32>>
    %39 = stablehlo.real %38 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %40 = stablehlo.imag %38 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %41 = stablehlo.select %18, %39, %40 : tensor<4xi1>, tensor<4xf32>
    %42 = stablehlo.clamp %39, %41, %40 : tensor<4xf32>
    %43 = stablehlo.compare GE, %i, %27, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %44 = stablehlo.compare NE, %p, %43 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %45 = stablehlo.select %44, %42, %f : tensor<4xi1>, tensor<4xf32>
    %46 = stablehlo.reduce_precision %45, format = e5m10 : tensor<4xf32>
    return %46 : tensor<4xf32>
  }
}
