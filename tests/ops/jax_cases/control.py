"""Control flow, calls, tuples, tokens, and the operations that only one replica sees."""

import numpy as np

from .harness import Family, combiner, entry
from .movement import ramp


def loop(state, condition, body, name="while"):
    """A loop over the tuple `state`: element types with the lines of both regions, which see v0, v1, ..."""
    elements = ", ".join(state)
    gets = "".join(f"  v{k} = {t} get-tuple-element(s), index={k}\n" for k, t in enumerate(state))
    head = f"  s = ({elements}) parameter(0)\n{gets}"
    return (f"{name}_condition {{\n{head}" + "".join(f"  {line}\n" for line in condition) + "}\n\n"
            f"{name}_body {{\n{head}" + "".join(f"  {line}\n" for line in body) + "}\n")  # fmt: skip


def whiles(family):
    state = ("s32[]", "f32[3]")
    regions = loop(state, ["limit = s32[] constant(1000)", "ROOT r = pred[] compare(v0, limit), direction=LT"],
                   ["one = s32[] constant(1)", "n = s32[] add(v0, one)", "x = f32[3] add(v1, v1)", 
                    "k = f32[3] subtract(x, v1)", "ROOT t = (s32[], f32[3]) tuple(n, k)"])  # fmt: skip
    x, i = np.float32([1, 2, 3]), np.int32(0)
    text = entry({"i": i, "x": x}, "t = (s32[], f32[3]) tuple(i, x)",
                 "r = (s32[], f32[3]) while(t), condition=while_condition, body=while_body", regions=regions)  # fmt: skip
    family.add("while_1000_iterations", text, [i, x])
    family.add("while_not_entered", text, [np.int32(1000), x])
    regions = loop(("s32[]", "s32[]"), ["limit = s32[] constant(10)", "ROOT r = pred[] compare(v0, limit), direction=LT"],
                   ["n = s32[] add(v0, v1)", "ROOT t = (s32[], s32[]) tuple(v1, n)"])  # fmt: skip
    a, b = np.int32(0), np.int32(1)
    text = entry({"a": a, "b": b}, "t = (s32[], s32[]) tuple(a, b)", "w = (s32[], s32[]) while(t), condition=while_condition, body=while_body",
                 "r = s32[] get-tuple-element(w), index=1", regions=regions)  # fmt: skip
    family.add("while_swaps_its_state", text, [a, b])
    scalar = ("single_condition {\n  s = f32[] parameter(0)\n  l = f32[] constant(100)\n  ROOT r = pred[] compare(s, l), direction=LT\n}\n\n"
              "single_body {\n  s = f32[] parameter(0)\n  ROOT r = f32[] add(s, s)\n}\n")  # fmt: skip
    x = np.float32(3)
    family.add("while_without_tuple", entry({"x": x}, "r = f32[] while(x), condition=single_condition, body=single_body", regions=scalar), [x])
    inner = loop(("s32[]", "s32[]", "s32[]"), ["ROOT r = pred[] compare(v1, v0), direction=LT"],
                 ["one = s32[] constant(1)", "j = s32[] add(v1, one)", "m = s32[] multiply(v0, v1)", "a = s32[] add(v2, m)",
                  "ROOT t = (s32[], s32[], s32[]) tuple(v0, j, a)"], name="inner")  # fmt: skip
    outer = loop(("s32[]", "s32[]"), ["limit = s32[] constant(6)", "ROOT r = pred[] compare(v0, limit), direction=LT"],
                 ["one = s32[] constant(1)", "zero = s32[] constant(0)", "p = (s32[], s32[], s32[]) tuple(v0, zero, v1)",
                  "w = (s32[], s32[], s32[]) while(p), condition=inner_condition, body=inner_body",
                  "a = s32[] get-tuple-element(w), index=2", "i = s32[] add(v0, one)", "ROOT t = (s32[], s32[]) tuple(i, a)"], name="outer")  # fmt: skip
    text = entry({"i": i, "a": i}, "t = (s32[], s32[]) tuple(i, a)", "w = (s32[], s32[]) while(t), condition=outer_condition, body=outer_body",
                 "r = s32[] get-tuple-element(w), index=1", regions=inner + "\n" + outer)  # fmt: skip
    family.add("while_nested", text, [i, i])
    regions = loop(("s32[]", "s32[4]"), ["limit = s32[] constant(4)", "ROOT r = pred[] compare(v0, limit), direction=LT"],
                   ["one = s32[] constant(1)", "sq = s32[] multiply(v0, v0)", "u = s32[1] reshape(sq)",
                    "d = s32[4] dynamic-update-slice(v1, u, v0)", "n = s32[] add(v0, one)", "ROOT t = (s32[], s32[4]) tuple(n, d)"])  # fmt: skip
    x = np.full(4, -1, np.int32)
    text = entry({"i": i, "x": x}, "t = (s32[], s32[4]) tuple(i, x)", "w = (s32[], s32[4]) while(t), condition=while_condition, body=while_body",
                 "g = s32[4] get-tuple-element(w), index=1", "r = (s32[4], s32[4]) tuple(g, x)", regions=regions)  # fmt: skip
    family.add("while_updates_in_place_but_not_the_input", text, [i, x])


