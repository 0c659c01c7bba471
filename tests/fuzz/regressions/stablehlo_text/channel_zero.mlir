module @m {
  func.func @main(%t: !stablehlo.token, %x: tensor<3xi32>) -> !stablehlo.token {
    %2 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>, is_host_transfer = true} : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
    return %2 : !stablehlo.token
  }
}
