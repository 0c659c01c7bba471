/* Sums of products that become dots, and dots that become sums of products or dots of other types, compute what they did; all others stay. */
#include "pass_meaning.h"

typedef enum part { BOTH, LHS, RHS, NEITHER } part;

/* Draws the dimensions of a product, which of its factors have each, and which are summed. */
static void check_sum(void) {
  static const char *const types[] = {"f32", "f64", "s32", "bf16", "s64"};
  static const int sizes[] = {1, 2, 3, 8, 9, 20};
  char text[TEXT_BYTES / 2] = "", product[64] = "", result[64] = "", folded[64] = "", dims[2][64] = {"", ""}, places[2][64] = {"", ""};
  int rank = 2 + random_below(4), type = random_below(random_below(4) ? 3 : 5), terms = 1, free[3] = {1, 1, 1}, all = 1;
  bool is_dot = type < 3, has_batch = false, is_reused = random_below(12) == 0, begins_at_one = random_below(12) == 0;
  for (int d = 0; d < rank; d++) {
    int size = sizes[random_below(6)];
    part in = random_below(30) && (size > 1 || random_below(2)) ? (part)random_below(3) : NEITHER;
    bool folds = random_below(3) == 0 && (in == BOTH || random_below(10) == 0);
    if (all * size > 20000) size = 1;
    all *= size;
    sprintf(product + strlen(product), "%s%d", d ? "," : "", size);
    if (folds) sprintf(folded + strlen(folded), "%s%d", *folded ? "," : "", d), terms *= size;
    else sprintf(result + strlen(result), "%s%d", *result ? "," : "", size), free[in == BOTH ? 2 : in == RHS] *= size;
    is_dot &= size == 1 || (in != NEITHER && (!folds || in == BOTH));
    has_batch |= size > 1 && !folds && in == BOTH;
    for (int n = 0; n < 2; n++) {
      if (in != BOTH && in != (n ? RHS : LHS)) continue;
      sprintf(dims[n] + strlen(dims[n]), "%s%d", *dims[n] ? "," : "", size);
      sprintf(places[n] + strlen(places[n]), "%s%d", *places[n] ? "," : "", d);
    }
  }
  is_dot &= !is_reused && !begins_at_one && terms >= 2 && free[0] >= 4 && free[1] >= 4 && free[0] * free[1] * terms >= (has_batch ? 2048 : 1024);
  const char *t = types[type];
  sprintf(text, "f {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = %s[] add(a, b)\n}\nENTRY e {\n x = %s[%s] parameter(0)\n y = %s[%s] parameter(1)\n", t, t, t, t, dims[0], t, dims[1]);
  for (int n = 0; n < 2; n++) sprintf(text + strlen(text), " %c = %s[%s] broadcast(%c), dimensions={%s}\n", "uv"[n], t, product, "xy"[n], places[n]);
  sprintf(text + strlen(text), " m = %s[%s] multiply(u, v)\n i = %s[] constant(%d)\n %ss = %s[%s] reduce(m, i), dimensions={%s}, to_apply=f\n", t, product, t, begins_at_one, is_reused ? "" : "ROOT ", t, result,
          folded);
  if (is_reused) sprintf(text + strlen(text), " ROOT r = (%s[%s], %s[%s]) tuple(s, m)\n", t, result, t, product);
  strcat(text, "}\n");
  check("recognise-dots", text, WHOLE, " dot(", is_dot, 0);
}

/* A factor that is repeated nowhere, or along dimensions in another order; sums that are not sums. */
static void check_forms(void) {
  static const struct {
    const char *op, *lines, *result;
    bool is_dot;
  } rows[] = {
      {"add", " x = f32[9,20] parameter(0)\n y = f32[20,11] parameter(1)\n u = f32[9,20,11] broadcast(x), dimensions={0,1}\n v = f32[9,20,11] broadcast(y), dimensions={1,2}\n m = f32[9,20,11] multiply(u, v)\n",
       "[9,11]", true},
      {"add", " x = f32[20,9] parameter(0)\n y = f32[11,20] parameter(1)\n u = f32[9,20,11] broadcast(x), dimensions={1,0}\n v = f32[9,20,11] broadcast(y), dimensions={2,1}\n m = f32[9,20,11] multiply(u, v)\n",
       "[9,11]", true},
      {"add", " x = f32[9,20] parameter(0)\n y = f32[9,20,11] parameter(1)\n u = f32[9,20,11] broadcast(x), dimensions={0,1}\n m = f32[9,20,11] multiply(u, y)\n", "[9,11]", false},
      {"maximum", " x = f32[9,20] parameter(0)\n y = f32[20,11] parameter(1)\n u = f32[9,20,11] broadcast(x), dimensions={0,1}\n v = f32[9,20,11] broadcast(y), dimensions={1,2}\n m = f32[9,20,11] multiply(u, v)\n",
       "[9,11]", false},
      {"add", " x = f32[9,20] parameter(0)\n y = f32[20,11] parameter(1)\n u = f32[9,20,11] broadcast(x), dimensions={0,1}\n v = f32[9,20,11] broadcast(y), dimensions={1,2}\n m = f32[9,20,11] subtract(u, v)\n",
       "[9,11]", false},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    char text[2048];
    sprintf(text, "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] %s(a, b)\n}\nENTRY e {\n%s i = f32[] constant(0)\n ROOT r = f32%s reduce(m, i), dimensions={1}, to_apply=f\n}\n", rows[n].op,
            rows[n].lines, rows[n].result);
    check("recognise-dots", text, WHOLE, " dot(", rows[n].is_dot, 0);
  }
}

