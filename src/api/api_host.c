/* The host that evaluators call: the runtime's queues, and functions of JavaScript. */
#include <string.h>

#include "api/api.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "devices/host.h"
#include "shape/literal.h"
#include "shape/shape.h"

#ifdef __wasm__
/* Calls the function registered under a name; returns 0 if it succeeded. `call` is JSON:
 * {"operands":[{"shape":{...},"leaves":[pointer, ...]}, ...],"result":{...}}; leaves are dense, row-major. */
__attribute__((import_module("env"), import_name("hlo_host_custom_call")))
int hlo_host_custom_call(uint32_t executable, const char *target, size_t target_length, const char *call, size_t call_length);
__attribute__((import_module("env"), import_name("hlo_host_aborted")))
int hlo_host_aborted(uint32_t executable);
__attribute__((import_module("env"), import_name("hlo_host_now")))
double hlo_host_now(void);
#else
static int hlo_host_custom_call(uint32_t executable, const char *target, size_t target_length, const char *call,
                                size_t call_length) {
  return 1;
}
static int hlo_host_aborted(uint32_t executable) { return 0; }
static double hlo_host_now(void) { return 0; }
#endif

static hlo_api_executable *executable_of(hlo_host *host) { return host->context; }

static bool infeed(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status) {
  return hlo_api_infeed(executable_of(host)->runtime, shape, value, empty, status);
}

static bool outfeed(hlo_host *host, const hlo_literal *value, hlo_status *status) {
  return hlo_api_outfeed(executable_of(host)->runtime, value, status);
}

/* Returns the next of the remaining names, which are separated by newlines, and moves past it. */
static hlo_span take_name(hlo_span *names) {
  const char *newline = memchr(names->text, '\n', names->length);
  hlo_span name = {names->text, newline ? (size_t)(newline - names->text) : names->length};
  size_t taken = name.length + (newline != NULL);
  *names = (hlo_span){names->text + taken, names->length - taken};
  return name;
}

static bool has_custom_call(hlo_host *host, hlo_span target) {
  for (hlo_span names = executable_of(host)->custom_calls; names.length;)
    if (hlo_span_equal(take_name(&names), target)) return true;
  return false;
}

static void offer_custom_calls(hlo_host *host, hlo_nearest_name *nearest) {
  for (hlo_span names = executable_of(host)->custom_calls; names.length;) hlo_nearest_name_offer(nearest, take_name(&names));
}

static void write_value(hlo_writer *writer, const hlo_literal *literal) {
  hlo_write(writer, "{\"shape\":");
  hlo_writer text;
  hlo_writer_init(&text, writer->status);
  hlo_shape_write(&text, literal->shape, false);
  hlo_write_json(writer, text.text ? text.text : "", text.length);
  hlo_writer_free(&text);
  hlo_write(writer, ",\"leaves\":[");
  int count = hlo_shape_leaf_count(literal->shape);
  for (int i = 0; i < count; i++) {
    const hlo_literal *leaf = hlo_api_leaf((hlo_literal *)literal, i);
    hlo_write_format(writer, i ? ",%llu" : "%llu", (unsigned long long)(uintptr_t)leaf->data);
  }
  hlo_write(writer, "]}");
}

static bool custom_call(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int operand_count,
                        hlo_literal *result, hlo_status *status) {
  hlo_writer call;
  hlo_writer_init(&call, status);
  hlo_write(&call, "{\"operands\":[");
  for (int i = 0; i < operand_count; i++) {
    if (i) hlo_write_char(&call, ',');
    write_value(&call, operands[i]);
  }
  hlo_write(&call, "],\"result\":");
  write_value(&call, result);
  hlo_write_char(&call, '}');
  bool done = hlo_ok(status) &&
              hlo_host_custom_call(executable_of(host)->id, target.text, target.length, call.text, call.length) == 0;
  hlo_writer_free(&call);
  return done || hlo_fail(status, HLO_CUSTOM_CALL, "custom call %.*s failed", (int)target.length, target.text);
}

static bool aborted(hlo_host *host) { return hlo_host_aborted(executable_of(host)->id) != 0; }

static double now(hlo_host *host) { return hlo_host_now(); }

void hlo_api_host_init(hlo_api_executable *executable) {
  executable->host = (hlo_host){.context = executable, .infeed = infeed, .outfeed = outfeed,
                                .has_custom_call = has_custom_call, .offer_custom_calls = offer_custom_calls, .custom_call = custom_call, .aborted = aborted, .now = now};
}
