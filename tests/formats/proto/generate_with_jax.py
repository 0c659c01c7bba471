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