typedef struct dot_row {
  const char *lhs, *rhs, *result, *dims;
  bool stays;
} dot_row;

/* types: of lhs, rhs and result. phrase: of a dot that stays. */
static void check_dot(const dot_row *row, const char *const *types, const char *phrase) {
  char text[1024];
  snprintf(text, sizeof text, "ENTRY e {\n x = %s[%s] parameter(0)\n y = %s[%s] parameter(1)\n ROOT r = %s[%s] dot(x, y), %s\n}\n", types[0], row->lhs, types[1], row->rhs, types[2], row->result, row->dims);
  check("expand-ops", text, WHOLE, phrase, row->stays, 0);
}

/* Each row, of one type after another. */
static void check_dots(const dot_row *rows, size_t count, const char *const *types, size_t type_count) {
  for (size_t n = 0; n < count * type_count; n++) {
    const char *t = types[n % type_count];
    check_dot(&rows[n / type_count], (const char *const[]){t, t, t}, " dot(");
  }
}

/* Batches of vectors times vectors, and of matrices that are rows times vectors, are folds, whichever side has the matrices. */
static void check_vector_dots(void) {
  static const dot_row rows[] = {{"70,9", "70,9", "70", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", false},
                                {"4,9,17", "9,17,4", "4,17", "lhs_batch_dims={0,2}, rhs_batch_dims={2,1}, lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
                                {"9,70", "70,9", "70", "lhs_batch_dims={1}, rhs_batch_dims={0}, lhs_contracting_dims={0}, rhs_contracting_dims={1}", false},
                                {"12,6,9", "9,12", "12,6", "lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}", false},
                                {"3,4,9", "3,4,6,9", "3,4,6", "lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={2}, rhs_contracting_dims={3}", false},
                                {"12,9,6", "12,9", "12,6", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", true},
                                {"6,12,9", "12,9", "12,6", "lhs_batch_dims={1}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", false},
                                {"6,12,4,5", "5,12,4", "12,6", "lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={3,2}, rhs_contracting_dims={0,2}", false},
                                {"3,8,9", "3,8,4,9", "8,3,4", "lhs_batch_dims={1,0}, rhs_batch_dims={1,0}, lhs_contracting_dims={2}, rhs_contracting_dims={3}", false},
                                {"12,4,6,5", "12,4,5", "12,6", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1,3}, rhs_contracting_dims={1,2}", true},
                                {"12,6,9", "12,5,9", "12,6,5", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}", true},
                                {"17,9", "9,8", "17,8", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true}};
  check_dots(rows, sizeof rows / sizeof *rows, (const char *const[]){"f32", "f64", "s32"}, 3);
}

/* Vectors of halves that do not lie along rows are multiplied in f32, and so are dots of one term. */
static void check_half_vectors(void) {
  static const dot_row rows[] = {{"70,9", "70,9", "70", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", true},
                                {"9,70", "9,70", "70", "lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={0}, rhs_contracting_dims={0}", false},
                                {"9,30", "9,30", "30", "lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={0}, rhs_contracting_dims={0}", true},
                                {"70,1", "1,9", "70,9", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
                                {"70,2", "2,9", "70,9", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true}};
  check_dots(rows, sizeof rows / sizeof *rows, (const char *const[]){"bf16", "f16"}, 2);
}

/* Vectors of integers, and matrices times one: floats have kernels for these. */
static void check_integer_vectors(void) {
  static const struct {
    const char *types[3];
    dot_row dot;
  } rows[] = {
      {{"s64", "s64", "s64"}, {"70,9", "9", "70", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false}},
      {{"u32", "u32", "u32"}, {"9", "70,9", "70", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", false}},
      {{"f64", "f64", "f64"}, {"70,9", "9", "70", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true}},
      {{"s32", "s32", "s32"}, {"90", "90", "", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", false}},
      {{"f32", "f32", "f32"}, {"90", "90", "", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", true}},
      {{"s32", "s32", "s32"}, {"9,70", "9", "70", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", true}},
      {{"s8", "u8", "s32"}, {"70,9", "70,9", "70", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}", false}},
      {{"s8", "s8", "s32"}, {"70,9", "9,8", "70,8", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true}}};
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) check_dot(&rows[n].dot, rows[n].types, " dot(x, y)");
}

int main(int argc, char **argv) {
  for (int n = 0; n < (argc > 1 ? atoi(argv[1]) : 1500); n++) check_sum();
  check_forms();
  check_vector_dots();
  check_half_vectors();
  check_integer_vectors();
  return unit_report();
}
