module @calls {
  func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<0.5> : tensor<4xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32> {mhlo.layout_mode = "default"}) -> (tensor<4xf32>, tuple<tensor<4xf32>, tuple<>>) {
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.custom_call @effect(%0, %x) {has_side_effect = true, api_version = 2 : i32, backend_config = "text", called_computations = [@half], operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = func.call @half(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.tuple : tuple<>
    %4 = stablehlo.tuple %2, %3 : tuple<tensor<4xf32>, tuple<>>
    %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<4xf32>, tuple<>>) -> tensor<4xf32>
    return %5, %4 : tensor<4xf32>, tuple<tensor<4xf32>, tuple<>>
  }
}
