"""Writes HloModuleProto files of some modules of tests/formats/text/jax, as XLA serialises them.

Needs `pip install jax`.
"""

from pathlib import Path

from jaxlib import _hlo

HERE = Path(__file__).parent
NAMES = ["before_control_flow", "before_sorts", "before_element_types", "before_collectives", "before_scatters", "after_reductions"]

for name in NAMES:
    text = (HERE / "../text/jax" / f"{name}.hlo").read_text()
    module = _hlo.hlo_module_from_text(text)
    (HERE / f"{name}.pb").write_bytes(module.as_serialized_hlo_module_proto())

# The forms of groups of devices, of which each has fields of its own.
GROUPS = ["{{0,2,4,6},{1,3,5,7}}", "[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)", "mesh['a'=2,'b'=4] {'b'}", "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a','b':(1)2}",
          "mesh['a'=2,'b'=4], device_ids=(0,2,4,6,1,3,5,7) {'a'}"]  # fmt: skip
reduces = [f"  r{n} = f32[4]{{0}} all-reduce({f'r{n - 1}' if n else 'x'}), replica_groups={groups}, to_apply=add" for n, groups in enumerate(GROUPS)]
text = "\n".join([
    "HloModule device_groups, replica_count=8",
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }",
    "ENTRY e {", "  x = f32[4]{0} parameter(0)", *reduces[:-1], f"  ROOT {reduces[-1].strip()}", "}"])  # fmt: skip
module = _hlo.hlo_module_from_text(text)
(HERE / "../text/jax/device_groups.hlo").write_text(module.to_string() + "\n")
(HERE / "device_groups.pb").write_bytes(module.as_serialized_hlo_module_proto())
