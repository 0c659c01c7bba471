module @enumerators {
  func.func @main(%a: tensor<4x4xf32>, %s: tensor<2xui64>, %c: tensor<4xcomplex<f32>>) -> tensor<4x4xf32> {
    %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
    %1 = "stablehlo.triangular_solve"(%0, %a) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.triangular_solve"(%0, %a) {left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.fft %c, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %4 = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
    %5, %6 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %7, %8 = stablehlo.rng_bit_generator %5, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %lo = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<[3]> : tensor<1xi64>
    %9 = stablehlo.rng %lo, %lo, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %10 = stablehlo.rng %lo, %lo, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
    %11 = stablehlo.compare LE, %9, %10, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %12 = stablehlo.compare EQ, %6, %8, UNSIGNED : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xi1>
    return %2 : tensor<4x4xf32>
  }
}
