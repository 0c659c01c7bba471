// The page of ours-worker.js.
import { startWorker } from '../task-worker.js';

export const [load, answer, memory] = ['load', 'answer', 'memory'].map(startWorker('/script/smollm/ours-worker.js'));
