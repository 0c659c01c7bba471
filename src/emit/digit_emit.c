#include "emit/digit_emit.h"

#include <stddef.h>

#include "emit/emitter.h"
#include "emit/wasm_opcodes.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/digit_units.h"

enum { VECTOR_BYTES = 16 };

static void shift(hlo_emitter *e, int bits, hlo_wasm_simd opcode) {
  hlo_emit_i32(e, bits);
  hlo_emit_simd(e, opcode);
}

/* sum = sum + the products of four bytes in each lane. */
static void add_products(hlo_emitter *e, int digits, int weights, int sum) {
  hlo_emit_pair(e, digits, weights);
  hlo_emit_get(e, sum);
  hlo_emit_simd(e, HLO_WASM_I32X4_RELAXED_DOT_I8X16_I7X16_ADD_S);
  hlo_emit_set(e, sum);
}

/* Pushes two digits as one number. */
static void push_half(hlo_emitter *e, int upper, int lower) {
  hlo_emit_get(e, upper);
  shift(e, 8, HLO_WASM_I32X4_SHL);
  hlo_emit_get(e, lower);
  hlo_emit_simd(e, HLO_WASM_I32X4_ADD);
}

/* Ends a loop, which goes on while there are units left. */
static void end_loop(hlo_emitter *e, int units) {
  hlo_emit_add(e, units, -1);
  hlo_emit_get(e, units);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 0);
  hlo_emit_close(e);
}

/* Ends the outer loop, and adds the function to the module. */
static void end_function(hlo_emitter *e, int units, hlo_wasm_module *module, int type) {
  end_loop(e, units);
  hlo_wasm_module_add(module, &e->function, type);
  hlo_wasm_free(&e->function);
}

static void load(hlo_emitter *e, int at, hlo_wasm_simd opcode, size_t offset) {
  hlo_emit_get(e, at);
  hlo_wasm_access_simd(&e->function, opcode, (uint32_t)offset);
}

/* a = a op the vector on the stack */
static void combine(hlo_emitter *e, int a, hlo_wasm_simd opcode) {
  hlo_emit_get(e, a);
  hlo_emit_simd(e, opcode);
  hlo_emit_set(e, a);
}

/* ---- Passes and blocks ---- */

static void load_field(hlo_emitter *e, int pass, size_t offset) { load(e, pass, HLO_WASM_V128_LOAD32_SPLAT, offset); }

/* upper = the product of a pass, from the sums of its halves. As floats, they are multiplied by powers of two, which rounds nothing, so that it makes no difference whether the host fuses. */
static void join_halves(hlo_emitter *e, int pass, int upper, int lower) {
  hlo_emit_get(e, upper);
  hlo_emit_simd(e, HLO_WASM_F32X4_CONVERT_I32X4_S);
  load_field(e, pass, offsetof(hlo_fixed_pass, upper_unit));
  hlo_emit_get(e, lower);
  hlo_emit_simd(e, HLO_WASM_F32X4_CONVERT_I32X4_S);
  load_field(e, pass, offsetof(hlo_fixed_pass, unit));
  hlo_emit_simd(e, HLO_WASM_F32X4_MUL);
  hlo_emit_simd(e, HLO_WASM_F32X4_RELAXED_MADD);
  hlo_emit_set(e, upper);
}

enum { MOST_PARTS = 2 };

/* Where the sums of a unit go. */
typedef struct block_sums {
  int pass, out;                        /* locals: addresses of the pass and of the block */
  int goes_on, phase;                   /* locals: the last pass went on; units of the block that were added */
  int parts, units;                     /* vectors of a block; units of it: a power of two */
  int sums[MOST_PARTS];                 /* locals */
} block_sums;

static void load_part(hlo_emitter *e, const block_sums *b, int part, int block) {
  load(e, b->out, HLO_WASM_V128_LOAD, (size_t)((block * b->parts + part) * VECTOR_BYTES));
  combine(e, b->sums[part], HLO_WASM_F32X4_ADD);
}

