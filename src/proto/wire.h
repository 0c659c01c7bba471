/* The wire format of protocol buffers: fields of a message, found by number. */
#ifndef HLO_PROTO_WIRE_H
#define HLO_PROTO_WIRE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/dims.h"

/* The bytes of one message. `begin` is the start of the file, which byte offsets in errors count from. */
typedef struct hlo_wire {
  const uint8_t *begin, *bytes, *end;
  hlo_status *status;
} hlo_wire;

typedef enum hlo_wire_type { HLO_WIRE_VARINT = 0, HLO_WIRE_FIXED64 = 1, HLO_WIRE_BYTES = 2, HLO_WIRE_FIXED32 = 5 } hlo_wire_type;

typedef struct hlo_wire_field {
  int number;
  hlo_wire_type type;
  uint64_t value;  /* if type is VARINT or FIXED */
  hlo_wire bytes;  /* if type is BYTES */
} hlo_wire_field;

hlo_wire hlo_wire_whole(const uint8_t *bytes, size_t length, hlo_status *status);
/* Reads the field at wire->bytes and moves past it. Returns false at the end, and on malformed bytes, with a failure in the status. */
bool hlo_wire_next(hlo_wire *wire, hlo_wire_field *field);
/* Moves past the next field with this number that is a message. Returns false if there is none. */
bool hlo_wire_next_message(hlo_wire *wire, int number, hlo_wire *message);
bool hlo_wire_fail(const hlo_wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns whether the message is well formed to its end; a failure is recorded otherwise. */
bool hlo_wire_check(const hlo_wire *wire);

/* Returns the last field with this number; `missing` if there is none. */
int64_t hlo_wire_int(const hlo_wire *wire, int number, int64_t missing);
float hlo_wire_float(const hlo_wire *wire, int number);
bool hlo_wire_has(const hlo_wire *wire, int number);
/* Returns the last field with this number as a message or text; empty if there is none. */
hlo_wire hlo_wire_message(const hlo_wire *wire, int number);
hlo_span hlo_wire_text(const hlo_wire *wire, int number);
/* Reads all fields with this number as one list of integers, packed or not. */
bool hlo_wire_ints(const hlo_wire *wire, int number, hlo_arena *arena, hlo_ints *values);
int hlo_wire_count(const hlo_wire *wire, int number);

/* ---- Writing. A message inside a message is first written to a writer of its own ---- */
void hlo_put_varint(hlo_writer *writer, uint64_t value);
void hlo_put_int(hlo_writer *writer, int number, int64_t value);   /* writes nothing for 0 */
void hlo_put_int_always(hlo_writer *writer, int number, int64_t value);
void hlo_put_bytes(hlo_writer *writer, int number, const void *bytes, size_t length);
void hlo_put_text(hlo_writer *writer, int number, hlo_span text);   /* writes nothing if empty */
void hlo_put_ints(hlo_writer *writer, int number, hlo_ints values); /* packed; writes nothing if empty */
void hlo_put_float(hlo_writer *writer, int number, float value);
void hlo_put_message(hlo_writer *writer, int number, hlo_writer *message); /* also frees `message` */

#endif
