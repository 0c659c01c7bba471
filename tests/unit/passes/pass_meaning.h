/* What a pass makes of a program computes what the program computes: the reference evaluates it before and after the pass, on the same
 * inputs, with zeros of both signs, infinities and NaN among them. */
#ifndef HLO_TESTS_PASS_MEANING_H
#define HLO_TESTS_PASS_MEANING_H

#include "passes/pipeline.h"
#include "program.h"
#include "reference/machine/machine.h"
#include "verify/verify.h"

enum { TEXT_BYTES = 1 << 14 };

/* Writes behind what the array `text` holds. */
#define PUT(...) snprintf(text + strlen(text), sizeof text - strlen(text), __VA_ARGS__)

/* What inputs hold: WHOLE: small whole numbers, exact in sums; SPECIAL: some of them are infinite or NaN; WIDE: of every magnitude, halfway between
 * others; BITS: any bits. Integers have any bits from WIDE on. */
typedef enum inputs { WHOLE, SPECIAL, WIDE, BITS } inputs;

static inline double wide_number(void) {
  static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, NAN};
  if (random_below(16) == 0) return specials[random_below(5)];
  return ldexp(random_below(2) ? random_below(64) + 1 : random_below(1 << 12) + random_unit(), random_below(52) - 32) * (random_below(2) ? 1 : -1);
}

static inline void fill(hlo_literal *literal, inputs kind) {
  hlo_type type = literal->shape->type;
  for (int64_t e = 0; e < hlo_shape_element_count(literal->shape); e++) {
    hlo_scalar value = program_value(type, WHOLE_NUMBERS);
    if (kind >= WIDE && hlo_type_is_integral(type)) value.u = random_bits();
    if (kind >= WIDE && !hlo_type_is_integral(type)) value.f = wide_number(), value.im = wide_number();
    if (kind == SPECIAL && hlo_type_is_float(type) && random_below(24) == 0) value.f = random_below(2) ? NAN : random_below(2) ? INFINITY : -INFINITY;
    hlo_literal_set(literal, e, value);
  }
  for (size_t n = 0; kind == BITS && hlo_type_is_float(type) && n < hlo_literal_bytes(literal); n++)
    if (random_below(3)) ((unsigned char *)literal->data)[n] = (unsigned char)random_bits(); /* by bytes: exponents and signs of what was there remain at times */
}

/* The largest distance of two results in ulps; zeros differ in their signs, too. */
static inline double distance(const hlo_literal *a, const hlo_literal *b) {
  double worst = 0;
  hlo_type type = a->shape->type;
  for (int n = 0; n < a->shape->element_count && type == HLO_TYPE_TUPLE; n++) worst = fmax(worst, distance(a->elements[n], b->elements[n]));
  if (type == HLO_TYPE_TUPLE) return worst;
  for (int64_t e = 0; e < hlo_shape_element_count(a->shape); e++) {
    hlo_scalar u = hlo_literal_get(a, e), v = hlo_literal_get(b, e);
    if (!hlo_type_is_float(type) && !hlo_type_is_complex(type)) worst = u.u == v.u ? worst : INFINITY;
    else worst = fmax(worst, u.f == 0 && v.f == 0 && signbit(u.f) != signbit(v.f) ? INFINITY : float_distance(hlo_type_real_part(type), u.f, v.f));
    if (hlo_type_is_complex(type)) worst = fmax(worst, float_distance(hlo_type_real_part(type), u.im, v.im));
  }
  return worst;
}

static inline bool says(const hlo_module *module, const char *phrase) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  bool found = strstr(writer.text, phrase) != NULL;
  hlo_writer_free(&writer);
  return found;
}

/* Fills inputs and evaluates both modules three times, whose results may lie `tolerance` ulps apart. */
static inline void check_equal(const hlo_module *before, const hlo_module *after, inputs kind, double tolerance, const char *pass, const char *text) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_status status = {0};
  for (int round = 0; round < 3; round++) {
    const hlo_computation *entry = hlo_module_entry(before);
    const hlo_literal **arguments = hlo_arena_many(&arena, const hlo_literal *, entry->parameter_count, &status);
    for (int n = 0; n < entry->parameter_count; n++) {
      hlo_literal *literal = hlo_literal_make(&arena, entry->instructions[entry->parameters[n]]->shape, &status);
      fill(literal, kind == SPECIAL && round == 0 ? WHOLE : kind);
      arguments[n] = literal;
    }
    hlo_host host = {0};
    hlo_run_options options = {.replicas = 1, .partitions = 1, .host = &host};
    hlo_literal *results[2] = {NULL};
    bool ran = hlo_reference_run(before, &options, arguments, &arena, &results[0], &status) && hlo_reference_run(after, &options, arguments, &arena, &results[1], &status);
    double apart = ran ? distance(results[0], results[1]) : 0;
    CHECK(ran && apart <= tolerance, "%s, round %d: %s, distance %g\n%s", pass, round, status.message, apart, text);
  }
  hlo_arena_free(&arena);
}

/* The number of a pass; hlo_pass_count() where none has the name. */
static inline int number_of(const char *pass) {
  int number = 0;
  while (number < hlo_pass_count() && strcmp(hlo_pass_name(number), pass) != 0) number++;
  return number;
}

/* Runs the pass over an entry that has these lines: whether `phrase` still stands in it, and what it computes. */
static inline void check(const char *pass, const char *lines, inputs kind, const char *phrase, bool stays, double tolerance) {
  char text[TEXT_BYTES];
  snprintf(text, sizeof text, "HloModule m\n%s", lines);
  hlo_status status = {0};
  hlo_module *before = hlo_text_parse(text, strlen(text), &status), *after = before ? hlo_pass_run(before, number_of(pass), &status) : NULL;
  CHECK(after && hlo_verify_module(after, &status), "%s: %s\n%s", pass, status.message, text);
  CHECK(!after || says(after, phrase) == stays, "%s: \"%s\" %s in\n%s", pass, phrase, stays ? "is missing" : "still stands", text);
  if (after) check_equal(before, after, kind, tolerance, pass, text);
  hlo_module_free(after);
  hlo_module_free(before);
}

#endif