static void store_part(hlo_emitter *e, const block_sums *b, int part, int block) {
  hlo_emit_pair(e, b->out, b->sums[part]);
  hlo_wasm_access_simd(&e->function, HLO_WASM_V128_STORE, (uint32_t)((block * b->parts + part) * VECTOR_BYTES));
}

/* Adds what earlier passes of the unit gave, which waits behind the block; begins the loop again if there is another pass. */
static void join_passes(hlo_emitter *e, const block_sums *b) {
  hlo_emit_get(e, b->goes_on);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int s = 0; s < b->parts; s++) load_part(e, b, s, 1);
  hlo_emit_close(e);
  hlo_emit_get(e, b->pass);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, offsetof(hlo_fixed_pass, goes_on));
  hlo_emit_set(e, b->goes_on);
  hlo_emit_get(e, b->goes_on);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int s = 0; s < b->parts; s++) store_part(e, b, s, 1);
  hlo_emit_add(e, b->pass, sizeof(hlo_fixed_pass));
  hlo_emit_branch(e, HLO_WASM_BR, 1);
  hlo_emit_close(e);
}

/* Begins or goes on with a block. */
static void write_block(hlo_emitter *e, const block_sums *b) {
  hlo_emit_get(e, b->phase);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int s = 0; s < b->parts; s++) load_part(e, b, s, 0);
  hlo_emit_close(e);
  for (int s = 0; s < b->parts; s++) store_part(e, b, s, 0);
  hlo_emit_add(e, b->pass, sizeof(hlo_fixed_pass));
}

/* Counts a unit, at whose end there may be another block. out: the local that leads to the next block. */
static void next_unit(hlo_emitter *e, const block_sums *b, int out) {
  hlo_emit_add(e, b->phase, 1);
  hlo_emit_with(e, b->phase, b->units - 1, HLO_WASM_I32_AND);
  hlo_emit_set(e, b->phase);
  hlo_emit_get(e, b->phase);
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_i32(e, b->parts * VECTOR_BYTES);
  hlo_emit_op(e, HLO_WASM_I32_MUL);
  hlo_emit_get(e, out);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, out);
}

/* ---- Nibbles ---- */

enum { PARTS = 2 /* vectors of four columns */, PART_BYTES = PARTS * VECTOR_BYTES, EIGHTS = HLO_FIXED_UNIT / 8 };

/* Locals with the fields of the task; those of one panel come first, and then what leads to the next panel. */
enum { PANEL, SCALE, MORE, OUT, STREAMS, PANEL_APART = STREAMS, SCALE_APART, MORE_APART, OUT_APART, PASSES, PANELS, SCALE_STEP, MORE_STEP, UNITS, GROUP, LEFT, HALVES, IN_PAIRS, FIELDS };
static const size_t fields[FIELDS] = {
#define FIELD(name) offsetof(hlo_nibble_task, name)
    FIELD(panel), FIELD(scale), FIELD(more), FIELD(out), FIELD(panel_apart), FIELD(scale_apart), FIELD(more_apart), FIELD(out_apart), FIELD(passes),
    FIELD(panels), FIELD(scale_step), FIELD(more_step), FIELD(units), FIELD(group), FIELD(left), FIELD(halves), FIELD(in_pairs)};

typedef struct unit_sums {
  hlo_emitter e; /* only its function is used */
  int sums[HLO_FIXED_DIGITS][PARTS], stored, mask, nibbles[2][PARTS], digits;
  int kept, bias;                      /* constants of f16 */
  int zero, places[2];                  /* constants: what the digits of a half count */
  int fields[FIELDS], streams[STREAMS]; /* locals; streams: of the panel that is being multiplied */
  int panels;                          /* local: how many are left */
  block_sums block;
} unit_sums;

