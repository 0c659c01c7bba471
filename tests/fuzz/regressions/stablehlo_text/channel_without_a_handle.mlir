module @transfers {
  func.func @main(%t: !stablehlo.token, %x: tensor<3xi32>) -> (tensor<3xi32>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%t) {infeed_config = "in", layout = [[0]]} : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
    %1 = "stablehlo.outfeed"(%0#0, %0#1) {outfeed_config = "out"} : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
    %2 = "stablehlo.send"(%x, %1) {channel_handle = #stablehlo.channel_handle<hu64le = 5, type = 2>, is_host_transfer = true} : (tensor<3xi32>, !stablehlo.token) -> !stablehlo.token
    %3:2 = "stablehlo.recv"(%2) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
    %4 = stablehlo.after_all %3#1, %t : !stablehlo.token
    return %3#0, %4 : tensor<3xi32>, !stablehlo.token
  }
}
