/* Numbers of windows, padding and slices at the edges of 32, 53, 56, 62 and 63 bits: a program is refused with a message, or both
 * evaluators give the same. Sanitizers watch. */
#include <inttypes.h>

#include "program.h"

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n"
#define LESS "ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a, b), direction=GE }\n"

/* `%s` is the shape of the result, which inference tells; each `@` is a number that is replaced in turn. */
static const struct {
  const char *text;
  int64_t usual[8];
} templates[] = {
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) z = f32[] parameter(1) ROOT r = %s pad(x, z), padding=@_@_@ }", {1, 2, 1}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) ROOT r = %s slice(x), slice={[@:@:@]} }", {1, 5, 2}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5] parameter(0) z = f32[] constant(0) ROOT r = %s reduce-window(x, z), "
     "window={size=@ stride=@ pad=@_@ lhs_dilate=@ rhs_dilate=@}, to_apply=sum }", {2, 1, 1, 1, 2, 1}},
    {"HloModule m\nENTRY e { x = f32[1,5,2] parameter(0) w = f32[3,2,2] parameter(1) ROOT r = %s convolution(x, w), "
     "window={size=3 stride=@ pad=@_@ lhs_dilate=@ rhs_dilate=@}, dim_labels=b0f_0io->b0f }", {1, 1, 1, 2, 1}},
    {"HloModule m\n" SUM LESS "ENTRY e { x = f32[6] parameter(0) y = f32[3] parameter(1) z = f32[] constant(0) ROOT r = %s "
     "select-and-scatter(x, y, z), window={size=@ stride=@ pad=@_@}, select=ge, scatter=sum }", {2, 2, 0, 0}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) z = f32[] parameter(1) p = f32[4] slice(x), slice={[1:5]} "
     "ROOT r = %s pad(p, z), padding=@_@ }", {-1, 2}},
};

static const int64_t edges[] = {
    INT32_MAX, (int64_t)INT32_MAX + 1, INT64_C(1) << 53, INT64_C(1) << 56, (INT64_C(1) << 56) + 1, INT64_C(1) << 62, INT64_MAX - 4, INT64_MAX,
};
enum { EDGES = sizeof edges / sizeof *edges, MOST_ELEMENTS = 1 << 20 };

static void fill(const char *template, const int64_t *numbers, char *out, size_t size) {
  size_t used = 0;
  for (; *template && used + 24 < size; template++) {
    if (*template == '@') used += (size_t)snprintf(out + used, size - used, "%" PRId64, *numbers++);
    else out[used++] = *template;
  }
  out[used] = 0;
}

/* The shape of the result, as inference tells it for a declared one that is wrong. False where the program is refused for itself. */
static bool infer_result(const char *text, char *shape, size_t size) {
  char declared[1024];
  snprintf(declared, sizeof declared, text, "pred[7,7,7,7]");
  program p;
  bool opened = program_open(&p, declared, 0, NULL);
  const char *given = strstr(p.status.message, "the result is ");
  CHECK(!opened, "%s", declared);
  CHECK(p.status.message[0], "%s: refused without a message", declared);
  bool inferred = given && strstr(given, ", but");
  if (inferred) {
    given += strlen("the result is ");
    snprintf(shape, size, "%.*s", (int)(strstr(given, ", but") - given), given);
  }
  program_close(&p);
  return inferred;
}

static int64_t elements_of(const char *shape) {
  int64_t count = 1;
  for (const char *at = strchr(shape, '['); at && *at != ']'; at = strpbrk(at + 1, ",]")) {
    char *end;
    int64_t size = strtoll(at + 1, &end, 10);
    if (end != at + 1 && __builtin_mul_overflow(count, size, &count)) return INT64_MAX;
  }
  return count;
}

static int ran, refused;

static void check_program(const char *template, const int64_t *numbers) {
  char text[1024], shape[128], whole[1200];
  fill(template, numbers, text, sizeof text);
  if (!infer_result(text, shape, sizeof shape)) {
    refused++;
    return;
  }
  if (elements_of(shape) > MOST_ELEMENTS) return;
  snprintf(whole, sizeof whole, text, shape);
  program p;
  bool opened = program_open(&p, whole, 0, NULL);
  CHECK(opened || p.status.message[0], "%s: refused without a message", whole);
  if (opened) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    bool done = program_run_planned(&p) && program_run_reference(&p);
    CHECK(done, "%s: %s", whole, p.status.message);
    if (done) CHECK(program_outputs_distance(&p) == 0, "%s: the evaluators differ", whole);
    ran++;
  }
  program_close(&p);
}

/* One number at an edge; and two, of opposite signs, which may leave a small result. */
static void check_template(const char *template, const int64_t *usual) {
  int count = 0;
  for (const char *at = template; *at; at++) count += *at == '@';
  check_program(template, usual);
  for (int i = 0; i < count; i++)
    for (int e = 0; e < 2 * EDGES; e++) {
      int64_t numbers[8], edge = e % 2 ? -edges[e / 2] : edges[e / 2];
      memcpy(numbers, usual, sizeof numbers);
      numbers[i] = edge;
      check_program(template, numbers);
      for (int j = 0; j < count; j++)
        for (int slack = -6; slack <= 6; slack += 3) {
          if (j == i) continue;
          memcpy(numbers, usual, sizeof numbers);
          numbers[i] = edge;
          if (!__builtin_sub_overflow(slack, edge, &numbers[j])) check_program(template, numbers);
        }
    }
}

int main(void) {
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) check_template(templates[i].text, templates[i].usual);
  CHECK(ran > 50, "only %d programs ran", ran);
  CHECK(refused > 500, "only %d programs were refused", refused);
  return unit_report();
}