static int new_splat(hlo_emitter *e, int32_t bits) {
  int local = hlo_emit_new(e, HLO_WASM_V128);
  hlo_emit_i32(e, bits); /* engines make a v128.const anew for every use */
  hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
  hlo_emit_set(e, local);
  return local;
}

static void copy(hlo_emitter *e, int from, int to) {
  hlo_emit_get(e, from);
  hlo_emit_set(e, to);
}

/* local = local + another */
static void advance(hlo_emitter *e, int local, int step) {
  hlo_emit_pair(e, local, step);
  hlo_emit_op(e, HLO_WASM_I32_ADD);
  hlo_emit_set(e, local);
}

/* Takes eight rows of the panel apart: those with even numbers, and those with odd ones. */
static void write_nibbles(unit_sums *u, int eight) {
  hlo_emitter *e = &u->e;
  for (int s = 0; s < PARTS; s++) {
    load(e, u->streams[PANEL], HLO_WASM_V128_LOAD, (size_t)((eight * PARTS + s) * VECTOR_BYTES));
    hlo_emit_set(e, u->stored);
    for (int odd = 0; odd < 2; odd++) {
      hlo_emit_get(e, u->stored);
      if (odd) shift(e, 4, HLO_WASM_I32X4_SHR_U);
      hlo_emit_get(e, u->mask);
      hlo_emit_simd(e, HLO_WASM_V128_AND);
      hlo_emit_set(e, u->nibbles[odd][s]);
    }
  }
}

/* sum = sum + the products of two bytes in each half of a lane; begins: there is no sum yet. That of a unit fits: 32 * 128 * 15 / 2 < 2^15. */
static void add_pairs(hlo_emitter *e, int digits, int weights, int sum, bool begins) {
  hlo_emit_pair(e, digits, weights);
  hlo_emit_simd(e, HLO_WASM_I16X8_RELAXED_DOT_I8X16_I7X16_S);
  if (begins) hlo_emit_set(e, sum);
  else combine(e, sum, HLO_WASM_I16X8_ADD);
}

/* Multiplies the digits of a pass from digit `least` on, which is in the upper half: the first sum of each half becomes its product. */
static void write_digits(unit_sums *u, bool in_pairs, int least) {
  hlo_emitter *e = &u->e;
  for (int i = 0; i < HLO_FIXED_DIGITS * PARTS && !in_pairs; i++) copy(e, u->zero, u->sums[i / PARTS][i % PARTS]);
  for (int eight = 0; eight < EIGHTS; eight++) {
    write_nibbles(u, eight);
    for (int odd = 0; odd < 2; odd++) /* a sum waits for its last product: the next is far behind it */
      for (int d = least; d < HLO_FIXED_DIGITS; d++) {
        load_field(e, u->block.pass, offsetof(hlo_fixed_pass, digits[(eight * HLO_FIXED_DIGITS + d) * 2 + odd]));
        hlo_emit_set(e, u->digits);
        for (int s = 0; s < PARTS; s++) {
          if (in_pairs) add_pairs(e, u->digits, u->nibbles[odd][s], u->sums[d][s], eight + odd == 0);
          else add_products(e, u->digits, u->nibbles[odd][s], u->sums[d][s]);
        }
      }
  }
  for (int half = 0; half < 2; half++)
    for (int s = 0; s < PARTS; s++) {
      load_field(e, u->block.pass, offsetof(hlo_fixed_pass, first[half]));
      for (int i = half ? 0 : least; i < 2; i++) {
        hlo_emit_get(e, u->sums[half * 2 + i][s]);
        if (in_pairs) hlo_emit_get(e, u->places[i]), hlo_emit_simd(e, HLO_WASM_I32X4_DOT_I16X8_S);
        else if (i == 0) shift(e, 8, HLO_WASM_I32X4_SHL);
        hlo_emit_simd(e, HLO_WASM_I32X4_ADD);
      }
      hlo_emit_set(e, u->sums[half * 2][s]);
    }
}

