/* Reductions that become loops, or lose what nothing reads, compute what they did, to the bit, element by element in their order; those that have kernels stay. */
#include "pass_meaning.h"

enum { MOST_PARTS = 9 };

/* A computation over several arrays: random operations, each on values of its own type. The first is what no kernel knows. */
static void write_computation(char *text, int parts, const char *const *types) {
  static const char *const floats[] = {"add", "subtract", "multiply", "maximum", "minimum"};
  char tuple[256] = "", of[256] = "";
  sprintf(text + strlen(text), "f {\n");
  for (int n = 0; n < 2 * parts; n++) sprintf(text + strlen(text), " %c%d = %s[] parameter(%d)\n", "ab"[n / parts], n % parts, types[n % parts], n);
  sprintf(text + strlen(text), " less = pred[] compare(a0, b0), direction=LT\n");
  for (int n = 0; n < parts; n++) {
    const char *t = types[n], *op = floats[random_below(5)];
    sprintf(text + strlen(text), " h%d = %s[] constant(%s)\n m%d = %s[] multiply(%s%d, h%d)\n o%d = %s[] %s(m%d, %s%d)\n", n, t, *t == 's' ? "-1" : "0.5", n, t, random_below(2) ? "a" : "b",
            n, n, n, t, op, n, random_below(2) ? "a" : "b", n);
    sprintf(text + strlen(text), " %sr%d = %s[] select(less, o%d, %s%d)\n", parts == 1 ? "ROOT " : "", n, t, n, random_below(2) ? "a" : "b", n);
    sprintf(tuple + strlen(tuple), "%sr%d", n ? ", " : "", n);
    sprintf(of + strlen(of), "%s%s[]", n ? ", " : "", t);
  }
  if (parts > 1) sprintf(text + strlen(text), " ROOT r = (%s) tuple(%s)\n", of, tuple);
  strcat(text, "}\n");
}

static void check_reduction(void) {
  static const char *const all[] = {"f32", "f64", "s32", "f16", "bf16", "s64"};
  static const struct {
    const char *shape, *dimensions, *result;
    bool is_loop; /* few results, each of some elements */
  } arrays[] = {
      {"[70]", "0", "[]", true},          {"[4]", "0", "[]", true},          {"[3]", "0", "[]", false},        {"[5,9]", "0", "[9]", true},
      {"[5,9]", "1", "[5]", true},        {"[2,7,3]", "0,2", "[7]", true},   {"[2,7,3]", "1", "[2,3]", true},  {"[2,2,7,3]", "0,3", "[2,7]", true},
      {"[1,8]", "1", "[1]", true},        {"[33,4]", "1", "[33]", false},    {"[0,4]", "1", "[0]", false},     {"[4,0]", "1", "[4]", false},
      {"[6,32]", "0", "[32]", true},
  };
  const char *types[MOST_PARTS];
  char text[TEXT_BYTES / 2] = "", operands[256] = "", inits[256] = "", results[512] = "";
  int parts = 1 + random_below(MOST_PARTS), n = random_below(sizeof arrays / sizeof *arrays);
  for (int i = 0; i < parts; i++) types[i] = all[random_below(6)];
  write_computation(text, parts, types);
  strcat(text, "ENTRY e {\n");
  for (int i = 0; i < parts; i++) {
    sprintf(text + strlen(text), " x%d = %s%s parameter(%d)\n i%d = %s[] parameter(%d)\n", i, types[i], arrays[n].shape, i, i, types[i], parts + i);
    sprintf(operands + strlen(operands), "x%d, ", i);
    sprintf(inits + strlen(inits), "%si%d", i ? ", " : "", i);
    sprintf(results + strlen(results), "%s%s%s", i ? ", " : "", types[i], arrays[n].result);
  }
  sprintf(text + strlen(text), " ROOT r = %s%s%s reduce(%s%s), dimensions={%s}, to_apply=f\n}\n", parts > 1 ? "(" : "", results, parts > 1 ? ")" : "", operands, inits, arrays[n].dimensions);
  bool becomes = arrays[n].is_loop && parts <= 8;
  check("loop-reductions", text, SPECIAL, " reduce(", !becomes, 0);
}

/* Results that are read, of which each needs itself and the first one, keep their arrays; the others go. */
static void check_unread(void) {
  static const char *const all[] = {"f32", "f64", "s32", "f16", "s64"};
  const char *types[MOST_PARTS];
  char text[TEXT_BYTES / 2] = "", operands[256] = "", inits[256] = "", results[512] = "", tuple[256] = "", of[512] = "";
  int parts = 2 + random_below(5), read = 1 + random_below((1 << parts) - 1), last = parts - 1;
  bool is_whole = random_below(8) == 0;
  for (int i = 0; i < parts; i++) types[i] = all[random_below(5)];
  write_computation(text, parts, types);
  strcat(text, "ENTRY e {\n");
  for (int i = 0; i < parts; i++) {
    sprintf(text + strlen(text), " x%d = %s[5,7] parameter(%d)\n i%d = %s[] parameter(%d)\n", i, types[i], i, i, types[i], parts + i);
    sprintf(operands + strlen(operands), "x%d, ", i);
    sprintf(inits + strlen(inits), "%si%d", i ? ", " : "", i);
    sprintf(results + strlen(results), "%s%s[7]", i ? ", " : "", types[i]);
    if (!(read >> i & 1)) continue;
    sprintf(tuple + strlen(tuple), "%sg%d", *tuple ? ", " : "", i);
    sprintf(of + strlen(of), "%s%s[7]", *of ? ", " : "", types[i]);
  }
  sprintf(text + strlen(text), " %sr = (%s) reduce(%s%s), dimensions={0}, to_apply=f\n", is_whole ? "ROOT " : "", results, operands, inits);
  for (int i = 0; i < parts && !is_whole; i++)
    if (read >> i & 1) sprintf(text + strlen(text), " g%d = %s[7] get-tuple-element(r), index=%d\n", i, types[i], i);
  if (!is_whole) sprintf(text + strlen(text), " ROOT t = (%s) tuple(%s)\n", of, tuple);
  strcat(text, "}\n");
  char phrase[32];
  sprintf(phrase, " x%d, i", last);
  check("simplify-reductions", text, SPECIAL, phrase, is_whole || read >> last & 1, 0);
}

