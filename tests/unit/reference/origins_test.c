/* Origins of elements: answers derived by hand, and a search for elements that change a result without being named. */
#include "random_program.h"
#include "reference/origins.h"
#include "reference_case.h"
#include "verify/verify.h"

/* Parameters are a, b, c, ...: "a0 b1|c0" is made of element 0 of a and 1 of b, directed by element 0 of c. */
typedef struct origins_case {
  const char *name, *module;
  const char *inputs[4];
  const char *expected; /* elements are separated by "; ", arrays of a tuple by " / " */
} origins_case;

#define A(shape) "a = " shape " parameter(0) "
#define B(shape) "b = " shape " parameter(1) "
#define C(shape) "c = " shape " parameter(2) "
#define ADD SCALAR_OP("add", "f32", "add")
#define GE SCALAR_COMPARE("ge", "f32", "GE")

static const origins_case cases[] = {
    {"maximum_names_the_loser", ENTRY(A("f32[2]") B("f32[2]") "ROOT r = f32[2] maximum(a, b)"), {"f32[2] {1, 5}", "f32[2] {2, 4}"}, "a0 b0; a1 b1"},
    {"times_zero", ENTRY(A("f32[2]") "z = f32[] constant(0) y = f32[2] broadcast(z), dimensions={} ROOT r = f32[2] multiply(a, y)"), {"f32[2] {1, 2}"}, "a0; a1"},
    {"and_with_false", ENTRY(A("pred[1]") B("pred[1]") "ROOT r = pred[1] and(a, b)"), {"pred[1] {0}", "pred[1] {1}"}, "a0 b0"},
    {"compare", ENTRY(A("f32[1]") B("f32[1]") "ROOT r = pred[1] compare(a, b), direction=LT"), {"f32[1] {1}", "f32[1] {2}"}, "a0 b0"},
    {"complex", ENTRY(A("f32[1]") B("f32[1]") "ROOT r = c64[1] complex(a, b)"), {"f32[1] {1}", "f32[1] {2}"}, "a0 b0"},
    {"clamp", ENTRY(A("f32[]") B("f32[2]") C("f32[]") "ROOT r = f32[2] clamp(a, b, c)"), {"f32[] 0", "f32[2] {-1, 1}", "f32[] 2"}, "a0 b0 c0; a0 b1 c0"},
    {"select", ENTRY(A("pred[2]") B("f32[2]") C("f32[2]") "ROOT r = f32[2] select(a, b, c)"), {"pred[2] {1, 0}", "f32[2] {1, 2}", "f32[2] {3, 4}"}, "b0|a0; c1|a1"},
    {"select_by_a_comparison", ENTRY(A("f32[]") B("f32[]") "p = pred[] compare(a, b), direction=GT ROOT r = f32[] select(p, a, b)"), {"f32[] 1", "f32[] 2"}, "b0|a0 b0"},
    {"convert", ENTRY(A("f32[2]") "ROOT r = s32[2] convert(a)"), {"f32[2] {1.5, 2}"}, "a0; a1"},
    {"reduce_precision", ENTRY(A("f32[1]") "ROOT r = f32[1] reduce-precision(a), exponent_bits=5, mantissa_bits=2"), {"f32[1] {1.3}"}, "a0"},
    {"bitcast_convert_to_narrow", ENTRY(A("f32[2]") "ROOT r = u16[2,2] bitcast-convert(a)"), {"f32[2] {1.1, 2.3}"}, "a0; a0; a1; a1"},
    {"bitcast_convert_to_wide", ENTRY(A("u16[2,2]") "ROOT r = f32[2] bitcast-convert(a)"), {"u16[2,2] {{1, 16000}, {3, 16500}}"}, "a0 a1; a2 a3"},
    {"broadcast", ENTRY(A("f32[2]") "ROOT r = f32[2,2] broadcast(a), dimensions={1}"), {"f32[2] {1, 2}"}, "a0; a1; a0; a1"},
    {"concatenate", ENTRY(A("f32[2]") B("f32[1]") "ROOT r = f32[3] concatenate(a, b), dimensions={0}"), {"f32[2] {1, 2}", "f32[1] {3}"}, "a0; a1; b0"},
    {"pad_negative_and_interior", ENTRY(A("f32[3]") B("f32[]") "ROOT r = f32[5] pad(a, b), padding=-1_1_1"), {"f32[3] {1, 2, 3}", "f32[] 9"}, "b0; a1; b0; a2; b0"},
    {"slice_strided", ENTRY(A("f32[6]") "ROOT r = f32[3] slice(a), slice={[1:6:2]}"), {"f32[6] {0, 1, 2, 3, 4, 5}"}, "a1; a3; a5"},
    {"transpose", ENTRY(A("f32[2,3]") "ROOT r = f32[3,2] transpose(a), dimensions={1,0}"), {"f32[2,3] {{0, 1, 2}, {3, 4, 5}}"}, "a0; a3; a1; a4; a2; a5"},
    {"reshape", ENTRY(A("f32[2,2]") "ROOT r = f32[4] reshape(a)"), {"f32[2,2] {{0, 1}, {2, 3}}"}, "a0; a1; a2; a3"},
    {"reverse", ENTRY(A("f32[2,2]") "ROOT r = f32[2,2] reverse(a), dimensions={1}"), {"f32[2,2] {{0, 1}, {2, 3}}"}, "a1; a0; a3; a2"},
    {"dynamic_slice_clamped", ENTRY(A("f32[4]") B("s32[]") "ROOT r = f32[2] dynamic-slice(a, b), dynamic_slice_sizes={2}"), {"f32[4] {0, 1, 2, 3}", "s32[] 7"}, "a2|b0; a3|b0"},
    {"dynamic_slice_start_without_a_choice", ENTRY(A("f32[2,3]") B("s32[]") C("s32[]") "ROOT r = f32[2,2] dynamic-slice(a, b, c), dynamic_slice_sizes={2,2}"),
     {"f32[2,3] {{0, 1, 2}, {3, 4, 5}}", "s32[] 1", "s32[] 1"}, "a1|c0; a2|c0; a4|c0; a5|c0"},
    {"dynamic_update_slice", ENTRY(A("f32[3]") B("f32[1]") C("s32[]") "ROOT r = f32[3] dynamic-update-slice(a, b, c)"), {"f32[3] {0, 1, 2}", "f32[1] {9}", "s32[] 1"}, "a0|c0; b0|c0; a2|c0"},
    {"gather", ENTRY(A("f32[3,2]") B("s32[2]") "ROOT r = f32[2,2] gather(a, b), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"),
     {"f32[3,2] {{0, 1}, {2, 3}, {4, 5}}", "s32[2] {2, 0}"}, "a4|b0; a5|b0; a0|b1; a1|b1"},
    {"scatter", ADD ENTRY(A("f32[3]") B("s32[2]") C("f32[2]") "ROOT r = f32[3] scatter(a, b, c), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
     {"f32[3] {0, 1, 2}", "s32[2] {2, 2}", "f32[2] {8, 9}"}, "a0|b0 b1; a1|b0 b1; a2 c0 c1|b0 b1"},
    {"reduce", ADD ENTRY(A("f32[2,3]") B("f32[]") "ROOT r = f32[2] reduce(a, b), dimensions={1}, to_apply=add"), {"f32[2,3] {{0, 1, 2}, {3, 4, 5}}", "f32[] 1"}, "a0 a1 a2 b0; a3 a4 a5 b0"},
    {"reduce_in_wide_numbers", ADD ENTRY(A("f32[18]") B("f32[]") "ROOT r = f32[] reduce(a, b), dimensions={0}, to_apply=add"),
     {"f32[18] {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8}", "f32[] 1"}, "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13 a14 a15 a16 a17 b0"},
    {"reduce_of_several",
     "best { x = f32[] parameter(0) i = s32[] parameter(1) y = f32[] parameter(2) j = s32[] parameter(3) p = pred[] compare(x, y), direction=GE\n"
     "v = f32[] select(p, x, y) k = s32[] select(p, i, j) ROOT t = (f32[], s32[]) tuple(v, k) }\n"
     ENTRY(A("f32[3]") B("s32[3]") C("f32[]") "d = s32[] constant(-1) ROOT r = (f32[], s32[]) reduce(a, b, c, d), dimensions={0}, to_apply=best"),
     {"f32[3] {1, 3, 2}", "s32[3] {5, 6, 7}", "f32[] -9"}, "a1|a0 a1 a2 c0 / b1|a0 a1 a2 c0"},
    {"reduce_window_padding", ADD ENTRY(A("f32[3]") B("f32[]") "ROOT r = f32[3] reduce-window(a, b), window={size=2 pad=1_0}, to_apply=add"), {"f32[3] {1, 2, 3}", "f32[] 0"}, "a0 b0; a0 a1 b0; a1 a2 b0"},
    {"reduce_window_dilations", ADD ENTRY(A("f32[3]") B("f32[]") "ROOT r = f32[3] reduce-window(a, b), window={size=2 lhs_dilate=2 rhs_dilate=2}, to_apply=add"), {"f32[3] {1, 2, 3}", "f32[] 0"},
     "a0 a1 b0; b0; a1 a2 b0"},
    {"select_and_scatter_chosen_twice", GE ADD ENTRY(A("f32[5]") B("f32[2]") C("f32[]") "ROOT r = f32[5] select-and-scatter(a, b, c), window={size=3 stride=2}, select=ge, scatter=add"),
     {"f32[5] {1, 2, 9, 3, 4}", "f32[2] {2, 6}", "f32[] 0"},
     "c0|a0 a1 a2; c0|a0 a1 a2; b0 b1 c0|a0 a1 a2 a3 a4; c0|a2 a3 a4; c0|a2 a3 a4"},
    {"convolution_padding", ENTRY(A("f32[1,3,1]") B("f32[2,1,1]") "ROOT r = f32[1,3,1] convolution(a, b), window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f"),
     {"f32[1,3,1] {{{1}, {2}, {3}}}", "f32[2,1,1] {{{4}}, {{5}}}"}, "a0 b1; a0 a1 b0 b1; a1 a2 b0 b1"},
    {"convolution_window_dilation", ENTRY(A("f32[1,3,1]") B("f32[2,1,1]") "ROOT r = f32[1,1,1] convolution(a, b), window={size=2 rhs_dilate=2}, dim_labels=b0f_0io->b0f"),
     {"f32[1,3,1] {{{1}, {2}, {3}}}", "f32[2,1,1] {{{4}}, {{0}}}"}, "a0 a2 b0 b1"},
    {"convolution_base_dilation", ENTRY(A("f32[1,2,1]") B("f32[1,1,1]") "ROOT r = f32[1,3,1] convolution(a, b), window={size=1 lhs_dilate=2}, dim_labels=b0f_0io->b0f"),
     {"f32[1,2,1] {{{1}, {2}}}", "f32[1,1,1] {{{4}}}"}, "a0 b0; ; a1 b0"},
    {"convolution_feature_groups", ENTRY(A("f32[1,1,2]") B("f32[1,1,2]") "ROOT r = f32[1,1,2] convolution(a, b), window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2"),
     {"f32[1,1,2] {{{1, 2}}}", "f32[1,1,2] {{{4, 5}}}"}, "a0 b0; a1 b1"},
    {"convolution_batch_groups", ENTRY(A("f32[2,1,1]") B("f32[1,1,2]") "ROOT r = f32[1,1,2] convolution(a, b), window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2"),
     {"f32[2,1,1] {{{1}}, {{2}}}", "f32[1,1,2] {{{4, 5}}}"}, "a0 b0; a1 b1"},
    {"dot", ENTRY(A("f32[2,2]") B("f32[2,1]") "ROOT r = f32[2,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}"), {"f32[2,2] {{0, 1}, {2, 3}}", "f32[2,1] {{0}, {5}}"},
     "a0 a1 b0 b1; a2 a3 b0 b1"},
    {"dot_of_integers", ENTRY(A("s32[2]") B("s32[2]") "ROOT r = s32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"s32[2] {0, 1}", "s32[2] {2, 3}"}, "a0 a1 b0 b1"},
    {"map", ADD ENTRY(A("f32[2]") B("f32[2]") "ROOT r = f32[2] map(a, b), dimensions={0}, to_apply=add"), {"f32[2] {0, 1}", "f32[2] {2, 3}"}, "a0 b0; a1 b1"},
    {"sort_directly", SCALAR_COMPARE("lt", "f32", "LT") ENTRY(A("f32[3]") "ROOT r = f32[3] sort(a), dimensions={0}, to_apply=lt"), {"f32[3] {3, 1, 2}"}, "a1|a0 a1 a2; a2|a0 a1 a2; a0|a0 a1 a2"},
    {"sort_of_lines", SCALAR_COMPARE("lt", "f32", "LT") ENTRY(A("f32[2,2]") "ROOT r = f32[2,2] sort(a), dimensions={1}, to_apply=lt"), {"f32[2,2] {{3, 1}, {2, 7}}"}, "a1|a0 a1; a0|a0 a1; a2|a2 a3; a3|a2 a3"},
    {"sort_by_a_computation",
     "by { x = f32[] parameter(0) y = f32[] parameter(1) i = s32[] parameter(2) j = s32[] parameter(3) n = f32[] negate(x) m = f32[] negate(y) ROOT p = pred[] compare(n, m), direction=LT }\n"
     ENTRY(A("f32[2]") B("s32[2]") "ROOT r = (f32[2], s32[2]) sort(a, b), dimensions={0}, to_apply=by"), {"f32[2] {1, 2}", "s32[2] {7, 8}"}, "a1|a0 a1; a0|a0 a1 / b1|a0 a1; b0|a0 a1"},
    {"topk", ENTRY(A("f32[3]") "ROOT r = (f32[1], s32[1]) topk(a), k=1, largest=true"), {"f32[3] {1, 3, 2}"}, "a1|a0 a1 a2 / |a0 a1 a2"},
    {"while_counted", "more { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(2) ROOT p = pred[] compare(i, n), direction=LT }\n"
                      "next { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[] get-tuple-element(s), index=1 n = s32[] constant(1) j = s32[] add(i, n)\n"
                      "y = f32[] add(x, x) ROOT t = (s32[], f32[]) tuple(j, y) }\n"
     ENTRY(A("f32[]") "z = s32[] constant(0) s = (s32[], f32[]) tuple(z, a) ROOT w = (s32[], f32[]) while(s), condition=more, body=next"), {"f32[] 3"}, " / a0"},
    {"while_directed", "more { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(2) ROOT p = pred[] compare(i, n), direction=LT }\n"
                       "next { s = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[] get-tuple-element(s), index=1 n = s32[] constant(1) j = s32[] add(i, n)\n"
                       "y = f32[] add(x, x) ROOT t = (s32[], f32[]) tuple(j, y) }\n"
     ENTRY(A("f32[]") B("s32[]") "s = (s32[], f32[]) tuple(b, a) ROOT w = (s32[], f32[]) while(s), condition=more, body=next"), {"f32[] 3", "s32[] 5"}, "b0|b0 / a0|b0"},
    {"conditional", "yes { x = f32[] parameter(0) ROOT y = f32[] negate(x) }\nno { x = f32[] parameter(0) ROOT y = f32[] abs(x) }\n"
     ENTRY(A("pred[]") B("f32[]") C("f32[]") "ROOT r = f32[] conditional(a, b, c), true_computation=yes, false_computation=no"), {"pred[] false", "f32[] 1", "f32[] 2"}, "c0|a0"},
    {"index_computed", ENTRY(A("f32[3]") B("s32[]") "o = s32[] constant(1) i = s32[] add(b, o) ROOT r = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}"), {"f32[3] {1, 2, 3}", "s32[] 0"}, "a1|b0"},
    {"fft_as_a_whole", ENTRY(A("c64[2]") "ROOT r = c64[2] fft(a), fft_type=FFT, fft_length={2}"), {"c64[2] {(1, 0), (2, 0)}"}, "a0 a1; a0 a1"},
};

/* ---- Running and writing down ---- */

typedef struct followed {
  hlo_arena arena;
  hlo_status status;
  hlo_module *module;
  hlo_literal *arguments[4];
  int count;
  hlo_origins origins;
  hlo_literal *result;
} followed;

static bool run_reference(followed *f, hlo_literal **result) {
  hlo_host host = {0};
  hlo_run_options options = {.replicas = 1, .partitions = 1, .host = &host};
  return hlo_reference_run(f->module, &options, (const hlo_literal *const *)f->arguments, &f->arena, result, &f->status);
}

static bool follow(followed *f, const char *text, const char *const *inputs) {
  char *whole = malloc(strlen(text) + 32);
  *f = (followed){.count = 0};
  hlo_arena_init(&f->arena);
  sprintf(whole, "HloModule case\n\n%s", text);
  f->module = hlo_text_parse(whole, strlen(whole), &f->status);
  free(whole);
  for (; f->count < 4 && inputs[f->count]; f->count++) f->arguments[f->count] = case_literal(&f->arena, inputs[f->count], &f->status);
  return hlo_ok(&f->status) && hlo_verify_module(f->module, &f->status) && hlo_origins_check(f->module, &f->status) &&
         hlo_origins_begin(&f->origins, f->arguments, f->count, &f->status) && run_reference(f, &f->result) && hlo_ok(&f->origins.status);
}

static void close_followed(followed *f) {
  hlo_origins_free(&f->origins);
  if (f->module) hlo_module_free(f->module);
  hlo_arena_free(&f->arena);
}

static void write_set(hlo_writer *writer, followed *f, hlo_origin_set *set) {
  const char *space = "";
  int64_t number = 0;
  hlo_origins_find(&f->origins, set);
  for (int p = 0; p < f->count; p++)
    for (int64_t i = 0; i < hlo_shape_element_count(f->arguments[p]->shape); i++) {
      if (!hlo_origins_found(&f->origins, number++)) continue;
      hlo_write_format(writer, "%s%c%lld", space, 'a' + p, (long long)i);
      space = " ";
    }
}

static void write_origins(hlo_writer *writer, followed *f) {
  hlo_origin origin;
  hlo_write(writer, "");
  for (int64_t n = 0; n == 0 || hlo_origins_of(f->result, n, 0, &origin); n++) {
    if (n) hlo_write(writer, " / ");
    for (int64_t i = 0; hlo_origins_of(f->result, n, i, &origin); i++) {
      if (i) hlo_write(writer, "; ");
      write_set(writer, f, origin.data);
      if (!origin.control) continue;
      hlo_write_char(writer, '|');
      write_set(writer, f, origin.control);
    }
  }
}

/* ---- Every element that is not named may be anything ---- */

static bool names(hlo_origins *origins, hlo_origin origin, int64_t number) {
  hlo_origins_find(origins, origin.data);
  if (hlo_origins_found(origins, number)) return true;
  hlo_origins_find(origins, origin.control);
  return hlo_origins_found(origins, number);
}

static const hlo_literal *leaf_of(const hlo_literal *value, int number) {
  return hlo_shape_is_tuple(value->shape) ? value->elements[number] : value;
}

static bool same_element(const hlo_literal *a, const hlo_literal *b, int64_t i) {
  size_t bytes = (size_t)hlo_type_bytes(a->shape->type);
  return memcmp((char *)a->data + (size_t)i * bytes, (char *)b->data + (size_t)i * bytes, bytes) == 0;
}

static hlo_scalar changed(hlo_type type, hlo_scalar value, int way) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_PRED: return (hlo_scalar){.u = !value.u};
  case HLO_CLASS_SIGNED:
  case HLO_CLASS_UNSIGNED: return (hlo_scalar){.s = way == 0 ? value.s + 1 : way == 1 ? value.s - 1 : way == 2 ? 100 : value.s - 3};
  default: return (hlo_scalar){.f = way == 0 ? value.f + 1 : way == 1 ? -value.f - 1 : way == 2 ? 100 : -100, .im = value.im};
  }
}

static void check_unnamed(const char *name, followed *f) {
  int64_t number = 0;
  int leaves = hlo_shape_is_tuple(f->result->shape) ? f->result->shape->element_count : 1;
  for (int p = 0; p < f->count; p++)
    for (int64_t e = 0; e < hlo_shape_element_count(f->arguments[p]->shape); e++, number++)
      for (int way = 0; way < 4; way++) {
        hlo_literal *argument = f->arguments[p], *after = NULL;
        hlo_scalar kept = hlo_literal_get(argument, e);
        hlo_literal_set(argument, e, changed(argument->shape->type, kept, way));
        CHECK(run_reference(f, &after), "%s: %s", name, f->status.message);
        hlo_literal_set(argument, e, kept);
        for (int n = 0; after && n < leaves; n++) {
          const hlo_literal *x = leaf_of(f->result, n), *y = leaf_of(after, n);
          hlo_origin origin;
          for (int64_t i = 0; hlo_origins_of(x, 0, i, &origin); i++)
            CHECK(same_element(x, y, i) || names(&f->origins, origin, number), "%s: element %lld of %c changes element %lld of array %d", name, (long long)e, 'a' + p, (long long)i, n);
        }
      }
}

static void check_origins(const origins_case *c) {
  followed f;
  bool ran = follow(&f, c->module, c->inputs);
  CHECK(ran, "%s: %s", c->name, f.status.message);
  if (ran) {
    hlo_writer writer;
    hlo_writer_init(&writer, &f.status);
    write_origins(&writer, &f);
    CHECK(strcmp(writer.text, c->expected) == 0, "%s: expected \"%s\", got \"%s\"", c->name, c->expected, writer.text);
    hlo_writer_free(&writer);
    check_unnamed(c->name, &f);
  }
  close_followed(&f);
}

static void check_refused(void) {
  static const char *const refused[][2] = {
      {ADD ENTRY(A("f32[2]") "ROOT r = f32[2] all-reduce(a), to_apply=add"), "all-reduce r: origins of elements are not followed through this operation"},
      {ENTRY(A("f32[2]") "ROOT r = f32[2] custom-call(a), custom_call_target=\"somewhere\""), "custom-call r: origins of elements are not followed through this operation"},
      {ENTRY(A("f32[<=2]") "ROOT r = f32[<=2] negate(a)"), "parameter a: origins of elements are followed in arrays of static sizes only, got f32[<=2]"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    followed f;
    static const char *const none[] = {NULL};
    CHECK(!follow(&f, refused[i][0], none), "%s", refused[i][1]);
    CHECK_TEXT(f.status.message, refused[i][1]);
    CHECK(f.status.code == HLO_UNSUPPORTED, "%s", refused[i][1]);
    close_followed(&f);
  }
}

/* ---- Random programs: the reference evaluator is followed, the planned path shows what matters ---- */

static void save_outputs(program *p, const hlo_shape *shape, hlo_literal **saved) {
  for (int i = 0; i < p->planned_outputs->leaf_count; i++)
    hlo_layout_gather(hlo_shape_leaf(shape, i), p->planned_outputs->leaves[i], saved[i]->data, &p->status);
}

static void check_change(program *p, int seed, hlo_literal **before, hlo_literal **after, int64_t number) {
  const hlo_shape *shape = hlo_executable_result_shape(p->planned);
  hlo_origins *origins = hlo_executable_origins(p->reference);
  CHECK(program_run_planned(p), "seed %d: %s", seed, p->status.message);
  save_outputs(p, shape, after);
  for (int n = 0; n < p->planned_outputs->leaf_count; n++)
    for (int64_t i = 0; i < hlo_shape_element_count(before[n]->shape); i++) {
      hlo_origin origin = {0};
      if (same_element(before[n], after[n], i)) continue;
      CHECK(hlo_executable_origin(p->reference, n, i, &origin, &p->status), "seed %d: %s", seed, p->status.message);
      CHECK(names(origins, origin, number), "seed %d: element %lld of the parameters changes element %lld of array %d", seed, (long long)number, (long long)i, n);
    }
}

static void check_random(int seed) {
  char *text = random_program((uint64_t)seed, 5 + seed % 30);
  program p;
  CHECK(program_open(&p, text, 0, NULL) && hlo_executable_follow(p.reference, &p.status), "seed %d: %s", seed, p.status.message);
  program_fill_inputs(&p, WHOLE_NUMBERS);
  CHECK(program_run_planned(&p) && program_run_reference(&p), "seed %d: %s", seed, p.status.message);
  const hlo_shape *shape = hlo_executable_result_shape(p.planned);
  hlo_literal *before[GENERATED_VALUES], *after[GENERATED_VALUES];
  for (int i = 0; i < p.planned_outputs->leaf_count; i++) {
    before[i] = hlo_literal_make(&p.arena, hlo_shape_leaf(shape, i), &p.status);
    after[i] = hlo_literal_make(&p.arena, hlo_shape_leaf(shape, i), &p.status);
  }
  save_outputs(&p, shape, before);
  int64_t number = 0;
  for (int n = 0; n < p.parameters; n++) {
    hlo_literal input = {.shape = hlo_executable_parameter_shape(p.planned, n), .data = p.inputs[n].leaves[0]};
    for (int64_t i = 0, count = hlo_shape_element_count(input.shape); i < count; i++, number++) {
      if (count > 24 && random_below((int)count) > 24) continue;
      hlo_scalar kept = hlo_literal_get(&input, i);
      hlo_literal_set(&input, i, changed(input.shape->type, kept, random_below(4)));
      check_change(&p, seed, before, after, number);
      hlo_literal_set(&input, i, kept);
    }
  }
  program_close(&p);
  free(text);
}

/* ---- Random programs that only move data: every element is the one that it is said to be ---- */

enum { MARK = 1000 }; /* parameters hold MARK, MARK + 1, ...; constants are smaller */

static char *movement_program(int seed) {
  static void (*const makers[])(generator *) = {make_broadcast, make_reshape, make_transpose, make_slice, make_pad, make_concatenate, make_reverse, make_dynamic_slice};
  generator *g = begin_program((uint64_t)seed);
  int64_t dims[GENERATED_RANK] = {3, 4, 5};
  for (int rank = GENERATED_RANK; rank > 0; rank--) parameter(g, "f32", rank, dims);
  for (int i = 0; i < 4 + seed % 20; i++) makers[random_below(sizeof makers / sizeof *makers)](g);
  return end_program(g, (uint64_t)seed);
}

static void check_movement(int seed, int *moved) {
  char *text = movement_program(seed);
  program p;
  CHECK(program_open(&p, text, 0, NULL) && hlo_executable_follow(p.reference, &p.status), "seed %d: %s", seed, p.status.message);
  int64_t number = 0;
  for (int n = 0; n < p.parameters; n++)
    for (int64_t i = 0; i < hlo_shape_element_count(hlo_executable_parameter_shape(p.planned, n)); i++)
      ((float *)p.inputs[n].leaves[0])[i] = (float)(MARK + number++);
  CHECK(program_run_reference(&p), "seed %d: %s", seed, p.status.message);
  const hlo_shape *shape = hlo_executable_result_shape(p.planned);
  for (int n = 0; n < p.reference_outputs->leaf_count; n++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, n);
    for (int64_t i = 0; leaf->type == HLO_TYPE_F32 && i < hlo_shape_element_count(leaf); i++) {
      hlo_origin origin = {0};
      hlo_origins *origins = hlo_executable_origins(p.reference);
      CHECK(hlo_executable_origin(p.reference, n, i, &origin, &p.status), "seed %d: %s", seed, p.status.message);
      int64_t value = (int64_t)((float *)p.reference_outputs->leaves[n])[i], found = 0;
      hlo_origins_find(origins, origin.data);
      for (int64_t e = 0; e < number; e++) found += hlo_origins_found(origins, e);
      CHECK(!origin.control, "seed %d: element %lld of array %d is directed by something", seed, (long long)i, n);
      CHECK(value < MARK ? found == 0 : found == 1 && hlo_origins_found(origins, value - MARK), "seed %d: element %lld of array %d is %lld", seed, (long long)i, n, (long long)value);
      *moved += value >= MARK;
    }
  }
  program_close(&p);
  free(text);
}

int main(int argc, char **argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0, count = argc > 2 ? atoi(argv[2]) : 150;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_origins(&cases[i]);
  check_refused();
  for (int seed = first; seed < first + count; seed++) check_random(seed);
  int moved = 0;
  for (int seed = first; seed < first + count; seed++) check_movement(seed, &moved);
  CHECK(moved > 10 * count, "only %d elements were moved", moved);
  return unit_report();
}
