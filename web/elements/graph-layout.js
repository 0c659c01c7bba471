// Where the nodes of a graph stand: in layers, operands above users, lines as short and straight as a few sweeps make them. Every part
// takes time in proportion to nodes and edges (but for sorting), so that thousands of nodes are laid out while a page waits.

/** @typedef {{ width: number, height: number }} Size */

const GAP = 18;
const LAYER_GAP = 30;
/** Edges that pass more layers go straight, instead of making room in each: of graphs of many nodes and of others. */
const LONGEST = { many: 8, few: 100 };
const MANY = 800;
const ORDER_SWEEPS = 8;
const PLACE_SWEEPS = 10;

/**
 * @param {readonly Size[]} sizes
 * @param {readonly [from: number, to: number][]} edges each to a later node
 * @param {readonly boolean[]} first nodes that belong to the top
 * @returns {{ width: number, height: number, x: number[], y: number[], points: number[][] }} corners of the nodes; points of each edge
 */
export function layered(sizes, edges, first) {
  const ranks = ranksOf(sizes.length, edges, first);
  const graph = withBends(sizes, edges, ranks);
  order(graph);
  const centres = place(graph);
  const tops = layerTops(graph);
  const least = centres.reduce((left, centre, i) => Math.min(left, centre - graph.widths[i] / 2), Infinity);
  const x = sizes.map(({ width }, i) => centres[i] - width / 2 - least);
  const y = sizes.map(({ height }, i) => tops[ranks[i]].top + (tops[ranks[i]].height - height) / 2);
  const points = edges.map(([from, to], i) => {
    const bends = graph.bends[i].flatMap((bend) => [centres[bend] - least, tops[graph.ranks[bend]].top + tops[graph.ranks[bend]].height / 2]);
    return [centres[from] - least, y[from] + sizes[from].height, ...bends, centres[to] - least, y[to]];
  });
  const width = centres.reduce((right, centre, i) => Math.max(right, centre + graph.widths[i] / 2 - least), 0);
  const last = tops[tops.length - 1];
  return { width, height: last ? last.top + last.height : 0, x, y, points };
}

/** The layer of each node: below its operands; what no parameter leads to stands right above its users. @param {number} count @param {readonly [number, number][]} edges @param {readonly boolean[]} first */
function ranksOf(count, edges, first) {
  const ranks = new Array(count).fill(0);
  const grows = [...first]; // parameters, and what is made of them
  const below = edges.toSorted((a, b) => a[1] - b[1]);
  for (const [from, to] of below) {
    ranks[to] = Math.max(ranks[to], ranks[from] + 1);
    if (grows[from]) grows[to] = true;
  }
  const room = new Array(count).fill(Infinity);
  for (const [from, to] of edges.toSorted((a, b) => b[0] - a[0])) {
    if (!grows[to] && room[to] < Infinity) ranks[to] = room[to] - 1;
    room[from] = Math.min(room[from], ranks[to]);
  }
  for (let i = 0; i < count; i++) if (!grows[i] && room[i] < Infinity) ranks[i] = room[i] - 1;
  return ranks;
}

/** @typedef {{ layers: number[][], ranks: number[], widths: number[], heights: number[], up: number[][], down: number[][], bends: number[][], places: number[] }} Layers */

/** Nodes and the bends of edges that pass layers. @param {readonly Size[]} sizes @param {readonly [number, number][]} edges @param {readonly number[]} nodeRanks @returns {Layers} */
function withBends(sizes, edges, nodeRanks) {
  const ranks = [...nodeRanks];
  const widths = sizes.map(({ width }) => width);
  const heights = sizes.map(({ height }) => height);
  /** @type {number[][]} */
  const up = sizes.map(() => []);
  /** @type {number[][]} */
  const down = sizes.map(() => []);
  /** @param {number} from @param {number} to */
  const join = (from, to) => {
    down[from].push(to);
    up[to].push(from);
  };
  const longest = sizes.length > MANY ? LONGEST.many : LONGEST.few;
  const bends = edges.map(([from, to]) => {
    /** @type {number[]} */
    const made = [];
    const span = ranks[to] - ranks[from];
    let last = from;
    for (let rank = ranks[from] + 1; span <= longest && rank < ranks[to]; rank++) {
      const bend = ranks.push(rank) - 1;
      widths.push(2);
      heights.push(0);
      up.push([]);
      down.push([]);
      join(last, bend);
      made.push((last = bend));
    }
    if (span <= longest) join(last, to);
    return made;
  });
  /** @type {number[][]} */
  const layers = Array.from({ length: ranks.reduce((most, rank) => Math.max(most, rank + 1), 0) }, () => []);
  ranks.forEach((rank, node) => layers[rank].push(node));
  const places = new Array(ranks.length).fill(0);
  for (const layer of layers) layer.forEach((node, place) => (places[node] = place));
  return { layers, ranks, widths, heights, up, down, bends, places };
}

