/* Counts the work of compiling a program, so that it can be bounded and aborted.
 *
 * One unit is one visit of an instruction by verification, a pass or planning, or one element that is folded into a constant. */
#ifndef HLO_BASE_METER_H
#define HLO_BASE_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { HLO_METER_QUESTIONS = 1 << 12 }; /* units between two questions */

typedef struct hlo_meter {
  int64_t limit, taken; /* limit 0: none */
  const char *stage;    /* what goes on, for messages: "verification", or the name of a pass */
  bool (*aborted)(void *context); /* asked now and then: true ends the compilation; NULL: nobody is asked */
  void *context;
  int64_t until_question;
} hlo_meter;

/* Takes units of the current stage. Fails with LIMIT or ABORTED. meter NULL: nobody counts. */
bool hlo_meter_take(hlo_meter *meter, int64_t units, hlo_status *status);

#endif