/* Multiplies all digits of a pass, or all but the first of a short one. */
static void write_short_or_all(unit_sums *u, bool in_pairs) {
  hlo_emitter *e = &u->e;
  hlo_emit_get(e, u->block.pass);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, offsetof(hlo_fixed_pass, is_short));
  hlo_emit_open(e, HLO_WASM_IF);
  write_digits(u, in_pairs, 1);
  hlo_emit_op(e, HLO_WASM_ELSE);
  write_digits(u, in_pairs, 0);
  hlo_emit_close(e);
}

/* Multiplies a pass: the first of the sums become its products. */
static void write_pass(unit_sums *u) {
  hlo_emitter *e = &u->e;
  hlo_emit_get(e, u->fields[IN_PAIRS]);
  hlo_emit_open(e, HLO_WASM_IF);
  write_short_or_all(u, true);
  hlo_emit_op(e, HLO_WASM_ELSE);
  write_short_or_all(u, false);
  hlo_emit_close(e);
  for (int s = 0; s < PARTS; s++) join_halves(e, u->block.pass, u->sums[0][s], u->sums[2][s]); /* f32 holds them exactly */
}

/* Reads the values of a group into two locals. A finite f16 has its exponent and mantissa moved to where f32 has them, and is then 2^112 times too small. */
static void read_values(unit_sums *u, int at, const int *to) {
  hlo_emitter *e = &u->e;
  hlo_emit_get(e, u->fields[HALVES]);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int s = 0; s < PARTS; s++) {
    load(e, at, HLO_WASM_V128_LOAD16X4_S, (size_t)(s * VECTOR_BYTES / 2));
    shift(e, 13, HLO_WASM_I32X4_SHL);
    hlo_emit_get(e, u->kept);
    hlo_emit_simd(e, HLO_WASM_V128_AND);
    hlo_emit_get(e, u->bias);
    hlo_emit_simd(e, HLO_WASM_F32X4_MUL);
    hlo_emit_set(e, to[s]);
  }
  hlo_emit_op(e, HLO_WASM_ELSE);
  for (int s = 0; s < PARTS; s++) {
    load(e, at, HLO_WASM_V128_LOAD, (size_t)(s * VECTOR_BYTES));
    hlo_emit_set(e, to[s]);
  }
  hlo_emit_close(e);
}

static void scale_unit(unit_sums *u) {
  hlo_emitter *e = &u->e;
  const int *products = u->sums[0], *values = u->sums[1];
  read_values(u, u->streams[SCALE], values);
  for (int s = 0; s < PARTS; s++) {
    hlo_emit_get(e, values[s]);
    combine(e, products[s], HLO_WASM_F32X4_MUL);
  }
  hlo_emit_get(e, u->streams[MORE]);
  hlo_emit_open(e, HLO_WASM_IF);
  read_values(u, u->streams[MORE], values);
  for (int s = 0; s < PARTS; s++) {
    load_field(e, u->block.pass, offsetof(hlo_fixed_pass, sum));
    hlo_emit_get(e, values[s]);
    hlo_emit_simd(e, HLO_WASM_F32X4_MUL);
    combine(e, products[s], HLO_WASM_F32X4_ADD);
  }
  hlo_emit_close(e);
}

/* Multiplies a unit of one panel, and goes to the next panel. */
static void write_stream(unit_sums *u) {
  hlo_emitter *e = &u->e;
  copy(e, u->fields[PASSES], u->block.pass);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_pass(u);
  join_passes(e, &u->block);
  hlo_emit_close(e);
  scale_unit(u);
  write_block(e, &u->block);
  for (int i = 0; i < STREAMS; i++) advance(e, u->streams[i], u->fields[STREAMS + i]);
}

