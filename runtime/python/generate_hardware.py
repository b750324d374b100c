"""Hardware table → toolkit_sdk/hardware.py: the enums that users write come from the table the toolkit checks by."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE.parent / "contract" / "hardware.json"
MODULE = HERE / "toolkit_sdk" / "hardware.py"


def hardware_module(table: dict[str, dict[str, object] | list[str]]) -> str:
    """The module's text.

    Args:
        table: The content of runtime/contract/hardware.json.
    """
    groups = [(name, name) for name in table["gpuGroups"]]
    types = [(name, name) for name in table["gpuTypes"]]
    cpus = [(form.upper().replace("-", "_"), form) for form in table["cpu"]]
    return "\n".join(
        [
            '"""GPU groups, GPU types and cpu forms. Made by generate_hardware.py from the hardware table."""',
            "",
            "from enum import Enum",
            "",
            "",
            *_enum("GpuGroup", "Groups of GPUs of one size; `ANY` gives the best availability.", groups),
            "",
            "",
            *_enum("GpuType", "Single GPU models.", types),
            "",
            "",
            *_enum("CpuInstanceType", "CPU-only instances: generation, vCPUs, memory in GB.", cpus),
            "",
        ]
    )


def _enum(name: str, description: str, members: list[tuple[str, str]]) -> list[str]:
    lines = [f"class {name}(str, Enum):", f'    """{description}"""', ""]
    return lines + [f'    {member} = "{value}"' for member, value in members]


if __name__ == "__main__":
    text = hardware_module(json.loads(TABLE.read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        sys.exit(
            0 if MODULE.read_text(encoding="utf-8") == text else f"{MODULE.name} is old: run {Path(__file__).name}."
        )
    MODULE.write_text(text, encoding="utf-8")
