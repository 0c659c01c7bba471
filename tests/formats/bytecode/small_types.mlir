// Types that came after 0.9.
module @small_types {
  func.func @main() -> tensor<2xf8E4M3> {
    %0 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
    %1 = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
    %2 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FNUZ>
    %3 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E5M2FNUZ>
    %4 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3B11FNUZ>
    %5 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E3M4>
    %6 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf4E2M1FN>
    %7 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf6E2M3FN>
    %8 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf6E3M2FN>
    %9 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
    %10 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3>
    return %10 : tensor<2xf8E4M3>
  }
}
