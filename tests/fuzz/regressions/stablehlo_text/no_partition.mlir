module attributes {mhlo.num_partitions = -3 : i32} {
  func.func @main(%a: tensor<f32>) -> tensor<f32> {
    return %a : tensor<f32>
  }
}
