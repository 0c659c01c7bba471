/* Numbers of attributes at the edges of 32, 53, 56, 62 and 63 bits: a program is refused with a message, or both evaluators give the
 * same. Sanitizers watch. */
#include <inttypes.h>

#include "program.h"

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n"
#define LESS "ge { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a, b), direction=GE }\n"

#define MIN "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = pred[] compare(a, b), direction=LT }\n"
#define GATHER "HloModule m\nENTRY e { x = f32[5,4] parameter(0) i = s32[3,1] parameter(1) ROOT r = %s gather(x, i), "
#define SCATTER "HloModule m\n" SUM "ENTRY e { x = f32[5,4] parameter(0) i = s32[3,1] parameter(1) u = f32[3,4] parameter(2) ROOT r = f32[5,4] scatter(x, i, u), to_apply=sum, "
#define DOT "HloModule m\nENTRY e { x = f32[2,3,4] parameter(0) y = f32[2,3,5] parameter(1) ROOT r = %s dot(x, y), "
#define CONVOLVE "HloModule m\nENTRY e { x = f32[2,5,4] parameter(0) w = f32[3,4,4] parameter(1) ROOT r = %s convolution(x, w), window={size=3}, dim_labels=b0f_0io->b0f, "

/* `%s` is the shape of the result, which inference tells; each `@` is a number that is replaced in turn. */
static const struct {
  const char *text;
  int64_t usual[8];
} templates[] = {
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) z = f32[] parameter(1) ROOT r = %s pad(x, z), padding=@_@_@ }", {1, 2, 1}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) ROOT r = %s slice(x), slice={[@:@:@]} }", {1, 5, 2}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5] parameter(0) z = f32[] constant(0) ROOT r = %s reduce-window(x, z), "
     "window={size=@ stride=@ pad=@_@ lhs_dilate=@ rhs_dilate=@}, to_apply=sum }", {2, 1, 1, 1, 2, 1}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5,2] parameter(0) z = f32[] constant(0) ROOT r = %s reduce-window(x, z), "
     "window={size=@x@ stride=1x@ pad=@_@x@_@}, to_apply=sum }", {2, 1, 1, 1, 1, 0, 0}},
    {"HloModule m\nENTRY e { x = f32[1,5,2] parameter(0) w = f32[3,2,2] parameter(1) ROOT r = %s convolution(x, w), "
     "window={size=3 stride=@ pad=@_@ lhs_dilate=@ rhs_dilate=@}, dim_labels=b0f_0io->b0f }", {1, 1, 1, 2, 1}},
    {"HloModule m\n" SUM LESS "ENTRY e { x = f32[6] parameter(0) y = f32[3] parameter(1) z = f32[] constant(0) ROOT r = %s "
     "select-and-scatter(x, y, z), window={size=@ stride=@ pad=@_@}, select=ge, scatter=sum }", {2, 2, 0, 0}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) z = f32[] parameter(1) p = f32[4] slice(x), slice={[1:5]} "
     "ROOT r = %s pad(p, z), padding=@_@ }", {-1, 2}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) i = s32[] parameter(1) ROOT r = %s dynamic-slice(x, i), dynamic_slice_sizes={@} }", {2}},
    {"HloModule m\nENTRY e { ROOT r = f32[5,2] iota(), iota_dimension=@ }", {1}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) ROOT r = %s transpose(x), dimensions={@,@} }", {1, 0}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) ROOT r = f32[5,2] reverse(x), dimensions={@,@} }", {1, 0}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) ROOT r = f32[3,5,2] broadcast(x), dimensions={@,@} }", {1, 2}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) ROOT r = %s concatenate(x, x), dimensions={@} }", {1}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5,2] parameter(0) z = f32[] constant(0) ROOT r = %s reduce(x, z), dimensions={@}, to_apply=sum }", {1}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5,2] parameter(0) ROOT r = f32[5,2] map(x, x), dimensions={@,@}, to_apply=sum }", {0, 1}},
    {"HloModule m\n" MIN "ENTRY e { x = f32[5,2] parameter(0) ROOT r = f32[5,2] sort(x), dimensions={@}, to_apply=less }", {1}},
    {"HloModule m\nENTRY e { x = f32[5,7] parameter(0) ROOT r = %s topk(x), k=@ }", {3}},
    {GATHER "offset_dims={@}, collapsed_slice_dims={@}, start_index_map={@}, index_vector_dim=@, slice_sizes={@,@} }", {1, 0, 0, 1, 1, 4}},
    {SCATTER "update_window_dims={@}, inserted_window_dims={@}, scatter_dims_to_operand_dims={@}, index_vector_dim=@ }", {1, 0, 0, 1}},
    {DOT "lhs_batch_dims={@}, rhs_batch_dims={@}, lhs_contracting_dims={@}, rhs_contracting_dims={@} }", {0, 0, 1, 1}},
    {CONVOLVE "feature_group_count=@ }", {1}},
    {CONVOLVE "batch_group_count=@ }", {2}},
    {"HloModule m\nENTRY e { x = c64[3,4] parameter(0) ROOT r = c64[3,4] fft(x), fft_type=FFT, fft_length={@} }", {4}},
    {"HloModule m\nENTRY e { x = f32[3,4] parameter(0) ROOT r = %s fft(x), fft_type=RFFT, fft_length={@} }", {4}},
    {"HloModule m\nENTRY e { x = c64[3,3] parameter(0) ROOT r = %s fft(x), fft_type=IRFFT, fft_length={@} }", {4}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) y = s32[] parameter(1) t = (f32[5], s32[]) tuple(x, y) ROOT r = %s get-tuple-element(t), index=@ }", {1}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(@) ROOT r = f32[5] negate(x) }", {0}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] reduce-precision(x), exponent_bits=@, mantissa_bits=@ }", {5, 2}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) ROOT r = s32[] get-dimension-size(x), dimensions={@} }", {1}},
    {"HloModule m\nENTRY e { x = f32[5,2] parameter(0) n = s32[] constant(2) d = f32[<=5,2] set-dimension-size(x, n), dimensions={@} "
     "ROOT r = s32[] get-dimension-size(d), dimensions={0} }", {0}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] all-reduce(x), channel_id=@, replica_groups={{@}}, to_apply=sum }", {1, 0}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] all-reduce(x), replica_groups=[@,@]<=[@], to_apply=sum }", {1, 1, 1}},
    {"HloModule m\n" SUM "ENTRY e { x = f32[4,2] parameter(0) ROOT r = f32[4,2] reduce-scatter(x), replica_groups={}, dimensions={@}, to_apply=sum }", {0}},
    {"HloModule m\nENTRY e { x = f32[4,2] parameter(0) ROOT r = f32[4,2] all-gather(x), replica_groups={}, dimensions={@} }", {0}},
    {"HloModule m\nENTRY e { x = f32[4,2] parameter(0) ROOT r = f32[4,2] all-to-all(x), replica_groups={{@}}, dimensions={@} }", {0, 1}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] collective-permute(x), channel_id=@, source_target_pairs={{@,@}} }", {1, 0, 0}},
    {"HloModule m\nENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] collective-broadcast(x), replica_groups={{@}} }", {0}},
    {"HloModule m\nENTRY e { ROOT r = u64[2] rng-get-and-update-state(), delta=@ }", {3}},
    {"HloModule m\nENTRY e { x = f32[2,5,3] parameter(0) s = f32[3] parameter(1) ROOT r = (f32[2,5,3], f32[3], f32[3]) batch-norm-training(x, s, s), epsilon=0.5, feature_index=@ }", {2}},
    {"HloModule m\nbody { a = f32[2] parameter(0) c = f32[2] parameter(1) s = f32[2] add(a, c) ROOT t = (f32[2], f32[2]) tuple(s, s) }\n"
     "ENTRY e { x = f32[5,2] parameter(0) c = f32[2] parameter(1) ROOT r = (f32[5,2], f32[2]) scan(x, c), dimensions={@}, num_carries=@, to_apply=body }", {0, 1}},
    {"HloModule m, replica_count=@, num_partitions=@\nENTRY e { x = f32[5] parameter(0) ROOT r = f32[5] negate(x) }", {1, 1}},
    {"HloModule m\nENTRY e { x = f32[5,2]{@,@} parameter(0) ROOT r = f32[5,2] negate(x) }", {0, 1}},
    {"HloModule m\nENTRY e { x = f32[5,2]{1,0:T(@,@)} parameter(0) ROOT r = f32[5,2] copy(x) }", {2, 2}},
    {"HloModule m\nENTRY e { x = f32[@,@] parameter(0) ROOT r = f32[] constant(1) }", {5, 2}},
    {"HloModule m\nENTRY e { x = f32[<=@] parameter(0) ROOT r = s32[] get-dimension-size(x), dimensions={0} }", {5}},
};

