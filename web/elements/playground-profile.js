// A profile: what ran when, and how fast for what it did.
import { html, nothing, svg } from 'lit';
import { plainShape } from './graph-model.js';

/** @typedef {import('../../js/objects/profile.js').Trace} Trace */
/** @typedef {import('../../js/objects/profile.js').TraceEvent} TraceEvent */
/** @typedef {import('./playground-panes.js').Link} Link */
/** @typedef {{ gflops: number, gbs: number }} Limits what this machine reached on a large product, and on a large copy */
/** @typedef {{ name: string, step: string, computation: string, kernel: string, shape: string, count: number, micros: number, gflop: number, gigabytes: number }} Row */

const WIDTH = 1000;
const BAR = 18;

/** Time in few characters. @param {number} micros */
function timeText(micros) {
  if (micros < 1000) return `${micros < 10 ? micros.toFixed(1) : Math.round(micros)} µs`;
  return micros < 1e6 ? `${(micros / 1000).toPrecision(3)} ms` : `${(micros / 1e6).toPrecision(3)} s`;
}

/** Steps that call none, each summed over its runs; the longest first. What they do is told by the plan. @param {Trace} trace @param {import('../../js/objects/types.js').Plan} plan @returns {Row[]} */
export function rowsOf({ traceEvents }, { routines }) {
  /** @type {Map<string, import('../../js/objects/types.js').Step>} a loop has several steps of its name */
  const steps = new Map();
  for (const routine of routines) for (const step of routine.steps) steps.set(`${routine.name}/${step.name}/${step.kernel}`, step);
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const { ph, name, dur = 0, args } of traceEvents) {
    if (ph !== 'X' || args.calls) continue;
    const key = `${args.computation}/${name}/${args.kernel}`;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { name, step: name, computation: args.computation ?? '', kernel: args.kernel ?? '', shape: args.shape ?? '', count: 0, micros: 0, gflop: 0, gigabytes: 0 }));
    row.count++;
    row.micros += dur;
    row.gflop += (steps.get(key)?.flops ?? 0) / 1e9;
    row.gigabytes += (steps.get(key)?.bytes ?? 0) / 1e9;
  }
  return [...rows.values()].sort((a, b) => b.micros - a.micros);
}

/** @param {number} amount in 10⁹ @param {number} micros @param {string} unit @param {number | undefined} limit */
function rateText(amount, micros, unit, limit) {
  if (!(amount > 0) || !(micros > 0)) return '';
  const rate = (amount / micros) * 1e6;
  return html`${rate < 0.01 ? '< 0.01' : rate < 1000 ? rate.toPrecision(3) : Math.round(rate)} ${unit}${limit ? html`<small>${Math.round((rate / limit) * 100)} % of ${limit.toPrecision(3)}</small>` : nothing}`;
}

/**
 * @param {import('./playground-session.js').Session} session @param {Trace | undefined} trace @param {Limits | undefined} limits @param {Link} link
 * @param {{ again: () => void, measure: () => void }} does
 */
