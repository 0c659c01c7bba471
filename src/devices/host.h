/* The world outside of a run, as functions that the evaluators call: the queues, custom calls, the clock and the abort signal.
 *
 * A function may be NULL: the host then has no such thing. Functions return false with a status on failure. */
#ifndef HLO_DEVICES_HOST_H
#define HLO_DEVICES_HOST_H

#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef struct hlo_host hlo_host;
struct hlo_host {
  void *context;
  /* Takes the next value of the infeed queue, of this shape; *empty is set when there is none. */
  bool (*infeed)(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status);
  /* Puts a value into the outfeed queue. */
  bool (*outfeed)(hlo_host *host, const hlo_literal *value, hlo_status *status);
  /* Returns whether the host has registered a custom-call target. Targets that are built in need no registration. */
  bool (*has_custom_call)(hlo_host *host, hlo_span target);
  /* Offers the names of all registered targets, for "did you mean". */
  void (*offer_custom_calls)(hlo_host *host, hlo_nearest_name *nearest);
  /* Calls a registered target. */
  bool (*custom_call)(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int operand_count,
                      hlo_literal *result, hlo_status *status);
  bool (*aborted)(hlo_host *host); /* asked now and then, also within long steps: true ends the run */
  double (*now)(hlo_host *host);   /* milliseconds, for profiles */
  int64_t checks;    /* counts the checks of a conformance case (custom calls check.*) that have held */
  bool loose_checks; /* checks compare by HLO_AGREE_LOOSE, whatever rule they name */
};

#endif