/* The programs that were once wrong, as they were found. */
static const char *const once_wrong[] = {
    "HloModule m\nENTRY e { x = f32[5] parameter(0) z = f32[] parameter(1) ROOT r = f32[3] pad(x, z), padding=-9223372036854775807_9223372036854775805 }",
    "HloModule m\n" SUM "ENTRY e { x = f32[5] parameter(0) z = f32[] constant(0) ROOT r = f32[1] reduce-window(x, z), window={size=2 stride=9223372036854775807}, to_apply=sum }",
};

static const int64_t edges[] = {
    INT32_MAX, (int64_t)INT32_MAX + 1, (INT64_C(1) << 32) - 1, INT64_C(1) << 32, (INT64_C(1) << 32) + 1, INT64_C(1) << 53, INT64_C(1) << 56, (INT64_C(1) << 56) + 1, INT64_C(1) << 62, INT64_MAX - 4, INT64_MAX,
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
  snprintf(declared, sizeof declared, text, "f32[7,7,7,7]"); /* f32, since sums of products have the type that is declared */
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

/* Compiles a program, as it must or with a message, and tells whether its inputs are small enough for it to be run. */
static bool may_run(const char *text) {
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  hlo_executable *executable = module ? hlo_executable_compile(module, &(hlo_compile_options){0}, &status) : NULL;
  CHECK(executable || status.message[0], "%s: refused without a message", text);
  if (!executable) refused++;
  bool small = executable && hlo_executable_device_count(executable) <= 16;
  for (int i = 0; small && i < hlo_executable_parameter_count(executable); i++) {
    int64_t bytes = 0;
    small = hlo_shape_array_size(hlo_executable_parameter_shape(executable, i), &bytes, &status) && bytes <= 4 * MOST_ELEMENTS;
  }
  hlo_executable_free(executable);
  hlo_module_free(module);
  return small;
}

static void run(const char *text) {
  program p;
  bool opened = program_open(&p, text, 0, NULL);
  CHECK(opened, "%s: %s", text, p.status.message);
  if (opened) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    bool done = program_run_planned(&p) && program_run_reference(&p);
    CHECK(done, "%s: %s", text, p.status.message);
    if (done) CHECK(program_outputs_distance(&p) == 0, "%s: the evaluators differ", text);
    ran++;
  }
  program_close(&p);
}

static void check_program(const char *template, const int64_t *numbers) {
  char text[1024], shape[128], whole[1200];
  fill(template, numbers, text, sizeof text);
  if (strstr(text, "%s")) {
    if (!infer_result(text, shape, sizeof shape)) {
      refused++;
      return;
    }
    if (elements_of(shape) > MOST_ELEMENTS) return;
    snprintf(whole, sizeof whole, text, shape);
  } else {
    snprintf(whole, sizeof whole, "%s", text);
  }
  if (may_run(whole)) run(whole);
}

/* One number at an edge; and two, of opposite signs, which may leave a small result. */
static void check_template(const char *template, const int64_t *usual) {
  int count = 0;
  for (const char *at = template; *at; at++) count += *at == '@';
  int before = ran;
  check_program(template, usual);
  CHECK(ran > before, "%s does not run with its usual numbers", template);
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
  for (size_t i = 0; i < sizeof once_wrong / sizeof *once_wrong; i++) CHECK(!may_run(once_wrong[i]), "%s", once_wrong[i]);
  for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) check_template(templates[i].text, templates[i].usual);
  CHECK(ran > 50, "only %d programs ran", ran);
  CHECK(refused > 500, "only %d programs were refused", refused);
  return unit_report();
}
