// Traces of runs in the Trace Event Format, from the records that the core leaves (src/exec/profile.h).

/** @typedef {import('./core.js').Core} Core */
/** @typedef {{ begin: number, end: number, device: number, routine: number, step: number, depth: number }} StepRecord times in milliseconds */
/**
 * A span of time, of phase X, or the name of a row, of phase M.
 * @typedef {object} TraceEvent
 * @property {string} name of the instruction, and of the computation that it calls
 * @property {'X' | 'M'} ph
 * @property {number} pid
 * @property {number} tid the device
 * @property {string} [cat] the op
 * @property {number} [ts] microseconds since the run began
 * @property {number} [dur] microseconds
 * @property {StepArgs} args of a step
 */
/**
 * What is told of a step; of the name of a row, `name` alone.
 * @typedef {object} StepArgs
 * @property {string} [name]
 * @property {string} [op] in HLO text
 * @property {string} [kernel]
 * @property {string} [shape] of the result
 * @property {string} [computation] that the step belongs to
 * @property {string} [calls] the computation that it runs
 * @property {number} [gflops] GFLOP/s, where it does arithmetic
 * @property {number} [gbs] GB/s, where it reads or writes memory
 */
/**
 * A trace in the Trace Event Format.
 * @typedef {object} Trace
 * @property {TraceEvent[]} traceEvents
 * @property {'ms'} displayTimeUnit what viewers show; times are microseconds
 * @property {{ dropped?: string }} otherData dropped: how many steps found no room
 */

const RECORD_BYTES = 32;

/** @param {Core} core @param {number} executable @returns {{ records: StepRecord[], dropped: number }} */
export function readRecords(core, executable) {
  const count = core.call('profile_count', executable, 0);
  const dropped = core.call('profile_count', executable, 1);
  const at = core.call('profile_records', executable) >>> 0;
  const times = core.view(Float64Array, at, (count * RECORD_BYTES) / 8);
  const numbers = core.view(Int32Array, at, (count * RECORD_BYTES) / 4);
  const records = Array.from({ length: count }, (_, i) => {
    const [device, routine, step, depth] = numbers.subarray(8 * i + 4, 8 * i + 8);
    return { begin: times[4 * i], end: times[4 * i + 1], device, routine, step, depth };
  });
  return { records, dropped };
}

/**
 * @param {{ records: StepRecord[], dropped: number }} profile
 * @param {import('./types.js').Plan} plan
 * @param {number} devices
 * @returns {Trace}
 */
export function traceOf({ records, dropped }, plan, devices) {
  const start = records.reduce((least, { begin }) => Math.min(least, begin), Infinity);
  /** @type {TraceEvent[]} */
  const traceEvents = [{ name: 'process_name', ph: 'M', pid: 1, tid: 0, args: { name: 'WebHLO' } }];
  for (let d = 0; d < devices; d++)
    traceEvents.push({ name: 'thread_name', ph: 'M', pid: 1, tid: d, args: { name: `device ${d}` } });
  for (const { begin, end, device, routine, step } of records) {
    const { name: computation, steps } = plan.routines[routine];
    const { op, name, kernel, shape, flops, bytes, calls } = steps[step];
    const seconds = (end - begin) / 1e3;
    const args = { op, kernel, shape, computation, ...(calls && { calls }), ...rate('gflops', flops, seconds), ...rate('gbs', bytes, seconds) };
    traceEvents.push({ name: calls ? `${name}: ${calls}` : name, cat: op, ph: 'X', pid: 1, tid: device, ts: (begin - start) * 1e3, dur: seconds * 1e6, args });
  }
  return { traceEvents, displayTimeUnit: 'ms', otherData: dropped ? { dropped: `${dropped} later steps found no room` } : {} };
}

/** @param {string} name @param {number} amount @param {number} seconds @returns {Record<string, number>} */
function rate(name, amount, seconds) {
  return amount > 0 && seconds > 0 ? { [name]: Number((amount / seconds / 1e9).toPrecision(3)) } : {};
}
