import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { failure } from './program.js';

globalThis.answer = Promise.all([failure(load), failure(loadWorker)]);