/* Goes to the next unit of all panels. */
static void next_rows(unit_sums *u) {
  hlo_emitter *e = &u->e;
  const int *fields = u->fields;
  copy(e, u->block.pass, fields[PASSES]);
  hlo_emit_add(e, fields[PANEL], EIGHTS * PART_BYTES);
  next_unit(e, &u->block, fields[OUT]);
  hlo_emit_add(e, fields[LEFT], -1);
  hlo_emit_get(e, fields[LEFT]);
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_open(e, HLO_WASM_IF);
  copy(e, fields[GROUP], fields[LEFT]);
  advance(e, fields[SCALE], fields[SCALE_STEP]);
  advance(e, fields[MORE], fields[MORE_STEP]);
  hlo_emit_close(e);
}

void hlo_emit_nibble_blocks(hlo_wasm_module *module, int type, hlo_status *status) {
  unit_sums u = {.e = {.status = status}};
  hlo_emitter *e = &u.e;
  hlo_wasm_begin(&e->function, 1, status);
  for (int i = 0; i < FIELDS; i++) {
    u.fields[i] = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_get(e, 0);
    hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)fields[i]);
    hlo_emit_set(e, u.fields[i]);
  }
  for (int i = 0; i < STREAMS; i++) u.streams[i] = hlo_emit_new(e, HLO_WASM_I32);
  for (int d = 0; d < HLO_FIXED_DIGITS; d++)
    for (int s = 0; s < PARTS; s++) u.sums[d][s] = hlo_emit_new(e, HLO_WASM_V128);
  for (int odd = 0; odd < 2; odd++)
    for (int s = 0; s < PARTS; s++) u.nibbles[odd][s] = hlo_emit_new(e, HLO_WASM_V128);
  u.stored = hlo_emit_new(e, HLO_WASM_V128), u.digits = hlo_emit_new(e, HLO_WASM_V128), u.panels = hlo_emit_new(e, HLO_WASM_I32);
  u.block = (block_sums){.out = u.streams[OUT], .parts = PARTS, .units = 2,
                         .pass = hlo_emit_new(e, HLO_WASM_I32), .goes_on = hlo_emit_new(e, HLO_WASM_I32), .phase = hlo_emit_new(e, HLO_WASM_I32),
                         .sums = {u.sums[0][0], u.sums[0][1]}};
  u.zero = hlo_emit_new(e, HLO_WASM_V128), u.places[0] = new_splat(e, 0x01000100), u.places[1] = new_splat(e, 0x00010001);
  u.mask = new_splat(e, 0x0f0f0f0f), u.kept = new_splat(e, (int32_t)0x8fffe000), u.bias = new_splat(e, 0x77800000);
  hlo_emit_open(e, HLO_WASM_LOOP);
  for (int i = 0; i < STREAMS; i++) copy(e, u.fields[i], u.streams[i]);
  copy(e, u.fields[PANELS], u.panels);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_stream(&u);
  end_loop(e, u.panels);
  next_rows(&u);
  end_function(e, u.fields[UNITS], module, type);
}

/* ---- Bytes ---- */

enum { COLUMN, APART, BYTE_PASSES, BYTE_UNITS, BYTE_SCALES, BYTE_OUT, FLIPPED, IN_HALVES, BYTE_PARAMETER_COUNT };
enum { COLUMNS = 4, PAIR = 2 /* columns that share loads of digits */, ROWS = VECTOR_BYTES, ROW_VECTORS = HLO_FIXED_UNIT / ROWS };

typedef struct byte_sums {
  hlo_emitter e;
  int columns[COLUMNS]; /* addresses */
  int sums[HLO_FIXED_DIGITS][PAIR], weights[PAIR], vector[2], flipped, zero, half;
  int halves[2][COLUMNS]; /* upper and lower halves of columns: sums of rows by lane */
  block_sums block;
} byte_sums;