export function profileTemplate(session, trace, limits, link, { again, measure }) {
  const buttons = html`<div class="stepper"><button type="button" @click=${again}>${trace ? 'Run again' : 'Profile a run'}</button><button type="button" @click=${measure}>Measure this machine</button>${
    limits ? html`<span class="soft">A product reached ${limits.gflops.toPrecision(3)} GFLOP/s here, a copy ${limits.gbs.toPrecision(3)} GB/s.</span>` : nothing
  }</div>`;
  if (!trace) return buttons;
  const rows = rowsOf(trace, session.plan());
  const most = rows[0]?.micros ?? 1;
  const total = rows.reduce((sum, { micros }) => sum + micros, 0);
  return html`${buttons}
    ${flameTemplate(trace, link)}
    <p class="soft">${timeText(total)} in ${rows.reduce((sum, { count }) => sum + count, 0)} runs of steps.${trace.otherData.dropped ? ` ${trace.otherData.dropped}.` : ''} The clock of a browser is coarse: short steps may show as 0.</p>
    <div class="scrolls" tabindex="0" role="region" aria-label="Steps by time">
      <table class="profile">
        <thead><tr><th scope="col">step</th><th scope="col">time</th><th scope="col" class="number">arithmetic</th><th scope="col" class="number">memory</th><th scope="col">kernel</th></tr></thead>
        <tbody>
          ${rows.slice(0, 100).map(({ step, computation, kernel, count, micros, gflop, gigabytes, shape }) => {
            const lines = link.linesOf(computation, step);
            const marked = link.line > 0 && lines.includes(link.line);
            return html`<tr class=${marked ? 'marked' : ''}>
              <th scope="row">${lines.length ? html`<button type="button" class="link" @click=${() => link.go(lines[0])}>${step}</button>` : html`<code>${step}</code>`}<small>${plainShape(shape)}${count > 1 ? `, ${count} times` : ''}</small></th>
              <td><span class="share" .style="--share: ${micros / most}">${timeText(micros)}</span></td>
              <td class="number">${rateText(gflop, micros, 'GFLOP/s', limits?.gflops)}</td>
              <td class="number">${rateText(gigabytes, micros, 'GB/s', limits?.gbs)}</td>
              <td>${kernel}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** @param {Trace} trace @param {Link} link */
function flameTemplate({ traceEvents }, link) {
  const events = traceEvents.filter(({ ph }) => ph === 'X');
  const end = events.reduce((latest, { ts = 0, dur = 0 }) => Math.max(latest, ts + dur), 0);
  if (!(end > 0)) return nothing;
  const devices = [...new Set(events.map(({ tid }) => tid))].slice(0, 16);
  return html`<div class="flames">${devices.map((device) => deviceTemplate(events.filter(({ tid }) => tid === device), end, devices.length > 1 ? `device ${device}` : 'the run', link))}</div>`;
}

/** @param {TraceEvent[]} events of one device @param {number} end @param {string} label @param {Link} link */
function deviceTemplate(events, end, label, link) {
  /** @type {number[]} ends of those that are open */
  const open = [];
  const placed = events.toSorted((a, b) => (a.ts ?? 0) - (b.ts ?? 0) || (b.dur ?? 0) - (a.dur ?? 0)).map((event) => {
    const { ts = 0, dur = 0 } = event;
    while (open.length && open[open.length - 1] <= ts + 1e-6) open.pop();
    const depth = open.length;
    if (event.args.calls) open.push(ts + dur);
    return { event, depth, x: (ts / end) * WIDTH, width: (dur / end) * WIDTH };
  });
  const depths = placed.reduce((most, { depth }) => Math.max(most, depth + 1), 1);
  const seen = placed.filter(({ width }) => width >= 0.5).slice(0, 4000);
  return html`<svg class="flame" viewBox="0 0 ${WIDTH} ${depths * BAR}" .style="--depths: ${depths}" preserveAspectRatio="none" role="img" aria-label=${`Time of ${label}: ${placed.length} steps in ${timeText(end)}`}>
    ${seen.map(({ event, depth, x, width }) => {
      const lines = link.linesOf(event.args.computation ?? '', event.name.replace(/: .*$/, ''));
      const marked = link.line > 0 && lines.includes(link.line);
      return svg`<rect class="${event.args.calls ? 'calls' : ''} ${marked ? 'marked' : ''}" x=${x} y=${depth * BAR} width=${width} height=${BAR - 2} @click=${() => lines.length && link.go(lines[0])}><title>${event.name}: ${timeText(event.dur ?? 0)}</title></rect>`;
    })}
  </svg>`;
}

/** What this machine reaches: the best of a few runs of a product and of a sum of large arrays, timed by the core. @param {import('../../js/index.js').Runtime} hlo @returns {Promise<Limits>} */
export async function measureLimits(hlo) {
  const best = async (/** @type {string} */ text, /** @type {'gflops' | 'gbs'} */ what) => {
    const module = hlo.parse(text);
    const executable = await hlo.compile(module);
    const inputs = executable.inputs.map(({ shape }) => hlo.tensor(new Float32Array(shape.elementCount).fill(0.5), shape));
    let most = 0;
    for (let i = 0; i < 8; i++) {
      const { result, trace } = executable.profile(inputs);
      /** @type {any} */ (result).dispose();
      for (const { ph, args } of trace.traceEvents) if (ph === 'X') most = Math.max(most, args[what] ?? 0);
    }
    for (const tensor of inputs) tensor.dispose();
    executable.dispose();
    module.dispose();
    return most;
  };
  const gflops = await best('HloModule p ENTRY e { a = f32[512,512] parameter(0) b = f32[512,512] parameter(1) ROOT c = f32[512,512] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }', 'gflops');
  const gbs = await best('HloModule c ENTRY e { a = f32[4194304] parameter(0) b = f32[4194304] parameter(1) ROOT s = f32[4194304] add(a, b) }', 'gbs');
  return { gflops, gbs };
}
