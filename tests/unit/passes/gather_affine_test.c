/* Gathers at indices that grow in equal steps become slices, or gathers of runs, and take the same elements. */
#include "pass_meaning.h"

#define WINDOWS " a = s32[9,6] iota(), iota_dimension=0\n b = s32[9,6] iota(), iota_dimension=1\n"
#define OF_ONE "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1}"

/* What stands in the result of the pass, and does not in the program. */
static void check_forms(void) {
  static const struct {
    const char *name, *dims, *indices, *gather, *made; /* made: NULL: it stays as it is */
  } rows[] = {
      {"windows", "14", WINDOWS " i = s32[9,6] add(a, b)\n", "f32[9,6] gather(x, i), " OF_ONE, "slice_sizes={6}"},
      {"a window does not fit", "13", WINDOWS " i = s32[9,6] add(a, b)\n", "f32[9,6] gather(x, i), " OF_ONE, NULL},
      {"one is before the first", "14", WINDOWS " c = s32[] constant(1)\n o = s32[9,6] broadcast(c), dimensions={}\n m = s32[9,6] add(a, b)\n i = s32[9,6] subtract(m, o)\n",
       "f32[9,6] gather(x, i), " OF_ONE, NULL},
      {"that back", "14", WINDOWS " c = s32[] constant(5)\n o = s32[9,6] broadcast(c), dimensions={}\n m = s32[9,6] subtract(o, b)\n i = s32[9,6] add(a, m)\n",
       "f32[9,6] gather(x, i), " OF_ONE, "reverse("},
      {"products", "41", WINDOWS " i = s32[9,6] multiply(a, b)\n", "f32[9,6] gather(x, i), " OF_ONE, NULL},
      {"short windows", "11", " a = s32[9,3] iota(), iota_dimension=0\n b = s32[9,3] iota(), iota_dimension=1\n i = s32[9,3] add(a, b)\n", "f32[9,3] gather(x, i), " OF_ONE, "slice_sizes={9}"},
      {"the reverse", "7", " a = s32[7] iota(), iota_dimension=0\n c = s32[] constant(6)\n o = s32[7] broadcast(c), dimensions={}\n i = s32[7] subtract(o, a)\n",
       "f32[7] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}", "reverse("},
      {"every third", "23", " a = s32[7] iota(), iota_dimension=0\n c = s32[] constant(3)\n o = s32[7] broadcast(c), dimensions={}\n m = s32[7] multiply(o, a)\n i = s32[7] add(m, o)\n",
       "f32[7] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}", "{[0:23:3]}"},
      {"every third of few", "230", " a = s32[7] iota(), iota_dimension=0\n c = s32[] constant(3)\n o = s32[7] broadcast(c), dimensions={}\n i = s32[7] multiply(o, a)\n",
       "f32[7] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}", NULL},
      {"a constant", "9", " i = s32[2,2] constant({{3, 4}, {7, 8}})\n", "f32[2,2] gather(x, i), " OF_ONE, "slice_sizes={2}"},
      {"a constant of other steps", "9", " i = s32[2,2] constant({{3, 4}, {6, 8}})\n", "f32[2,2] gather(x, i), " OF_ONE, NULL},
      {"rows cut anew", "40", " a = s32[3,4] iota(), iota_dimension=0\n b = s32[3,4] iota(), iota_dimension=1\n c = s32[] constant(10)\n o = s32[3,4] broadcast(c), dimensions={}\n m = s32[3,4] multiply(a, o)\n"
       " n = s32[3,4] add(m, b)\n i = s32[4,3] reshape(n)\n", "f32[4,3] gather(x, i), " OF_ONE, NULL},
      {"rows one behind the other", "40", " a = s32[3,4] iota(), iota_dimension=0\n b = s32[3,4] iota(), iota_dimension=1\n c = s32[] constant(4)\n o = s32[3,4] broadcast(c), dimensions={}\n"
       " m = s32[3,4] multiply(a, o)\n n = s32[3,4] add(m, b)\n i = s32[2,6] reshape(n)\n", "f32[2,6] gather(x, i), " OF_ONE, "slice_sizes={6}"},
      {"bytes that go round", "300", " a = u8[256,6] iota(), iota_dimension=0\n b = u8[256,6] iota(), iota_dimension=1\n i = u8[256,6] add(a, b)\n", "f32[256,6] gather(x, i), " OF_ONE, NULL},
      {"entries", "9,5", " a = s32[3,4] iota(), iota_dimension=0\n b = s32[3,4] iota(), iota_dimension=1\n i = s32[3,4] add(a, b)\n",
       "f32[3,4,5] gather(x, i), offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,5}", "slice_sizes={4,5}"},
      {"entries behind what counts", "9,5", " i = s32[4] iota(), iota_dimension=0\n",
       "f32[5,4] gather(x, i), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}", NULL},
      {"pieces", "9,9", " a = s32[3,3,4,5,1] iota(), iota_dimension=0\n b = s32[3,3,4,5,1] iota(), iota_dimension=1\n c = s32[3,3,4,5,1] iota(), iota_dimension=2\n d = s32[3,3,4,5,1] iota(), iota_dimension=3\n"
       " m = s32[3,3,4,5,1] add(a, c)\n n = s32[3,3,4,5,1] add(b, d)\n i = s32[3,3,4,5,2] concatenate(m, n), dimensions={4}\n",
       "f32[3,3,4,5] gather(x, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=4, slice_sizes={1,1}", "slice_sizes={4,5}"},
      {"a diagonal", "9,9", " a = s32[9,1] iota(), iota_dimension=0\n i = s32[9,2] concatenate(a, a), dimensions={1}\n",
       "f32[9] gather(x, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}", NULL}};
  char text[2048];
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = f32[%s] parameter(0)\n%s ROOT g = %s\n}\n", rows[n].dims, rows[n].indices, rows[n].gather);
    check("simplify-slices", text, WHOLE, rows[n].made ? rows[n].made : "gather(x, i)", true, 0);
  }
}

