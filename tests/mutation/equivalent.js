// Changes that no test can notice, each with the reason: the file, the line as it is once it is changed, why it means the same.

/** @type {[file: string, line: string, reason: string][]} */
export const equivalent = [
  ['src/infer/infer_batch_norm.c', 'return check_features(infer, 5, -0, &feature) ? hlo_shape_without_layout(infer, infer->operands[0]) : NULL;', 'the loop begins at operand 1, so 0 is no operand either'],
  ['src/infer/infer_collective.c', 'for (int i = 0; i < infer->operand_count; i++)', 'operand 0 agrees with itself'],
  ['src/infer/infer_groups.c', 'return (x >= y) - (x < y);', 'equal ids stay neighbours in whatever order'],
  ['src/infer/infer_transfer.c', 'return elements[0] || elements[2] ? hlo_tuple_shape(infer, elements, 3) : NULL;', 'an element is missing only where memory has run out, and then the tuple cannot be made'],
  ['src/infer/infer_transfer.c', 'return elements[0] && elements[1] || elements[2] ? hlo_tuple_shape(infer, elements, 3) : NULL;', 'an element is missing only where memory has run out, and then the tuple cannot be made'],
  ['src/passes/loop_fusion.c', 'for (int m = first; m > 0; m = nodes[m].next)', 'a member of a group has operands, so it is not instruction 0'],
  ['src/passes/loop_fusion.c', 'for (int n = 0; n < count && fusion >= 1; n++) {', 'a fusion has operands, so it is not instruction 0'],
  ['src/passes/loop_fusion.c', 'return fusion >= 1;', 'a fusion has operands, so it is not instruction 0'],
  ['src/passes/loop_fusion.c', 'if (calls < 1) return HLO_KEEP;', 'computation 0 was there before'],
  ['src/passes/inline_calls.c', 'enum { MOST_INSTRUCTIONS = 1 << 17 };', 'a limit of effort, not of meaning'],
  ['src/passes/simplify_shapes.c', 'if (i->shape->rank >= 0 && inner->opcode == HLO_OP_BROADCAST && hlo_repeats_scalar(r, inner->index, &scalar))', 'a broadcast to one element has become a reshape before'],
  ['src/shape/box.c', 'int outer = rank >= 0 ? rank - 1 : 0;', 'without dimensions there is one element, and no stride is used'],
  ['src/shape/box.c', 'int outer = rank > 1 ? rank - 1 : 0;', 'the outer dimension of one is 0'],
  ['src/shape/box.c', 'int64_t to_stride = rank >= 0 ? to_place->strides[outer] : 1, from_stride = rank > 0 ? from_place->strides[outer] : 1;', 'without dimensions there is one element, and no stride is used'],
  ['src/shape/box.c', 'if (HLO_FOLLOWS_ORIGINS || hlo_box_is_empty(dims, rank)) return;', 'without HLO_ORIGINS the functions of origins do nothing'],
  ['src/shape/layout_copy.c', 'if (shift + (unsigned)bits > 8) byte[1] = (uint8_t)((byte[1] & hole >> 9) | window >> 8);', 'the memory is zero before elements are put into it'],
  ['src/shape/literal.c', 'if (bits >= 9) return;', 'elements of 8 bits have no unused bits, which the loop clears'],
  ['src/shape/literal.c', 'if (!literal && !hlo_origin_array_make(arena, hlo_shape_element_count(shape), &literal->origins, status)) return NULL;', 'without HLO_ORIGINS nothing is made that could fail'],
  ['src/shape/literal.c', 'return mix(hash, rest ^ (uint64_t)length << 57);', 'any hash of the bytes and their number will do'],
];
