/* The plan: a module as flat lists of steps over one workspace, made when it is compiled.
 *
 * Every computation that frames run becomes a routine: steps in order, each reading and writing places of the
 * workspace. No computation can be active twice at once (recursion is refused), so each routine has its places
 * once, at fixed offsets, for the whole run:
 *
 *   [constants][entry's values .......][callee's values ...][callee's callee's ..]
 *
 * Offsets within a routine come from buffer lifetimes; routines that are never active together may overlap. */
#ifndef HLO_PLAN_PLAN_H
#define HLO_PLAN_PLAN_H

#include "reference/reference.h"

enum { HLO_PLACE_ALIGNMENT = 64 };

/* Where a value's leaves live. A tuple has one place a leaf; get-tuple-element and tuple move no byte. */
typedef enum hlo_place_kind {
  HLO_PLACE_WORKSPACE, /* offset into the workspace */
  HLO_PLACE_CONSTANT,  /* bytes of a literal of the module */
  HLO_PLACE_ARGUMENT,  /* leaf `offset` of the run's inputs, read where it is (dense row-major layouts only) */
  HLO_PLACE_NONE       /* tokens */
} hlo_place_kind;

#endif
