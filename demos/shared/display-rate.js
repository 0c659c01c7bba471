// Work between one picture and the next, and how much of it there was.

/** Milliseconds of a frame that go into steps: the rest is for the picture, and for the reader. */
const BUDGET = 10;
/** Milliseconds over which the speed is counted. */
const WINDOW = 1000;

/**
 * @typedef {object} Display
 * @property {boolean} isRunning
 * @property {number} speed steps a second, over the last second; 0 at rest
 * @property {(running: boolean) => void} run goes on, or pauses
 * @property {(count?: number) => void} once so many steps and a picture; 0 draws what is there
 */

/**
 * Takes steps and shows pictures, at the rate of the display. The page begins at rest where a reader wants less motion.
 * @param {object} options
 * @param {() => void} options.step
 * @param {() => void} options.show
 * @param {() => number} options.atMost steps for each picture; fewer where they take longer than a frame has time
 * @param {(running: boolean) => void} options.onChange
 * @returns {Display}
 */
export function atDisplayRate({ step, show, atMost, onChange }) {
  /** @type {{ at: number, count: number }[]} */
  let frames = [];
  let waiting = 0;

  function frame() {
    const begun = performance.now();
    let count = 0;
    do step();
    while (++count < atMost() && performance.now() - begun < BUDGET);
    frames.push({ at: begun, count });
    frames = frames.filter(({ at }) => begun - at <= WINDOW);
    show();
    waiting = requestAnimationFrame(frame);
  }

  return {
    get isRunning() {
      return waiting !== 0;
    },
    get speed() {
      if (waiting === 0 || frames.length < 2) return 0;
      const steps = frames.slice(1).reduce((sum, { count }) => sum + count, 0);
      return (steps / (frames[frames.length - 1].at - frames[0].at)) * 1000;
    },
    run(running) {
      if (running === (waiting !== 0)) return;
      cancelAnimationFrame(waiting);
      frames = [];
      waiting = running ? requestAnimationFrame(frame) : 0;
      onChange(running);
      if (!running) show();
    },
    once(count = 0) {
      for (let i = 0; i < count; i++) step();
      show();
    },
  };
}

/** Whether a page may move by itself. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Numbers of a speed in few digits. @param {number} speed */
export const speedText = (speed) => (speed < 10 ? speed.toFixed(1) : Math.round(speed).toLocaleString('en'));
