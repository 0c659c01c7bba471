// The names of WebAssembly's instructions, in the order of their codes; a point stands where there is none.

const words = (/** @type {string} */ text) => text.trim().split(/\s+/);
/** @param {string} prefix @param {string} text */
const each = (prefix, text) => words(text).map((name) => (name === '.' ? name : prefix + name));

const integer = 'eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const float = 'eq ne lt gt le ge';
const integerMath = 'clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
const floatMath = 'abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign';

/** Of one byte. */
export const CODES = [
  ...words('unreachable nop block loop if else . . . . . end br br_if br_table return call call_indirect . . . . . . . . drop select select . . .'),
  ...words('local.get local.set local.tee global.get global.set table.get table.set .'),
  ...words(`i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u i64.load8_s i64.load8_u i64.load16_s i64.load16_u
    i64.load32_s i64.load32_u i32.store i64.store f32.store f64.store i32.store8 i32.store16 i64.store8 i64.store16 i64.store32 memory.size memory.grow`),
  ...words('i32.const i64.const f32.const f64.const'),
  ...each('i32.', integer), ...each('i64.', integer), ...each('f32.', float), ...each('f64.', float),
  ...each('i32.', integerMath), ...each('i64.', integerMath), ...each('f32.', floatMath), ...each('f64.', floatMath),
  ...words(`i32.wrap_i64 i32.trunc_f32_s i32.trunc_f32_u i32.trunc_f64_s i32.trunc_f64_u i64.extend_i32_s i64.extend_i32_u i64.trunc_f32_s i64.trunc_f32_u
    i64.trunc_f64_s i64.trunc_f64_u f32.convert_i32_s f32.convert_i32_u f32.convert_i64_s f32.convert_i64_u f32.demote_f64 f64.convert_i32_s f64.convert_i32_u
    f64.convert_i64_s f64.convert_i64_u f64.promote_f32 i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64
    i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s`),
];

/** Behind 0xfc. */
export const MORE_CODES = words(`i32.trunc_sat_f32_s i32.trunc_sat_f32_u i32.trunc_sat_f64_s i32.trunc_sat_f64_u i64.trunc_sat_f32_s i64.trunc_sat_f32_u
  i64.trunc_sat_f64_s i64.trunc_sat_f64_u memory.init data.drop memory.copy memory.fill`);

const lanes = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const splats = words('i8x16.splat i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat');

/** Behind 0xfd. */
export const VECTOR_CODES = [
  ...each('v128.', 'load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u load8_splat load16_splat load32_splat load64_splat store const'),
  'i8x16.shuffle', 'i8x16.swizzle', ...splats,
  ...words(`i8x16.extract_lane_s i8x16.extract_lane_u i8x16.replace_lane i16x8.extract_lane_s i16x8.extract_lane_u i16x8.replace_lane i32x4.extract_lane
    i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane`),
  ...each('i8x16.', lanes), ...each('i16x8.', lanes), ...each('i32x4.', lanes), ...each('f32x4.', float), ...each('f64x2.', float),
  ...each('v128.', 'not and andnot or xor bitselect any_true load8_lane load16_lane load32_lane load64_lane store8_lane store16_lane store32_lane store64_lane load32_zero load64_zero'),
  'f32x4.demote_f64x2_zero', 'f64x2.promote_low_f32x4',
  ...each('i8x16.', 'abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u'), ...each('f32x4.', 'ceil floor trunc nearest'),
  ...each('i8x16.', 'shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u'), ...each('f64x2.', 'ceil floor'),
  ...each('i8x16.', 'min_s min_u max_s max_u'), 'f64x2.trunc', 'i8x16.avgr_u',
  ...words('i16x8.extadd_pairwise_i8x16_s i16x8.extadd_pairwise_i8x16_u i32x4.extadd_pairwise_i16x8_s i32x4.extadd_pairwise_i16x8_u'),
  ...each('i16x8.', `abs neg q15mulr_sat_s all_true bitmask narrow_i32x4_s narrow_i32x4_u extend_low_i8x16_s extend_high_i8x16_s extend_low_i8x16_u
    extend_high_i8x16_u shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u`), 'f64x2.nearest',
  ...each('i16x8.', 'mul min_s min_u max_s max_u . avgr_u extmul_low_i8x16_s extmul_high_i8x16_s extmul_low_i8x16_u extmul_high_i8x16_u'),
  ...each('i32x4.', `abs neg . all_true bitmask . . extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u extend_high_i16x8_u shl shr_s shr_u add . . sub . . .
    mul min_s min_u max_s max_u dot_i16x8_s . extmul_low_i16x8_s extmul_high_i16x8_s extmul_low_i16x8_u extmul_high_i16x8_u`),
  ...each('i64x2.', `abs neg . all_true bitmask . . extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u shl shr_s shr_u add . . sub . . .
    mul eq ne lt_s gt_s le_s ge_s extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u`),
  ...each('f32x4.', 'abs neg . sqrt add sub mul div min max pmin pmax'), ...each('f64x2.', 'abs neg . sqrt add sub mul div min max pmin pmax'),
  ...words(`i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero
    f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u`),
  ...words(`i8x16.relaxed_swizzle i32x4.relaxed_trunc_f32x4_s i32x4.relaxed_trunc_f32x4_u i32x4.relaxed_trunc_f64x2_s_zero i32x4.relaxed_trunc_f64x2_u_zero
    f32x4.relaxed_madd f32x4.relaxed_nmadd f64x2.relaxed_madd f64x2.relaxed_nmadd i8x16.relaxed_laneselect i16x8.relaxed_laneselect i32x4.relaxed_laneselect
    i64x2.relaxed_laneselect f32x4.relaxed_min f32x4.relaxed_max f64x2.relaxed_min f64x2.relaxed_max i16x8.relaxed_q15mulr_s i16x8.relaxed_dot_i8x16_i7x16_s
    i32x4.relaxed_dot_i8x16_i7x16_add_s`),
];