BRANCHES = ("double {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] add(x, x)\n}\n\n"
            "square {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] multiply(x, x)\n}\n\n"
            "minus {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] negate(x)\n}\n")  # fmt: skip


def conditionals(family):
    x, y = np.float32([3, -4]), np.float32([5, 6])
    for value in (True, False):
        p = np.array(value)
        text = entry({"p": p, "x": x, "y": y}, "r = f32[2] conditional(p, x, y), true_computation=double, false_computation=square", regions=BRANCHES)
        family.add(f"conditional_{str(value).lower()}", text, [p, x, y])
    for value in (0, 1, 2, 3, 100, -1, -(2**31)):
        i = np.int32(value)
        text = entry({"i": i, "x": x, "y": y}, "r = f32[2] conditional(i, x, y, y), branch_computations={double, square, minus}", regions=BRANCHES)
        family.add(f"conditional_branch_{str(value).replace('-', 'minus_')}", text, [i, x, y])
    nested = (BRANCHES + "\nchoose {\n  t = (pred[], f32[2]) parameter(0)\n  p = pred[] get-tuple-element(t), index=0\n"
              "  x = f32[2] get-tuple-element(t), index=1\n"
              "  ROOT r = f32[2] conditional(p, x, x), true_computation=double, false_computation=square\n}\n")  # fmt: skip
    for value in (True, False):
        p = np.array(value)
        text = entry({"p": p, "x": x}, "t = (pred[], f32[2]) tuple(p, x)",
                     "r = f32[2] conditional(p, t, x), true_computation=choose, false_computation=minus", regions=nested)  # fmt: skip
        family.add(f"conditional_nested_{str(value).lower()}", text, [p, x])
    tuples = ("both {\n  x = f32[2] parameter(0)\n  n = f32[2] negate(x)\n  ROOT t = (f32[2], f32[2]) tuple(x, n)\n}\n\n"
              "swap {\n  x = f32[2] parameter(0)\n  n = f32[2] negate(x)\n  ROOT t = (f32[2], f32[2]) tuple(n, x)\n}\n")  # fmt: skip
    p = np.array(False)
    text = entry({"p": p, "x": x}, "r = (f32[2], f32[2]) conditional(p, x, x), true_computation=both, false_computation=swap", regions=tuples)
    family.add("conditional_of_tuples", text, [p, x])


