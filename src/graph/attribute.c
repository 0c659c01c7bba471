/* The attribute tables as data. */
#include "graph/attribute.h"

typedef struct attribute_row {
  const char *name;
  hlo_attribute_kind kind;
} attribute_row;

static const attribute_row rows[] = {
#define HLO_ATTRIBUTE(id, name, kind, doc) {name, HLO_KIND_##kind},
#include "graph/attribute_table.def"
#undef HLO_ATTRIBUTE
};

const char *hlo_attribute_name(hlo_attribute_id id) { return rows[id].name; }
hlo_attribute_kind hlo_attribute_kind_of(hlo_attribute_id id) { return rows[id].kind; }

/* ---- Enumerations ---- */

enum {
#define ENUM_TYPE(type) ENUM_TYPE_##type,
  HLO_ENUM_TYPES(ENUM_TYPE) ENUM_TYPE_COUNT
#undef ENUM_TYPE
};

/* One more than the longest enumeration has values, so that each list ends in NULL. */
enum { ENUM_PLACES = 7 };

static const char *const enum_names[ENUM_TYPE_COUNT][ENUM_PLACES] = {
#define HLO_ENUM(type, value) [ENUM_TYPE_##type][HLO_##type##_##value] = #value,
#include "graph/enum_table.def"
#undef HLO_ENUM
};

const char *const *hlo_attribute_enum_names(hlo_attribute_kind kind) {
  switch (kind) {
#define NAMES(type) \
  case HLO_KIND_ENUM_##type: return enum_names[ENUM_TYPE_##type];
    HLO_ENUM_TYPES(NAMES)
#undef NAMES
  default: return NULL;
  }
}

/* ---- Windows, paddings, slices ---- */

#define COLUMNS(type) ((int)(sizeof(type) / sizeof(int64_t)))

hlo_rows hlo_attribute_rows(const hlo_attribute *a) {
  switch (rows[a->id].kind) {
  case HLO_KIND_WINDOW: return (hlo_rows){a->window->rank, COLUMNS(hlo_window_dim), (const int64_t *)a->window->dims};
  case HLO_KIND_PADDING: return (hlo_rows){a->padding->rank, COLUMNS(hlo_padding_dim), (const int64_t *)a->padding->dims};
  default: return (hlo_rows){a->slice->rank, COLUMNS(hlo_slice_dim), (const int64_t *)a->slice->dims};
  }
}

bool hlo_attribute_set_rows(hlo_attribute *a, int rank, const int64_t *values, hlo_arena *arena, hlo_status *status) {
  hlo_attribute_kind kind = rows[a->id].kind;
  int columns = kind == HLO_KIND_WINDOW ? COLUMNS(hlo_window_dim) : COLUMNS(hlo_slice_dim);
  const void *dims = hlo_arena_copy(arena, values, (size_t)(rank * columns) * sizeof *values, status);
  union { hlo_window window; hlo_padding_config padding; hlo_slice slice; } *made = hlo_arena_alloc(arena, sizeof *made, status);
  if (!dims || !made) return false;
  switch (kind) {
  case HLO_KIND_WINDOW: made->window = (hlo_window){rank, dims}; break;
  case HLO_KIND_PADDING: made->padding = (hlo_padding_config){rank, dims}; break;
  default: made->slice = (hlo_slice){rank, dims};
  }
  a->window = &made->window;
  return true;
}
