// What runs with one thread stays on one core, where the system has taskset.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const prefix = availableParallelism() > 1 && spawnSync('taskset', ['-c', '1', 'true']).status === 0 ? ['taskset', '-c', '1'] : [];

/** @param {string[]} command */
export const onOneCore = (command) => [...prefix, ...command];