/* Pushes a sum of lanes of two vectors: two neighbours of each by `odd` lanes, or by halves. */
static void push_folded(hlo_emitter *e, int a, int b, bool by_neighbours) {
  for (int second = 0; second < 2; second++) {
    hlo_emit_pair(e, a, b);
    if (by_neighbours) hlo_wasm_shuffle(&e->function, second, 2 + second, 4 + second, 6 + second);
    else hlo_wasm_shuffle(&e->function, 2 * second, 2 * second + 1, 4 + 2 * second, 5 + 2 * second);
  }
  hlo_emit_simd(e, HLO_WASM_I32X4_ADD);
}

static void load_weights(byte_sums *u, int pair, int row_vector) {
  hlo_emitter *e = &u->e;
  for (int i = 0; i < PAIR; i++) {
    hlo_emit_get(e, u->columns[pair * PAIR + i]);
    hlo_wasm_access_simd(&e->function, HLO_WASM_V128_LOAD, (uint32_t)(row_vector * VECTOR_BYTES));
    hlo_emit_get(e, u->flipped);
    hlo_emit_simd(e, HLO_WASM_V128_XOR);
    hlo_emit_set(e, u->weights[i]);
  }
}

/* Multiplies the rows of a unit by two columns digit by digit. */
static void add_digits(byte_sums *u, int pair) {
  hlo_emitter *e = &u->e;
  for (int i = 0; i < HLO_FIXED_DIGITS * PAIR; i++) copy(e, u->zero, u->sums[i / PAIR][i % PAIR]);
  for (int v = 0; v < ROW_VECTORS; v++) {
    load_weights(u, pair, v);
    for (int d = 0; d < HLO_FIXED_DIGITS; d++) {
      load(e, u->block.pass, HLO_WASM_V128_LOAD, offsetof(hlo_fixed_pass, digits_by_sixteen[v][d]));
      hlo_emit_set(e, u->vector[0]);
      for (int i = 0; i < PAIR; i++) add_products(e, u->vector[0], u->weights[i], u->sums[d][i]);
    }
  }
  for (int i = 0; i < 2 * PAIR; i++) {
    push_half(e, u->sums[i / PAIR * 2][i % PAIR], u->sums[i / PAIR * 2 + 1][i % PAIR]);
    hlo_emit_set(e, u->halves[i / PAIR][pair * PAIR + i % PAIR]);
  }
}

/* Multiplies eight rows by halves of 16 bits. */
static void add_halves(byte_sums *u, int eight) {
  hlo_emitter *e = &u->e;
  for (int h = 0; h < 2; h++) {
    load(e, u->block.pass, HLO_WASM_V128_LOAD, offsetof(hlo_fixed_pass, halves_by_eight[eight][h]));
    hlo_emit_set(e, u->vector[h]);
  }
  for (int c = 0; c < COLUMNS; c++) {
    load(e, u->columns[c], HLO_WASM_V128_LOAD8X8_S, (size_t)(eight * VECTOR_BYTES / 2));
    hlo_emit_set(e, u->weights[0]);
    for (int h = 0; h < 2; h++) {
      hlo_emit_pair(e, u->vector[h], u->weights[0]);
      hlo_emit_simd(e, HLO_WASM_I32X4_DOT_I16X8_S);
      if (eight) combine(e, u->halves[h][c], HLO_WASM_I32X4_ADD);
      else hlo_emit_set(e, u->halves[h][c]);
    }
  }
}

