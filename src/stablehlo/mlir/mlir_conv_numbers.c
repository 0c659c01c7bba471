/* Reads dimension numbers of convolutions: lists of positions, or raw fields input_batch_dimension = 0, ... */
#include "stablehlo/mlir/mlir_conv_numbers.h"

#include "base/status.h"
#include "base/text_reader.h"

/* Reads one list. Each position is a word or the number of a spatial dimension; '?' is a dimension without meaning to the operation. */
static const char *read_positions(hlo_reader *r, hlo_mlir_conv_dims *dims, const char *batch, const char *feature) {
  int64_t index, greatest = -1;
  *dims = (hlo_mlir_conv_dims){.batch = -1, .feature = -1};
  for (int i = 0; i < HLO_MAX_RANK; i++) dims->spatial[i] = -1;
  if (!hlo_reader_accept(r, "[")) return "expected '['";
  for (int64_t position = 0; position == 0 || hlo_reader_accept(r, ","); position++) {
    if (hlo_reader_accept(r, "?")) continue;
    if (hlo_reader_accept_word(r, batch) || hlo_reader_accept_word(r, feature)) {
      int64_t *place = r->cursor[-1] == *batch ? &dims->batch : &dims->feature;
      if (*place >= 0) return "a dimension is given twice";
      *place = position;
      continue;
    }
    char c = hlo_reader_peek(r);
    if (c < '0' || c > '9' || !hlo_reader_int(r, &index) ||
        index >= HLO_MAX_RANK) return "expected a spatial dimension, or one of its two other dimensions";
    if (dims->spatial[index] >= 0) return "a spatial dimension is given twice";
    dims->spatial[index] = position;
    dims->spatial_count++;
    if (index > greatest) greatest = index;
  }
  if (!hlo_reader_accept(r, "]")) return "expected ',' or ']'";
  if (dims->batch < 0 || dims->feature < 0) return "both of its dimensions that are not spatial must be given";
  return greatest == dims->spatial_count - 1 ? NULL : "spatial dimensions must be numbered from 0 on";
}

static bool read_raw_list(hlo_reader *r, hlo_mlir_conv_dims *dims) {
  if (!hlo_reader_expect(r, "[")) return false;
  while (!hlo_reader_accept(r, "]")) {
    if ((dims->spatial_count && !hlo_reader_expect(r, ",")) || dims->spatial_count == HLO_MAX_RANK) return false;
    if (!hlo_reader_int(r, &dims->spatial[dims->spatial_count++])) return false;
  }
  return true;
}

static bool read_raw(hlo_reader *r, hlo_mlir_conv_numbers *n) {
  do {
    hlo_span name = hlo_reader_name(r);
    hlo_mlir_conv_dims *dims = name.length && name.text[0] == 'i' ? &n->input : name.length && name.text[0] == 'k' ? &n->kernel : &n->output;
    if (!name.length || !hlo_reader_expect(r, "=")) return false;
    bool batch = hlo_span_is(name, "input_batch_dimension") || hlo_span_is(name, "output_batch_dimension") ||
        hlo_span_is(name, "kernel_output_feature_dimension");
    bool list = hlo_reader_peek(r) == '[';
    if (list ? !read_raw_list(r, dims) : !hlo_reader_int(r, batch ? &dims->batch : &dims->feature)) return false;
  } while (hlo_reader_accept(r, ","));
  return true;
}

static const char *read_lists(hlo_reader *r, hlo_mlir_conv_numbers *n) {
  const char *problem = read_positions(r, &n->input, "b", "f");
  if (!problem && !hlo_reader_accept(r, "x")) problem = "expected 'x'";
  if (!problem) problem = read_positions(r, &n->kernel, "o", "i");
  if (!problem && !hlo_reader_accept(r, "->")) problem = "expected '->'";
  return problem ? problem : read_positions(r, &n->output, "b", "f");
}

const char *hlo_mlir_conv_problem(hlo_span text, const char **where) {
  hlo_status ignored = {0};
  hlo_reader r;
  hlo_mlir_conv_numbers n;
  if (!text.length) return "there are none";
  hlo_reader_init(&r, text.text, text.length, &ignored);
  if (hlo_reader_accept_word(&r, "raw")) return NULL;
  const char *problem = read_lists(&r, &n);
  *where = r.cursor;
  return problem;
}

bool hlo_mlir_conv_read(const hlo_mlir_attribute *a, hlo_mlir_conv_numbers *n) {
  hlo_status ignored = {0};
  hlo_reader r;
  if (a->kind != HLO_MLIR_CONV || !a->text.length) return false;
  hlo_reader_init(&r, a->text.text, a->text.length, &ignored);
  return hlo_reader_accept_word(&r, "raw") ? read_raw(&r, n) : !read_lists(&r, n);
}
