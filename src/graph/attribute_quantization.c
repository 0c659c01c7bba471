/* Quantization parameters as text: {s8<-127:127>:f32:0, {0.1:-30,0.5:-20}}, much as MLIR's !quant.uniform has them. */
#include "base/arena.h"
#include "base/list.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

void hlo_write_quantization(hlo_writer *writer, const hlo_quantization *q) {
  int64_t least, greatest;
  hlo_storage_range(q->storage_type, &least, &greatest);
  hlo_write_format(writer, "{%s", hlo_type_name(q->storage_type));
  if (q->storage_min != least || q->storage_max != greatest)
    hlo_write_format(writer, "<%lld:%lld>", (long long)q->storage_min, (long long)q->storage_max);
  hlo_write_format(writer, ":%s", hlo_type_name(q->expressed_type));
  if (q->dimension >= 0) hlo_write_format(writer, ":%d", q->dimension);
  hlo_write(writer, q->dimension >= 0 ? ", {" : ", ");
  for (int64_t i = 0; i < q->count; i++) {
    if (i) hlo_write_char(writer, ',');
    hlo_write_double(writer, q->scales[i]);
    hlo_write_format(writer, ":%lld", (long long)q->zero_points[i]);
  }
  hlo_write(writer, q->dimension >= 0 ? "}}" : "}");
}

static bool read_type(hlo_reader *reader, hlo_type *type) {
  hlo_span name = hlo_reader_name(reader);
  if (hlo_type_from_name(name, type)) return true;
  reader->cursor = name.text;
  return hlo_reader_fail(reader, "expected an element type, found %s", HLO_FOUND(reader));
}

static bool read_storage(hlo_reader *reader, hlo_quantization *q) {
  if (!hlo_reader_expect(reader, "{") || !read_type(reader, &q->storage_type)) return false;
  if (!hlo_type_is_integral(q->storage_type)) return hlo_reader_fail(reader, "the storage type must be an integer type");
  hlo_storage_range(q->storage_type, &q->storage_min, &q->storage_max);
  if (!hlo_reader_accept(reader, "<")) return true;
  return hlo_reader_int(reader, &q->storage_min) && hlo_reader_expect(reader, ":") && hlo_reader_int(reader, &q->storage_max) &&
         hlo_reader_expect(reader, ">");
}

static bool read_expressed(hlo_reader *reader, hlo_quantization *q) {
  int64_t dimension = -1;
  if (!hlo_reader_expect(reader, ":") || !read_type(reader, &q->expressed_type)) return false;
  if (!hlo_type_is_float(q->expressed_type)) return hlo_reader_fail(reader, "the expressed type must be a floating-point type");
  if (hlo_reader_accept(reader, ":") && !hlo_reader_int(reader, &dimension)) return false;
  if (dimension < -1 || dimension >= HLO_MAX_RANK) return hlo_reader_fail(reader, "dimension %lld is out of range", (long long)dimension);
  q->dimension = (int)dimension;
  return hlo_reader_expect(reader, ",");
}

typedef struct pair_list {
  double *scales;
  hlo_int_list zero_points;
  int capacity;
} pair_list;

static bool read_pair(hlo_reader *reader, hlo_arena *arena, pair_list *pairs) {
  double scale;
  int64_t zero_point = 0;
  if (!hlo_reader_double(reader, &scale)) return false;
  if (hlo_reader_accept(reader, ":") && !hlo_reader_int(reader, &zero_point)) return false;
  int count = pairs->zero_points.count;
  if (!hlo_list_grow(arena, &pairs->scales, count, &pairs->capacity, sizeof scale, reader->status)) return false;
  pairs->scales[count] = scale;
  return hlo_int_list_add(&pairs->zero_points, arena, zero_point, reader->status);
}

bool hlo_read_quantization(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_quantization *q = hlo_arena_new(arena, hlo_quantization, reader->status);
  pair_list pairs = {0};
  if (!q || !read_storage(reader, q) || !read_expressed(reader, q)) return false;
  bool list = q->dimension >= 0;
  if (list && !hlo_reader_expect(reader, "{")) return false;
  do {
    if (!read_pair(reader, arena, &pairs)) return false;
  } while (list && hlo_reader_accept(reader, ","));
  if ((list && !hlo_reader_expect(reader, "}")) || !hlo_reader_expect(reader, "}")) return false;
  q->count = pairs.zero_points.count;
  q->scales = pairs.scales;
  q->zero_points = pairs.zero_points.data;
  attribute->quantization = q;
  return true;
}