/** Sorts each layer by the middle of the neighbours above, then below, in turns. @param {Layers} graph */
function order({ layers, up, down, places }) {
  const keys = new Array(places.length).fill(0);
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) {
    const upward = sweep % 2 === 1;
    const neighbours = upward ? down : up;
    for (const layer of upward ? layers.toReversed() : layers) {
      for (const node of layer) {
        const list = neighbours[node];
        keys[node] = list.length ? list.reduce((sum, other) => sum + places[other], 0) / list.length : places[node];
      }
      layer.sort((a, b) => keys[a] - keys[b] || places[a] - places[b]);
      layer.forEach((node, place) => (places[node] = place));
    }
  }
}

/** The centre of each node: where its neighbours are, as near as order and widths allow. @param {Layers} graph @returns {number[]} */
function place({ layers, widths, up, down }) {
  const centres = new Array(widths.length).fill(0);
  for (const layer of layers) {
    let at = 0;
    for (const node of layer) {
      centres[node] = at + widths[node] / 2;
      at += widths[node] + GAP;
    }
    for (const node of layer) centres[node] -= at / 2;
  }
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep++) {
    const upward = sweep % 2 === 1;
    for (const layer of upward ? layers.toReversed() : layers) {
      const wanted = layer.map((node) => {
        const list = sweep < PLACE_SWEEPS - 2 ? (upward ? down : up)[node] : [...up[node], ...down[node]];
        return list.length ? list.reduce((sum, other) => sum + centres[other], 0) / list.length : centres[node];
      });
      spread(layer, wanted, widths, centres);
    }
  }
  return centres;
}

/** Keeps the nodes of a layer apart while they stay as near as possible to where they want to be: neighbours that press on each other
 * become blocks, which stand at their mean. @param {number[]} layer @param {number[]} wanted @param {number[]} widths @param {number[]} centres */
function spread(layer, wanted, widths, centres) {
  /** @type {{ sum: number, weight: number, nodes: number }[]} */
  const blocks = [];
  /** @type {number[]} */
  const offsets = [];
  let offset = 0;
  layer.forEach((node, i) => {
    if (i > 0) offset += (widths[layer[i - 1]] + widths[node]) / 2 + GAP;
    offsets.push(offset);
    const weight = widths[node] <= 2 ? 2 : 1; // edges straight rather than nodes in the middle
    blocks.push({ sum: (wanted[i] - offset) * weight, weight, nodes: 1 });
    for (let last = blocks.length - 1; last > 0 && blocks[last - 1].sum / blocks[last - 1].weight > blocks[last].sum / blocks[last].weight; last--) {
      const { sum, weight: more, nodes } = /** @type {{ sum: number, weight: number, nodes: number }} */ (blocks.pop());
      blocks[last - 1].sum += sum;
      blocks[last - 1].weight += more;
      blocks[last - 1].nodes += nodes;
    }
  });
  let i = 0;
  for (const { sum, weight, nodes } of blocks) for (const end = i + nodes; i < end; i++) centres[layer[i]] = sum / weight + offsets[i];
}

/** @param {Layers} graph */
function layerTops({ layers, heights }) {
  let top = 0;
  return layers.map((layer) => {
    const height = layer.reduce((most, node) => Math.max(most, heights[node]), 0);
    const own = { top, height };
    top += height + LAYER_GAP;
    return own;
  });
}
