// Operations in which replicas or partitions meet.
import { refused, run } from './notation.js';

const TWO = { header: 'replica_count=2' };
const FOUR = { header: 'replica_count=4' };

/** @type {import('./notation.js').Group} */
export default {
  title: 'Replicas and partitions',
  says: 'The same program runs several times at once, and its runs exchange values. replica_groups says who meets whom; without it, everyone.',
  cost: 'In one process the values are exchanged in memory. Over MPI they go through the network.',
  operations: {
    'all-reduce': {
      names: 'AllReduce CrossReplicaSum psum',
      gives: 'An array with the operand’s shape, the same for all members of a group.',
      examples: [
        run('a sum of two', 'x: f32[2] {1, 2.5} | x: f32[2] {3, 5.1}', 'all-reduce(x), to_apply=add_f32', 'f32[2] {4, 7.6} | f32[2] {4, 7.6}', TWO),
        run('in pairs', 'x: f32[] 1 | x: f32[] 2 | x: f32[] 3 | x: f32[] 4', 'all-reduce(x), replica_groups={{0,2},{1,3}}, to_apply=add_f32', 'f32[] 4 | f32[] 6 | f32[] 4 | f32[] 6', FOUR),
      ],
      rules: [
        refused('No one is in two groups.', 'x: f32[4]', 'all-reduce(x), replica_groups={{0,1},{1,2}}, to_apply=add_f32', 'all-reduce: replica_groups must not name an id twice, but holds 1 twice'),
        refused('Ids leave no gap.', 'x: f32[4]', 'all-reduce(x), replica_groups={{0,2}}, to_apply=add_f32', 'all-reduce: replica_groups hold 2 ids, so these must be 0 to 1, got 2'),
        refused('to_apply works on the elements.', 'x: s32[4]', 'all-reduce(x), to_apply=add_f32', 'all-reduce: to_apply add_f32 works on f32[], which does not fit the elements of operands[0], which are s32'),
        refused('Ids of all devices need a channel.', 'x: f32[4]', 'all-reduce(x), replica_groups={{0,1}}, use_global_device_ids=true, to_apply=add_f32', 'all-reduce: use_global_device_ids=true needs a channel_id greater than 0'),
      ],
      old: ['that a replica which meets no other waits for ever. In WebHLO that is an error, DEADLOCK, that says who waits for whom.'],
    },
    'all-gather': {
      names: 'AllGather',
      gives: 'An array as many times as large along the dimension as the group has members.',
      examples: [run('two halves', 'x: f32[2] {1, 2} | x: f32[2] {3, 4}', 'f32[4] all-gather(x), replica_groups={{0,1}}, dimensions={0}', 'f32[4] {1, 2, 3, 4} | f32[4] {1, 2, 3, 4}', TWO)],
      rules: [
        refused('The dimension is one of the operand.', 'x: f32[4,2]', 'f32[4,6] all-gather(x), replica_groups={{0,1,2}}, dimensions={2}', 'all-gather: dimensions must name a dimension of operands[0] f32[4,2], got 2'),
        refused('Groups have one size.', 'x: f32[4]', 'f32[8] all-gather(x), replica_groups={{0,1},{2}}, dimensions={0}', 'all-gather: replica_groups must all have the same size, got 2 and 1'),
        refused('The result holds what all members give.', 'x: f32[4,2]', 'f32[4,4] all-gather(x), replica_groups={{0,1,2}}, dimensions={1}', 'all-gather: the result must be 3 (the size of a group) times as large in dimension 1 and the same in the others, got operands[0] f32[4,2] and f32[4,4]'),
      ],
    },
    'reduce-scatter': {
      names: 'ReduceScatter',
      gives: 'An array as many times smaller along the dimension as the group has members: each gets its part.',
      examples: [run('half of the sum for each', 'x: f32[4] {1, 2, 3, 4} | x: f32[4] {10, 20, 30, 40}', 'f32[2] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0}, to_apply=add_f32', 'f32[2] {11, 22} | f32[2] {33, 44}', TWO)],
      rules: [
        refused('The parts make up the whole.', 'x: f32[8]', 'f32[3] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0}, to_apply=add_f32', 'reduce-scatter: the operand must be 2 (the size of a group) times as large in dimension 0 and the same in the others, got operands[0] f32[8] and f32[3]'),
        refused('The dimension is one of the operand.', 'x: f32[8]', 'f32[4] reduce-scatter(x), replica_groups={{0,1}}, dimensions={1}, to_apply=add_f32', 'reduce-scatter: dimensions must name a dimension of operands[0] f32[8], got 1'),
      ],
    },
    'all-to-all': {
      names: 'AllToAll',
      gives: 'An array with the operand’s shape: the i-th member gets the i-th part of everyone.',
      examples: [run('two halves change places', 'x: f32[4] {1, 2, 3, 4} | x: f32[4] {10, 20, 30, 40}', 'all-to-all(x), replica_groups={{0,1}}, dimensions={0}', 'f32[4] {1, 2, 10, 20} | f32[4] {3, 4, 30, 40}', TWO)],
      rules: [
        refused('The members divide the dimension.', 'x: f32[7]', 'all-to-all(x), replica_groups={{0,1}}, dimensions={0}', 'all-to-all: the 2 members of a group must divide dimension 0 of operands[0] f32[7]'),
        refused('Without dimensions, an operand for each member.', 'x: f32[4]; y: f32[4]', 'all-to-all(x, y), replica_groups={{0,1,2}}', 'all-to-all: without dimensions there must be one operand for each of the 3 members of a group, got 2'),
        refused('These have one shape.', 'x: f32[4]; y: f32[5]', 'all-to-all(x, y), replica_groups={{0,1}}', 'all-to-all: operands[1] must be f32[4] as operands[0] is, got f32[5]'),
      ],
    },
    'ragged-all-to-all': {
      names: 'RaggedAllToAll ragged_all_to_all',
      more: 'Each member sends to each other a slice of a size of its own, and says where it is put there.',
      gives: 'An array with the shape of output, in which the slices that arrived have replaced what was there.',
      examples: [
        run('one row here, two rows there', 'x: f32[3] {1, 2, 3}; o: f32[3] {0, 0, 0}; from: s32[2] {0, 1}; send: s32[2] {1, 2}; to: s32[2] {0, 0}; take: s32[2] {1, 1} | x: f32[3] {10, 20, 30}; o: f32[3] {0, 0, 0}; from: s32[2] {0, 1}; send: s32[2] {1, 1}; to: s32[2] {1, 2}; take: s32[2] {2, 1}', 'ragged-all-to-all(x, o, from, send, to, take), replica_groups={{0,1}}', 'f32[3] {1, 10, 0} | f32[3] {2, 3, 20}', { ...TWO, says: 'Replica 0 keeps its first number and sends two; replica 1 sends one and keeps one.' }),
      ],
      rules: [
        refused('One element type.', 'x: f32[8]; o: s32[9]; a: s32[2]; b: s32[2]; c: s32[2]; d: s32[2]', 'ragged-all-to-all(x, o, a, b, c, d)', 'ragged-all-to-all: operand and output must have the same element type, got operand f32[8] and output s32[9]'),
        refused('They differ in the first dimension only.', 'x: f32[8,3]; o: f32[8,4]; a: s32[2]; b: s32[2]; c: s32[2]; d: s32[2]', 'ragged-all-to-all(x, o, a, b, c, d)', 'ragged-all-to-all: operand and output must have at least one dimension and differ in the first only, got f32[8,3] and f32[8,4]'),
        refused('Sizes are whole numbers.', 'x: f32[8]; o: f32[8]; a: s32[2]; b: f32[2]; c: s32[2]; d: s32[2]', 'ragged-all-to-all(x, o, a, b, c, d)', 'ragged-all-to-all: send_sizes must have integer elements, got f32[2]'),
      ],
    },
    'collective-permute': {
      names: 'CollectivePermute ppermute',
      gives: 'An array with the operand’s shape: what was sent here, and zeros where no one sent anything.',
      examples: [
        run('a ring of three', 'x: f32[] 1 | x: f32[] 2 | x: f32[] 3', 'collective-permute(x), source_target_pairs={{0,1},{1,2},{2,0}}', 'f32[] 3 | f32[] 1 | f32[] 2', { header: 'replica_count=3' }),
        run('one way only', 'x: f32[] 1 | x: f32[] 2', 'collective-permute(x), source_target_pairs={{0,1}}', 'f32[] 0 | f32[] 1', TWO),
      ],
      rules: [
        refused('Pairs.', 'x: f32[4]', 'collective-permute(x), source_target_pairs={{0,1,2}}', 'collective-permute: source_target_pairs must hold pairs, got 3 ids in one'),
        refused('No one sends twice.', 'x: f32[4]', 'collective-permute(x), source_target_pairs={{0,1},{0,2}}', 'collective-permute: the sources of source_target_pairs must not name an id twice, but holds 0 twice'),
        refused('No one receives twice.', 'x: f32[4]', 'collective-permute(x), source_target_pairs={{0,1},{2,1}}', 'collective-permute: the targets of source_target_pairs must not name an id twice, but holds 1 twice'),
      ],
    },
    'collective-broadcast': {
      names: 'CollectiveBroadcast',
      gives: 'What the first member of the group has; zeros for those who are in none.',
      examples: [run('from the second to the first', 'x: f32[] 1 | x: f32[] 2', 'collective-broadcast(x), replica_groups={{1,0}}', 'f32[] 2 | f32[] 2', TWO)],
      rules: [refused('No one is in two groups.', 'x: f32[4]', 'collective-broadcast(x), replica_groups={{0,1},{1}}', 'collective-broadcast: replica_groups must not name an id twice, but holds 1 twice')],
    },
    'all-gather-start': {
      more: 'all-gather in two halves, so that something else can be computed between them.',
      gives: 'A tuple of the operand and the result to come.',
      examples: [run('begun and waited for', 'x: f32[1] {1} | x: f32[1] {2}', 's = (f32[1], f32[2]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}\nROOT r = all-gather-done(s)', 'f32[2] {1, 2} | f32[2] {1, 2}', TWO)],
      rules: [refused('The shape says what is on its way.', 'x: f32[4]', 's = f32[8] all-gather-start(x), replica_groups={{0,1}}, dimensions={0}\nROOT r = all-gather-done(s)', 'all-gather-start: the result is a tuple of the operand and the result to come, but f32[8] is declared')],
    },
    'all-gather-done': {
      gives: 'The result of the all-gather that was begun.',
      examples: [run('waited for', 'x: f32[1] {3} | x: f32[1] {4}', 's = (f32[1], f32[2]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}\nROOT r = all-gather-done(s)', 'f32[2] {3, 4} | f32[2] {3, 4}', TWO)],
      rules: [refused('It stands behind its start.', 'x: f32[4]', 'all-gather-done(x)', 'all-gather-done: operand must be what the start gives, a tuple of at least 2 elements, got f32[4]')],
    },
    'all-reduce-start': {
      more: 'all-reduce in two halves.',
      gives: 'The shape of the result to come.',
      examples: [run('begun and waited for', 'x: f32[] 1 | x: f32[] 2', 's = f32[] all-reduce-start(x), to_apply=add_f32\nROOT r = all-reduce-done(s)', 'f32[] 3 | f32[] 3', TWO)],
      rules: [refused('No one is in two groups.', 'x: f32[4]', 's = all-reduce-start(x), replica_groups={{0,1},{1,2}}, to_apply=add_f32\nROOT r = all-reduce-done(s)', 'all-reduce-start: replica_groups must not name an id twice, but holds 1 twice')],
    },
    'all-reduce-done': {
      gives: 'The result of the all-reduce that was begun.',
      examples: [run('waited for', 'x: f32[] 5 | x: f32[] 6', 's = f32[] all-reduce-start(x), to_apply=add_f32\nROOT r = all-reduce-done(s)', 'f32[] 11 | f32[] 11', TWO)],
    },
    'collective-permute-start': {
      more: 'collective-permute in two halves.',
      gives: 'A tuple of the operand and what is on its way here.',
      examples: [run('begun and waited for', 'x: f32[] 1 | x: f32[] 2', 's = (f32[], f32[]) collective-permute-start(x), source_target_pairs={{0,1},{1,0}}\nROOT r = collective-permute-done(s)', 'f32[] 2 | f32[] 1', TWO)],
      rules: [refused('What arrives has the shape of what is sent.', 'x: f32[4]', 's = (f32[4], f32[5]) collective-permute-start(x), source_target_pairs={{0,1}}\nROOT r = collective-permute-done(s)', 'collective-permute-start: element 1 of the result must be f32[4] as what is sent is, but f32[5] is declared')],
    },
    'collective-permute-done': {
      gives: 'What was sent here.',
      examples: [run('waited for', 'x: f32[] 7 | x: f32[] 8', 's = (f32[], f32[]) collective-permute-start(x), source_target_pairs={{0,1},{1,0}}\nROOT r = collective-permute-done(s)', 'f32[] 8 | f32[] 7', TWO)],
      rules: [refused('It stands behind its start.', 'x: f32[4]', 'collective-permute-done(x)', 'collective-permute-done: operand must be what the start gives, a tuple of at least 2 elements, got f32[4]')],
    },
  },
};
