import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { load as loadInline } from 'webhlo/inline';

console.log('nothing of them is used');
