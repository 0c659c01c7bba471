module @constants {
  func.func @main() -> (tensor<f64>, tensor<10xi1>, tensor<3xi1>, tensor<9xi1>, tensor<i1>) {
    %0 = stablehlo.constant dense<true> : tensor<i1>
    %1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %2 = stablehlo.constant dense<true> : tensor<9xi1>
    %3 = stablehlo.constant dense<[false, false, true, false, true, true, true, false, false, true]> : tensor<10xi1>
    %4 = stablehlo.constant dense<[-8, 7, -1]> : tensor<3xi4>
    %5 = stablehlo.constant dense<[0, 15, 9]> : tensor<3xui4>
    %6 = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
    %7 = stablehlo.constant dense<[0, 255]> : tensor<2xui8>
    %8 = stablehlo.constant dense<-32768> : tensor<2xi16>
    %9 = stablehlo.constant dense<65535> : tensor<ui16>
    %10 = stablehlo.constant dense<[[1, -2], [3, -4]]> : tensor<2x2xi32>
    %11 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %12 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
    %13 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %14 = stablehlo.constant dense<[1.0, -2.5]> : tensor<2xbf16>
    %15 = stablehlo.constant dense<[1.0, 0x7C00]> : tensor<2xf16>
    %16 = stablehlo.constant dense<[1.0e-40, 0x7FC00000, -0.0]> : tensor<3xf32>
    %17 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %18 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 3.5)]> : tensor<2xcomplex<f32>>
    %19 = stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f64>>
    %20 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN>
    %21 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E5M2>
    %22 = stablehlo.constant dense<> : tensor<0x3xf32>
    %23 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    return %17, %3, %1, %2, %0 : tensor<f64>, tensor<10xi1>, tensor<3xi1>, tensor<9xi1>, tensor<i1>
  }
}