/* ---- Programs drawn at random ---- */

static char text[TEXT_BYTES];

typedef struct sizes {
  int rank, dims[5];
  char text[32]; /* as in a shape */
} sizes;

static sizes sizes_of(int rank, const int *dims) {
  sizes made = {.rank = rank};
  for (int d = 0; d < rank; d++) snprintf(made.text + strlen(made.text), 8, "%s%d", d ? "," : "", made.dims[d] = dims[d]);
  return made;
}

/* Writes a value NAMEn of the type that repeats a number. */
static void put_splat(const char *name, int n, const char *type, int value, const sizes *s) {
  PUT(" %s%d.0 = %s[] constant(%d)\n %s%d = %s[%s] broadcast(%s%d.0), dimensions={}\n", name, n, type, value, name, n, type, s->text, name, n);
}

/* Writes the sum sN of a number and of steps along the dimensions, the steps as iotas times numbers. */
static void put_steps(int n, const char *type, const sizes *s) {
  put_splat("first", n, type, random_below(4), s);
  PUT(" s%d.0 = %s[%s] add(first%d, first%d)\n", n, type, s->text, n, n);
  for (int d = 0; d < s->rank; d++) {
    PUT(" count%d.%d = %s[%s] iota(), iota_dimension=%d\n", n, d, type, s->text, d);
    put_splat("step", 10 * n + d, type, (int[]){0, 0, 1, 1, 1, 2, 3, 4, -1, -2}[random_below(*type == 'u' ? 8 : 10)], s);
    PUT(" m%d.%d = %s[%s] multiply(count%d.%d, step%d)\n", n, d, type, s->text, n, d, 10 * n + d);
    PUT(d + 1 < s->rank ? " s%d.%d" : " s%d", n, d + 1);
    PUT(" = %s[%s] %s(s%d.%d, m%d.%d)\n", type, s->text, random_below(8) ? "add" : "subtract", n, d, n, d);
  }
}

