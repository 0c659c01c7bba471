// Values that are on their way: between memories, to the host, between devices.
import { refused, run } from './notation.js';

const SENT = `t = token[] after-all()
me = u32[] replica-id()
s = (f32[], u32[], token[]) send(x, t), channel_id=1, source_target_pairs={{0,1},{1,0}}
done = token[] send-done(s), channel_id=1
c = (f32[], u32[], token[]) recv(t), channel_id=1, source_target_pairs={{0,1},{1,0}}
got = (f32[], token[]) recv-done(c), channel_id=1
ROOT r = get-tuple-element(got), index=0`;
const TWO = { header: 'replica_count=2' };

/** @type {import('./notation.js').Group} */
export default {
  title: 'Transfers',
  says: 'Values that are on their way: from one memory to another, to and from the host, from one device to another. Tokens put them in order.',
  operations: {
    'copy-start': {
      names: 'CopyStart',
      gives: 'A tuple of the copy to come, the operand, and u32[] to wait by.',
      examples: [run('begun and waited for', 'x: f32[2] {1, 2}', 's = (f32[2], f32[2], u32[]) copy-start(x)\nROOT r = copy-done(s)', 'f32[2] {1, 2}')],
      rules: [refused('The shape says what is on its way.', 'x: f32[4]', 's = (f32[4], f32[4]) copy-start(x)\nROOT r = copy-done(s)', 'copy-start: the result is (f32[4], f32[4], u32[]), but (f32[4], f32[4]) is declared')],
    },
    'copy-done': {
      names: 'CopyDone',
      gives: 'The copy.',
      examples: [run('waited for', 'x: f32[2] {3, 4}', 's = (f32[2], f32[2], u32[]) copy-start(x)\nROOT r = copy-done(s)', 'f32[2] {3, 4}')],
      rules: [refused('It stands behind its start.', 't: (f32[4], f32[4])', 'copy-done(t)', 'copy-done: operand must be what copy-start gives, a tuple of 3 elements, got (f32[4], f32[4])')],
    },
    infeed: {
      names: 'Infeed InfeedWithToken',
      more: 'Takes the next value from a queue that the host fills: hlo.infeed.push(value, shape).',
      gives: 'A tuple of the data and a token.',
      examples: [run('the host had pushed 1 and 2', '', 't = token[] after-all()\ni = (f32[2], token[]) infeed(t)\nROOT r = get-tuple-element(i), index=0', 'f32[2] {1, 2}', { feed: ['f32[2] {1, 2}'], says: 'On an empty queue it waits for nothing: DEADLOCK. In the playground the queue is empty.' })],
      rules: [
        refused('The result is the data and a token.', 't: token[]', 'f32[4] infeed(t)', 'infeed: the result is (data, token[]), but f32[4] is declared'),
        refused('Tuples do not stand within tuples.', 't: token[]', '((f32[4], (s32[])), token[]) infeed(t)', 'infeed: tuples within the tuple of data are not supported, got (f32[4], (s32[]))'),
        refused('What it waits for is a token.', 'x: f32[]', '(f32[4], token[]) infeed(x)', 'infeed: token must be a token, got f32[]'),
      ],
    },
    outfeed: {
      names: 'Outfeed OutfeedWithToken',
      more: 'Puts a value into a queue that the host reads: hlo.outfeed.take().',
      gives: 'A token.',
      examples: [run('the host reads it', 'x: f32[2] {1, 2}', 't = token[] after-all()\nROOT o = token[] outfeed(x, t), outfeed_shape=f32[2]{0}', 'f32[2] {1, 2}', { says: 'What is shown is what the host read.', fetch: 1 })],
      rules: [
        refused('outfeed_shape is the operand’s shape.', 'x: f32[4]; t: token[]', 'outfeed(x, t), outfeed_shape=f32[5]{0}', 'outfeed: operand must be f32[5] as outfeed_shape says, got f32[4]'),
        refused('What it waits for is a token.', 'x: f32[4]; y: f32[]', 'outfeed(x, y)', 'outfeed: token must be a token, got f32[]'),
      ],
    },
    send: {
      names: 'Send',
      more: 'Sends a value to the device that its source_target_pairs name, over a channel. The other side receives it.',
      gives: 'A tuple of the data, u32[] to wait by, and a token.',
      examples: [run('two change places', 'x: f32[] 1 | x: f32[] 2', SENT, 'f32[] 2 | f32[] 1', TWO)],
      rules: [
        refused('No one sends twice.', 'x: f32[4]; t: token[]', 's = send(x, t), channel_id=1, source_target_pairs={{0,1},{0,2}}\nROOT r = send-done(s), channel_id=1', 'send: the sources of source_target_pairs must not name an id twice, but holds 0 twice'),
        refused('A channel.', 'x: f32[4]; t: token[]', 's = send(x, t)\nROOT r = send-done(s)', 'send: attribute channel_id must be given'),
        refused('What it waits for is a token.', 'x: f32[4]; y: f32[]', 's = send(x, y), channel_id=1\nROOT r = send-done(s)', 'send: token must be a token, got f32[]'),
      ],
    },
    'send-done': {
      names: 'SendDone',
      gives: 'A token, which is there once the value is sent.',
      examples: [run('two change places', 'x: f32[] 3 | x: f32[] 4', SENT, 'f32[] 4 | f32[] 3', TWO)],
      rules: [refused('It stands behind its send.', 'x: f32[4]', 'send-done(x), channel_id=1', 'send-done: operand must be what send gives, (data, u32[], token[]), got f32[4]')],
    },
    recv: {
      names: 'Recv',
      gives: 'A tuple of the data to come, u32[] to wait by, and a token.',
      examples: [run('two change places', 'x: f32[] 5 | x: f32[] 6', SENT, 'f32[] 6 | f32[] 5', TWO)],
      rules: [
        refused('No one receives twice.', 't: token[]', 's = (f32[4], u32[], token[]) recv(t), channel_id=1, source_target_pairs={{0,1},{2,1}}\nROOT r = recv-done(s)', 'recv: the targets of source_target_pairs must not name an id twice, but holds 1 twice'),
        refused('The shape says what is on its way.', 't: token[]', 's = (f32[4], token[]) recv(t), channel_id=1\nROOT r = recv-done(s)', 'recv: the result is (data, u32[], token[]), but (f32[4], token[]) is declared'),
      ],
    },
    'recv-done': {
      names: 'RecvDone',
      gives: 'A tuple of the data and a token.',
      examples: [run('two change places', 'x: f32[] 7 | x: f32[] 8', SENT, 'f32[] 8 | f32[] 7', TWO)],
      rules: [refused('It stands behind its recv.', 't: (f32[4], s32[], token[])', 'recv-done(t)', 'recv-done: operand must be what recv gives, (data, u32[], token[]), got (f32[4], s32[], token[])')],
    },
  },
};
