/* Comparisons and extremes of integers that lie apart, whatever the inputs are. */
#include "pass_meaning.h"

static char text[TEXT_BYTES];

/* Writes a value NAME of the type that repeats a number. */
static void put_splat(const char *name, const char *type, int64_t value) {
  PUT(" %s.0 = %s[] constant(%lld)\n %s = %s[40] broadcast(%s.0), dimensions={}\n", name, type, (long long)value, name, type, name);
}

/* Rows: x of u8, s of s8, w of s32 and l of s64 are inputs, a is made of them, and at most `most` and at least `least`. */
static void check_ends(void) {
  static const struct {
    const char *type, *lines;
    int64_t least, most;
  } rows[] = {{"s32", "a = s32[40] convert(x)", 0, 255},
              {"s16", "a = s16[40] convert(s)", -128, 127},
              {"s8", "a = s8[40] convert(x)", -128, 127}, /* wraps */
              {"s32", "c = s32[40] convert(x)\n a = s32[40] multiply(c, c)", 0, 65025},
              {"s32", "c = s32[40] convert(s)\n a = s32[40] multiply(c, c)", -16256, 16384},
              {"s32", "c = s32[40] convert(x)\n a = s32[40] negate(c)", INT32_MIN, INT32_MAX},
              {"s32", "c = s32[40] convert(x)\n d = s32[40] convert(s)\n a = s32[40] subtract(c, d)", -127, 383},
              {"u8", "a = u8[40] add(x, x)", 0, 255},
              {"s32", "a = s32[40] iota(), iota_dimension=0", 0, 39},
              {"s32", "c = s32[40] iota(), iota_dimension=0\n a = s32[40] reverse(c), dimensions={0}", 0, 39},
              {"s32", "a = s32[40] popcnt(w)", 0, 32},
              {"s64", "a = s64[40] count-leading-zeros(l)", 0, 64},
              {"s32", "a = s32[40] sign(w)", -1, 1},
              {"s32", "a = s32[40] remainder(w, ten)", -9, 9},
              {"s32", "c = s32[40] convert(x)\n a = s32[40] remainder(c, ten)", 0, 9},
              {"s32", "c = s32[40] convert(x)\n a = s32[40] divide(c, ten)", 0, 25},
              {"s32", "c = s32[40] convert(s)\n a = s32[40] divide(c, ten)", -12, 12},
              {"s32", "c = s32[40] convert(s)\n a = s32[40] shift-right-arithmetic(c, three)", -16, 15},
              {"s32", "c = s32[40] convert(x)\n a = s32[40] shift-right-logical(c, three)", 0, 31},
              {"s32", "a = s32[40] shift-right-logical(w, three)", INT32_MIN, INT32_MAX},
              {"u8", "a = u8[40] and(x, seven)", 0, 7},
              {"s32", "a = s32[40] and(w, ten)", 0, 10},
              {"s32", "c = s32[40] convert(x)\n d = s32[40] convert(s)\n a = s32[40] maximum(c, d)", 0, 255},
              {"s32", "c = s32[40] convert(x)\n d = s32[40] convert(s)\n a = s32[40] minimum(c, d)", -128, 127},
              {"s32", "c = s32[40] convert(x)\n d = s32[40] convert(s)\n p = pred[40] compare(w, ten), direction=LT\n a = s32[40] select(p, c, d)", -128, 255}};
  static const char *const directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  for (size_t n = 0; n < 6 * 4 * sizeof rows / sizeof *rows; n++) {
    int row = (int)n / 24, direction = (int)n % 6, end = (int)n / 6 % 4; /* below the least, the least, the most, above the most */
    bool is_whole = end % 3 == 0 && (rows[row].most == INT32_MAX || (rows[row].type[1] == '8' && rows[row].most - rows[row].least == 255));
    int64_t number = end < 2 ? rows[row].least - !end : rows[row].most + end - 2;
    if (is_whole || (number < 0 && rows[row].type[0] == 'u')) continue; /* there is no such number */
    snprintf(text, sizeof text, "ENTRY e {\n x = u8[40] parameter(0)\n s = s8[40] parameter(1)\n w = s32[40] parameter(2)\n l = s64[40] parameter(3)\n");
    put_splat("ten", "s32", 10);
    put_splat("three", "s32", 3);
    put_splat("seven", "u8", 7);
    PUT(" %s\n", rows[row].lines);
    put_splat("n", rows[row].type, number);
    PUT(" ROOT r = pred[40] compare(%s), direction=%s\n}\n", n % 5 ? "a, n" : "n, a", directions[direction]);
    static const char decided[4][7] = {"111111", "100100", "011000", "111111"}; /* with the number on the right; of those on the left, LT is GT */
    static const int turned[] = {2, 3, 0, 1, 4, 5};
    bool is_decided = decided[end][n % 5 ? direction : turned[direction]] == '1';
    check("simplify-algebra", text, BITS, " compare(a, n)", !is_decided && n % 5, 0);
    check("simplify-algebra", text, BITS, " compare(n, a)", !is_decided && !(n % 5), 0);
  }
}

/* An integer that is made of an input by some operations, beside a number. */
static void check_drawn(void) {
  static const char *const types[] = {"s8", "u8", "s16", "s32", "u32", "s64", "u64", "s4"};
  static const char *const ops[] = {"add", "subtract", "multiply", "maximum", "minimum", "and", "or", "divide", "remainder", "shift-right-logical", "shift-right-arithmetic", "shift-left"};
  static const char *const directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  const char *type = types[random_below(8)];
  int count = 1 + random_below(5);
  snprintf(text, sizeof text, "ENTRY e {\n v0 = %s[40] parameter(0)\n", type);
#define NUMBER (*type == 'u' || random_below(3) ? random_below(8) : -random_below(9))
  for (int n = 1; n <= count; n++) {
    char name[8];
    snprintf(name, sizeof name, "c%d", n);
    if (random_below(3) == 0) {
      const char *to = types[random_below(8)];
      PUT(" v%d = %s[40] convert(v%d)\n", n, type = to, n - 1);
    } else if (random_below(6) == 0) {
      PUT(" v%d = %s[40] iota(), iota_dimension=0\n", n, type);
    } else {
      put_splat(name, type, NUMBER);
      const char *op = ops[random_below(12)];
      if (random_below(4)) PUT(" v%d = %s[40] %s(v%d, c%d)\n", n, type, op, n - 1, n);
      else PUT(" v%d = %s[40] %s(c%d, v%d)\n", n, type, op, n, n - 1);
    }
  }
  put_splat("n", type, NUMBER);
  put_splat("m", type, NUMBER);
  if (random_below(4) == 0) PUT(" ROOT r = %s[40] clamp(m, v%d, n)\n}\n", type, count);
  else if (random_below(3)) PUT(" ROOT r = pred[40] compare(v%d, n), direction=%s\n}\n", count, directions[random_below(6)]);
  else PUT(" ROOT r = %s[40] %s(v%d, n)\n}\n", type, random_below(2) ? "maximum" : "minimum", count);
  check("simplify-algebra", text, BITS, "parameter(0)", true, 0);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1000;
  check_ends();
  for (int n = 0; n < count; n++) check_drawn();
  return unit_report();
}