/* Writes iN, of these dimensions: sN, moved in some way, or negated. */
static void put_index(int n, const char *type, const sizes *s) {
  int turned[5] = {0}, count = 1, form = random_below(5);
  for (int d = 0; d < s->rank; d++) turned[s->rank - 1 - d] = s->dims[d], count *= s->dims[d];
  sizes other = form == 0 && random_below(2) ? sizes_of(1, &count) : form < 2 ? sizes_of(s->rank, turned) : *s;
  if (form == 2) {
    turned[0] = 2 * s->dims[0] + 1;
    memcpy(turned + 1, s->dims + 1, sizeof turned - sizeof *turned);
    other = sizes_of(s->rank, turned);
  }
  put_steps(n, type, &other);
  PUT(" i%d = %s[%s] ", n, type, s->text);
  if (form == 0) PUT("reshape(s%d)\n", n);
  if (form == 1) {
    PUT("transpose(s%d), dimensions={", n);
    for (int d = s->rank - 1; d >= 0; d--) PUT("%d%s", d, d ? "," : "}\n");
  }
  if (form == 2) {
    PUT("slice(s%d), slice={[1:%d:2]", n, 2 * s->dims[0] + 1);
    for (int d = 1; d < s->rank; d++) PUT(", [0:%d]", s->dims[d]);
    PUT("}\n");
  }
  if (form == 3) PUT("reverse(s%d), dimensions={0}\n", n);
  if (form == 4) PUT("negate(s%d)\n", n);
}

/* A gather of elements, or of whole entries along dimensions that no index counts through. */
static void check_drawn(void) {
  static const char *const types[] = {"s32", "s64", "u8", "s8", "u32"};
  const char *type = types[random_below(5)];
  int rank = 1 + random_below(3), dims[5], operand[3], map = 1 + random_below(rank), kept = rank - map;
  for (int d = 0; d < 5; d++) dims[d] = 1 + random_below(6);
  sizes batch = sizes_of(1 + random_below(3), dims);
  for (int d = 0; d < rank; d++) operand[d] = 4 + random_below(20);
  sizes x = sizes_of(rank, operand);
  snprintf(text, sizeof text, "ENTRY e {\n x = f32[%s] parameter(0)\n", x.text);
  int first = random_below(kept + 1); /* the first dimension that has an index */
  for (int k = 0; k < map; k++) {
    put_index(k, type, &batch);
    PUT(" v%d = %s[%s,1] reshape(i%d)\n", k, type, batch.text, k);
  }
  PUT(" i = %s[%s,%d] concatenate(", type, batch.text, map);
  for (int k = 0; k < map; k++) PUT("v%d%s", k, k + 1 < map ? ", " : "");
  PUT("), dimensions={%d}\n", batch.rank);
  /* The dimensions of the result: those of the batch, and before or behind them those of the entries. */
  bool is_before = random_below(2);
  char entry[32] = "", offsets[16] = "", sizes[16] = "", mapped[16] = "";
  for (int d = 0, e = 0; d < rank; d++) {
    bool has_index = d >= first && d < first + map;
    sprintf(sizes + strlen(sizes), "%s%d", d ? "," : "", has_index ? 1 : operand[d]);
    if (has_index) sprintf(mapped + strlen(mapped), "%s%d", *mapped ? "," : "", d);
    else sprintf(offsets + strlen(offsets), "%s%d", e ? "," : "", e + (is_before ? 0 : batch.rank)), sprintf(entry + strlen(entry), "%s%d", e++ ? "," : "", operand[d]);
  }
  const char *comma = *entry ? "," : "";
  PUT(" ROOT g = f32[%s%s%s] gather(x, i), offset_dims={%s}, collapsed_slice_dims={%s}, start_index_map={%s}, index_vector_dim=%d, slice_sizes={%s}\n}\n",
      is_before ? entry : batch.text, comma, is_before ? batch.text : entry, offsets, mapped, mapped, batch.rank, sizes);
  check("simplify-slices", text, WHOLE, "parameter(0)", true, 0);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 300;
  check_forms();
  for (int n = 0; n < count; n++) check_drawn();
  return unit_report();
}
