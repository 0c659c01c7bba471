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

/* One more than the longest enumeration has, so that each list ends in NULL. */
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
