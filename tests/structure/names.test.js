// Names in src/: one header defines each, include guards follow the path, and a file includes what it uses.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { forwardDeclared, guardOf, includesOf, ownersOf, ownHeader, readAll, definitionsOf, usesOf, withoutComments } from './c_names.js';
import { filesOf } from './sources.js';

const texts = readAll(filesOf('src', /\.(c|h)$/).map((path) => path.replace(/^src\//, '')));
const { owners, bodies } = ownersOf(texts);

test('definitions are found in every form', () => {
  const { names, bodies: tags } = definitionsOf(`
    #define HLO_MACRO(x) hlo_called(x)
    #define ROW(id, ...) HLO_ROW_##id,
    #undef ROW
    enum { HLO_A, HLO_B = 1 << 3 };
    typedef enum hlo_enum { HLO_C, HLO_D } hlo_enum;
    typedef struct hlo_struct { struct hlo_inner *inner; int hlo_member; } hlo_struct;
    typedef bool hlo_function_type(hlo_struct *context, int n);
    typedef void (*hlo_pointer_type)(int n);
    struct hlo_forward;
    struct hlo_body { int n; };
    hlo_function_type hlo_first, hlo_second;
    extern const hlo_struct hlo_table[HLO_A + 1];
    const char *hlo_text(const hlo_struct *s, int count) __attribute__((format(printf, 1, 2)));
    static inline int hlo_inline(int n) { if (n) { hlo_called(n); } return n; }`);
  assert.deepEqual([...names].sort(), ['HLO_A', 'HLO_B', 'HLO_C', 'HLO_D', 'HLO_MACRO', 'hlo_enum', 'hlo_first', 'hlo_function_type', 'hlo_inline',
    'hlo_pointer_type', 'hlo_second', 'hlo_struct', 'hlo_table', 'hlo_text']);
  assert.deepEqual([...tags].sort(), ['hlo_body', 'hlo_enum', 'hlo_struct']);
  assert.deepEqual(['HLO_OP_ADD', 'HLO_ATTR_dimensions', 'HLO_TYPE_F32', 'hlo_infer_dot', 'hlo_reference_dot', 'hlo_rewriter'].map((name) => owners.get(name)),
    [['graph/opcode.h'], ['graph/attribute.h'], ['shape/element_type.h'], ['infer/rules.h'], ['reference/functions.h'], ['rewrite/rewriter.h']]);
});

test('no two headers define one name', () => {
  const twice = [...owners, ...bodies].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
  assert.ok(owners.size > 2000, `${owners.size} names were found`);
  assert.deepEqual([...new Set(twice)], []);
});

test('include guards follow the path', () => {
  for (const [path, text] of texts) {
    if (!path.endsWith('.h')) continue;
    const [, guard, defined] = withoutComments(text).match(/^\s*#ifndef (\w+)\n#define (\w+)\n/) ?? [];
    assert.equal(guard, guardOf(path), path);
    assert.equal(defined, guardOf(path), path);
  }
});

test('a file includes what it uses', () => {
  const missing = [];
  for (const [path, text] of texts) {
    const includes = new Set(includesOf(text));
    const own = ownHeader(path);
    if (path.endsWith('.c') && includes.has(own) && texts.has(own)) for (const name of includesOf(texts.get(own))) includes.add(name);
    const forward = forwardDeclared(text);
    for (const name of usesOf(text).names) {
      const found = /^(hlo|HLO)_/.test(name) && !forward.has(name) ? owners.get(name) : undefined;
      if (found && !found.includes(path) && !found.some((header) => includes.has(header))) missing.push(`${path} uses ${name} of ${found.join(' or ')}`);
    }
  }
  assert.deepEqual(missing, []);
});