def calls(family):
    x = np.float32([3, -4])
    text = entry({"x": x}, "a = f32[2] call(x), to_apply=double", "b = f32[2] call(a), to_apply=square", "r = f32[2] call(b), to_apply=double", regions=BRANCHES)
    family.add("call_chain", text, [x])
    regions = BRANCHES + "\ntwice {\n  x = f32[2] parameter(0)\n  a = f32[2] call(x), to_apply=double\n  ROOT b = f32[2] call(a), to_apply=double\n}\n"
    family.add("call_of_call", entry({"x": x}, "r = f32[2] call(x), to_apply=twice", regions=regions), [x])
    regions = "pair {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(1)\n  ROOT t = (f32[2], f32[2]) tuple(y, x)\n}\n"
    family.add("call_returns_tuple", entry({"x": x, "y": -x}, "r = (f32[2], f32[2]) call(x, y), to_apply=pair", regions=regions), [x, -x])


def tuples(family):
    x, y = np.float32([1, 2]), np.int32(7)
    text = entry({"x": x, "y": y}, "t = (f32[2], s32[]) tuple(x, y)", "u = ((f32[2], s32[]), s32[]) tuple(t, y)",
                 "g = (f32[2], s32[]) get-tuple-element(u), index=0", "r = f32[2] get-tuple-element(g), index=0")  # fmt: skip
    family.add("tuple_nested", text, [x, y])
    family.add("tuple_of_one", entry({"x": x}, "r = (f32[2]) tuple(x)"), [x])
    family.add("tuple_repeats_an_element", entry({"x": x}, "r = (f32[2], f32[2]) tuple(x, x)"), [x])
    text = entry({"x": x}, "b = f32[2] add(x, x)", "t = (f32[2], f32[2]) tuple(x, b)", "o = (f32[2], f32[2]) opt-barrier(t)",
                 "r = f32[2] get-tuple-element(o), index=1")  # fmt: skip
    family.add("opt_barrier", text, [x])
    text = entry({"x": x}, "t = token[] after-all()", "u = token[] after-all(t, t)", "r = f32[2] add-dependency(x, u)")
    family.add("after_all_and_add_dependency", text, [x], expect=[x], xla=False)
    text = "HloModule identity\n\nENTRY main {\n  ROOT x = f32[2] parameter(0)\n}"
    family.add("identity", text, [x])
    text = "HloModule unused\n\nENTRY main {\n  x = f32[2] parameter(0)\n  y = f32[2] parameter(1)\n  ROOT r = f32[2] add(y, y)\n}"
    family.add("unused_parameter", text, [x, -x])
    text = entry({"x": x}, "r = s32[] get-dimension-size(x), dimensions={0}")
    family.add("get_dimension_size", text, [x])


def alone(family):
    """Collectives with a single participant."""
    x = ramp("f32", 2, 2)
    regions = combiner("add", "f32", "sum")
    family.add("all_reduce_alone", entry({"x": x}, "r = f32[2,2] all-reduce(x), replica_groups={}, to_apply=sum", regions=regions), [x])
    family.add("all_gather_alone", entry({"x": x}, "r = f32[2,2] all-gather(x), replica_groups={{0}}, dimensions={0}"), [x])
    family.add("reduce_scatter_alone", entry({"x": x}, "r = f32[2,2] reduce-scatter(x), replica_groups={{0}}, dimensions={0}, to_apply=sum", regions=regions), [x])
    family.add("all_to_all_alone", entry({"x": x}, "r = f32[2,2] all-to-all(x), replica_groups={{0}}, dimensions={0}"), [x])
    family.add("collective_permute_to_itself", entry({"x": x}, "r = f32[2,2] collective-permute(x), source_target_pairs={{0,0}}"), [x])
    family.add("collective_permute_from_nobody_is_zero", entry({"x": x}, "r = f32[2,2] collective-permute(x), source_target_pairs={}"), [x], expect=[np.zeros_like(x)], xla=False)
    family.add("replica_id_alone", "HloModule id\n\nENTRY main {\n  ROOT r = u32[] replica-id()\n}")
    family.add("partition_id_alone", "HloModule id\n\nENTRY main {\n  ROOT r = u32[] partition-id()\n}")


def make():
    flow = Family("control_flow")
    for function in (whiles, conditionals, calls, tuples, alone):
        function(flow)
    return [flow]