#define ONE(type, op) "f {\n a = " type "[] parameter(0)\n b = " type "[] parameter(1)\n ROOT r = " type "[] " op "(a, b)\n}\n"
#define OF(type, dims, result) "ENTRY e {\n x = " type "[" dims "] parameter(0)\n i = " type "[] parameter(1)\n ROOT r = " type "[" result "] reduce(x, i), dimensions={0}, to_apply=f\n}\n"
#define CHOICE(less) "f {\n a = f32[] parameter(0)\n c = s32[] parameter(1)\n b = f32[] parameter(2)\n d = s32[] parameter(3)\n l = pred[] compare(a, b), direction=" less "\n" \
  " m = f32[] select(l, a, b)\n n = s32[] select(l, c, d)\n ROOT r = (f32[], s32[]) tuple(m, n)\n}\n"

/* What has a kernel, is summed otherwise by the reference, or has arrays of other types than its computation. */
static void check_what_stays(void) {
  static const struct {
    const char *text;
    bool is_loop;
  } rows[] = {
      {ONE("f32", "add") OF("f32", "40", ""), false},
      {ONE("f32", "atan2") OF("f32", "40", ""), true},
      {ONE("f64", "multiply") OF("f64", "40", ""), false},
      {ONE("bf16", "add") OF("bf16", "40", ""), false},
      {ONE("f8e5m2", "add") OF("f8e5m2", "40", ""), false},
      {ONE("s64", "shift-left") OF("s64", "511", ""), true},
      {ONE("s64", "xor") OF("s64", "40", ""), false},
      {ONE("c64", "add") OF("c64", "40", ""), false},
      {ONE("c128", "multiply") OF("c128", "40", ""), false},
      {"f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n l = pred[] compare(a, b), direction=LT\n ROOT r = f32[] select(l, a, b)\n}\n" OF("f32", "511", ""), true},
      {"f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n l = pred[] compare(a, b), direction=LT\n ROOT r = f32[] select(l, a, b)\n}\n" OF("f32", "512", ""), false},
      {CHOICE("LT") "ENTRY e {\n x = f32[40] parameter(0)\n y = s32[40] parameter(1)\n i = f32[] parameter(2)\n j = s32[] parameter(3)\n"
       " ROOT r = (f32[], s32[]) reduce(x, y, i, j), dimensions={0}, to_apply=f\n}\n", false},
      {"f {\n a = s64[] parameter(0)\n b = s64[] parameter(1)\n c = s64[] popcnt(b)\n ROOT r = s64[] subtract(a, c)\n}\n" OF("s64", "40", ""), false}, /* loops have these only step by step */
      {"f {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] popcnt(b)\n ROOT r = s32[] subtract(a, c)\n}\n" OF("s32", "40", ""), true},
      {"f {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] power(a, b)\n ROOT r = s32[] subtract(a, c)\n}\n" OF("s32", "40", ""), false},
      {"f {\n a = f8e8m0fnu[] parameter(0)\n b = f8e8m0fnu[] parameter(1)\n c = f8e8m0fnu[] maximum(a, b)\n ROOT r = f8e8m0fnu[] multiply(a, c)\n}\n" OF("f8e8m0fnu", "40", ""), false},
      {"f {\n a = s4[] parameter(0)\n b = s4[] parameter(1)\n c = s4[] maximum(a, b)\n ROOT r = s4[] subtract(a, c)\n}\n" OF("s4", "40", ""), false},
      {"f {\n a = f64[] parameter(0)\n b = f64[] parameter(1)\n s = f64[] add(a, b)\n ROOT r = f64[] sine(s)\n}\n"
       "ENTRY e {\n x = f32[40] parameter(0)\n i = f32[] parameter(1)\n ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=f\n}\n", false},
      {"g {\n a = f32[] parameter(0)\n ROOT r = f32[] sine(a)\n}\nf {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n s = f32[] add(a, b)\n ROOT r = f32[] call(s), to_apply=g\n}\n"
       OF("f32", "40", ""), false},
  };
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) check("loop-reductions", rows[n].text, WHOLE, " reduce(", !rows[n].is_loop, 0);
}

int main(int argc, char **argv) {
  for (int n = 0; n < (argc > 1 ? atoi(argv[1]) : 600); n++) check_reduction();
  for (int n = 0; n < 300; n++) check_unread();
  check_what_stays();
  return unit_report();
}