/* Multiplies a pass: the sum is its product. */
static void write_byte_pass(byte_sums *u) {
  hlo_emitter *e = &u->e;
  hlo_emit_get(e, IN_HALVES);
  hlo_emit_open(e, HLO_WASM_IF);
  for (int eight = 0; eight < EIGHTS; eight++) add_halves(u, eight);
  hlo_emit_op(e, HLO_WASM_ELSE);
  for (int pair = 0; pair < COLUMNS / PAIR; pair++) add_digits(u, pair);
  hlo_emit_close(e);
  for (int h = 0; h < 2; h++) {
    int *lanes = u->halves[h];
    for (int pair = 0; pair < COLUMNS / PAIR; pair++) {
      push_folded(e, lanes[pair * PAIR], lanes[pair * PAIR + 1], false);
      hlo_emit_set(e, lanes[pair]);
    }
    push_folded(e, lanes[0], lanes[1], true);
    load_field(e, u->block.pass, offsetof(hlo_fixed_pass, first[h]));
    hlo_emit_simd(e, HLO_WASM_I32X4_ADD);
    hlo_emit_set(e, lanes[0]);
  }
  int upper = u->halves[0][0], lower = u->halves[1][0], carried = u->vector[0];
  hlo_emit_pair(e, lower, u->half); /* the lower half is made one of 16 bits, with its sign: digits may be cut differently */
  hlo_emit_simd(e, HLO_WASM_I32X4_ADD);
  shift(e, HLO_FIXED_HALF, HLO_WASM_I32X4_SHR_S);
  hlo_emit_set(e, carried);
  hlo_emit_get(e, carried);
  combine(e, upper, HLO_WASM_I32X4_ADD);
  hlo_emit_pair(e, lower, carried);
  shift(e, HLO_FIXED_HALF, HLO_WASM_I32X4_SHL);
  hlo_emit_simd(e, HLO_WASM_I32X4_SUB);
  hlo_emit_set(e, lower);
  join_halves(e, u->block.pass, upper, lower);
}

static void next_byte_unit(byte_sums *u) {
  hlo_emitter *e = &u->e;
  next_unit(e, &u->block, BYTE_OUT);
  for (int c = 0; c < COLUMNS; c++) hlo_emit_add(e, u->columns[c], HLO_FIXED_UNIT);
  hlo_emit_add(e, BYTE_SCALES, VECTOR_BYTES);
}

void hlo_emit_byte_blocks(hlo_wasm_module *module, int type, hlo_status *status) {
  byte_sums u = {.e = {.status = status}};
  hlo_emitter *e = &u.e;
  hlo_wasm_begin(&e->function, BYTE_PARAMETER_COUNT, status);
  int *const vectors[] = {u.sums[0], u.weights, u.vector, &u.flipped, &u.zero, u.halves[0]};
  static const int counts[] = {HLO_FIXED_DIGITS * PAIR, PAIR, 2, 1, 1, 2 * COLUMNS};
  for (int v = 0; v < 6; v++)
    for (int i = 0; i < counts[v]; i++) vectors[v][i] = hlo_emit_new(e, HLO_WASM_V128);
  for (int c = 0; c < COLUMNS; c++) {
    u.columns[c] = hlo_emit_new(e, HLO_WASM_I32);
    hlo_emit_get(e, c ? u.columns[c - 1] : COLUMN);
    if (c) hlo_emit_get(e, APART), hlo_emit_op(e, HLO_WASM_I32_ADD);
    hlo_emit_set(e, u.columns[c]);
  }
  u.block = (block_sums){.pass = BYTE_PASSES, .out = BYTE_OUT, .parts = 1, .units = 4,
                         .goes_on = hlo_emit_new(e, HLO_WASM_I32), .phase = hlo_emit_new(e, HLO_WASM_I32), .sums = {u.halves[0][0]}};
  u.half = new_splat(e, 1 << (HLO_FIXED_HALF - 1));
  hlo_emit_get(e, FLIPPED);
  hlo_emit_simd(e, HLO_WASM_I32X4_SPLAT);
  hlo_emit_set(e, u.flipped);
  hlo_emit_open(e, HLO_WASM_LOOP);
  write_byte_pass(&u);
  join_passes(e, &u.block);
  load(e, BYTE_SCALES, HLO_WASM_V128_LOAD, 0);
  combine(e, u.block.sums[0], HLO_WASM_F32X4_MUL);
  write_block(e, &u.block);
  next_byte_unit(&u);
  end_function(e, BYTE_UNITS, module, type);
}
