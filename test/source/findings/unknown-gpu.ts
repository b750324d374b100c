import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['hardware'] },
  fires: [
    [
      'a mistyped member, and one of the other enumeration',
      `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.ADA_42)
              ^^^^^^^^^^^^^^^ error: unknown-gpu
              > GpuGroup has no member ADA_42; did you mean GpuGroup.ADA_24?
              > Fix: Write gpu=GpuGroup.ADA_24.
def a(): ...
@Endpoint(gpu=GpuGroup.NVIDIA_L4)
              ^^^^^^^^^^^^^^^^^^ error: unknown-gpu
              > GpuGroup has no member NVIDIA_L4; did you mean GpuType.NVIDIA_L4?
              > Fix: Write gpu=GpuType.NVIDIA_L4.
def b(): ...
@Endpoint(gpu=GpuType.AMPERE_80)
              ^^^^^^^^^^^^^^^^^ error: unknown-gpu
              > GpuType has no member AMPERE_80; did you mean GpuGroup.AMPERE_80?
              > Fix: Write gpu=GpuGroup.AMPERE_80.
def c(): ...
@Endpoint(gpu=GpuGroup.H100)
              ^^^^^^^^^^^^^ error: unknown-gpu
              > GpuGroup has no member H100; did you mean GpuType.NVIDIA_H100_80GB_HBM3?
              > Fix: Write gpu=GpuType.NVIDIA_H100_80GB_HBM3.
def d(): ...
`,
    ],
    [
      'a member without a similar one',
      `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.TPU_V5_LITE_POD)
              ^^^^^^^^^^^^^^^^^^^^^^^^ error: unknown-gpu
              > GpuGroup has no member TPU_V5_LITE_POD; its members are ANY, ADA_24, ADA_32_PRO, ADA_48_PRO, ADA_80_PRO, AMPERE_16, AMPERE_24, AMPERE_48, AMPERE_80, HOPPER_141, BLACKWELL_96, BLACKWELL_180.
              > Fix: Write gpu=GpuGroup.ANY.
def a(): ...
`,
    ],
    [
      'through the package, an alias, and in pyproject.toml',
      `=== a.py
import toolkit_sdk
from toolkit_sdk import GpuGroup as G
@toolkit_sdk.Endpoint(gpu=toolkit_sdk.GpuType.NVIDIA_L5)
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: unknown-gpu
                          > GpuType has no member NVIDIA_L5; did you mean GpuType.NVIDIA_L4?
                          > Fix: Write gpu=GpuType.NVIDIA_L4.
def a(): ...
CARD = G.HOPPER_80
@toolkit_sdk.Endpoint(gpu=CARD)
                          ^^^^ error: unknown-gpu
                          > GpuGroup has no member HOPPER_80; did you mean GpuGroup.HOPPER_141?
                          > Fix: Write gpu=GpuGroup.HOPPER_141.
def b(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "c"
command = ["./serve"]
gpu = "H100"
      ^^^^^^ error: unknown-gpu
      > "H100" is not the name of a GPU group or type; did you mean "NVIDIA_H100_80GB_HBM3"?
      > Fix: Write gpu = "NVIDIA_H100_80GB_HBM3".
[[tool.toolkit.endpoints]]
name = "d"
command = ["./serve"]
gpu = "TPU_V5_LITE_POD"
      ^^^^^^^^^^^^^^^^^ error: unknown-gpu
      > "TPU_V5_LITE_POD" is not the name of a GPU group or type; the names are ANY, ADA_24, ADA_32_PRO, ADA_48_PRO, ADA_80_PRO, AMPERE_16, AMPERE_24, AMPERE_48, AMPERE_80, HOPPER_141, BLACKWELL_96, BLACKWELL_180, NVIDIA_GEFORCE_RTX_4090, NVIDIA_GEFORCE_RTX_5090, NVIDIA_RTX_6000_ADA_GENERATION, NVIDIA_RTX_PRO_6000_BLACKWELL_SERVER_EDITION, NVIDIA_RTX_PRO_6000_BLACKWELL_WORKSTATION_EDITION, NVIDIA_RTX_PRO_6000_BLACKWELL_MAX_Q_WORKSTATION_EDITION, NVIDIA_H100_80GB_HBM3, NVIDIA_RTX_A4000, NVIDIA_RTX_A4500, NVIDIA_RTX_4000_ADA_GENERATION, NVIDIA_RTX_2000_ADA_GENERATION, NVIDIA_RTX_A5000, NVIDIA_L4, NVIDIA_GEFORCE_RTX_3090, NVIDIA_A40, NVIDIA_RTX_A6000, NVIDIA_A100_80GB_PCIe, NVIDIA_A100_SXM4_80GB, NVIDIA_H200, NVIDIA_B200.
      > Fix: Write gpu = "ANY".
`,
    ],
  ],
  silent: [
    [
      'members of both enumerations, through aliases and constants',
      `=== a.py
import toolkit_sdk as sdk
from toolkit_sdk import Endpoint, GpuGroup as G
CARD = sdk.GpuType.NVIDIA_H100_80GB_HBM3
@Endpoint(gpu=CARD)
def a(): ...
@Endpoint(gpu=G.BLACKWELL_180)
def b(): ...
@sdk.Endpoint(gpu=sdk.GpuType.NVIDIA_A100_80GB_PCIe)
def c(): ...
`,
    ],
    [
      'an enumeration of the project with the same name',
      `=== hardware.py
import enum
class GpuGroup(enum.Enum):
    FAST = "fast"
=== a.py
import hardware
${SDK}
def choose(group=hardware.GpuGroup.FAST): ...
@Endpoint(gpu=GpuGroup.ANY)
def a(): ...
`,
    ],
    [
      'a member known only at run time',
      `=== a.py
import os
${SDK}
@Endpoint(gpu=GpuGroup[os.environ["GPU"]])
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
@Endpoint(gpu=getattr(GpuGroup, "ADA_42"))
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def b(): ...
`,
    ],
    [
      'members that no declaration uses',
      `=== a.py
${SDK}
PRICES = {"ADA_42": 1}
def price(group=PRICES["ADA_42"]): ...
@Endpoint(name="a", env={"GPU": "ADA_42"})
def a(): ...
`,
    ],
  ],
};
