// The texts that cells of a layout's picture show.

/** What the numbers in the cells are. */
export const SHOWN = { index: 'indices', offset: 'offsets', value: 'values', byte: 'byte addresses', line: 'cache lines', lane: 'SIMD lanes' };
