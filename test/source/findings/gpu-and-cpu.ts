import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['hardware'] },
  fires: [
    [
      'both in one call',
      `=== a.py
${SDK}
@Endpoint(gpu=GpuGroup.ANY, cpu="cpu5c-4-8")
                            ^^^ error: gpu-and-cpu
                            > gpu and cpu cannot be combined.
                            > Fix: Remove gpu or cpu.
                            > [gpu] gpu is given here.
          ^^^ [gpu]
def a(): ...
`,
    ],
    [
      'one of them among shared settings',
      `=== a.py
${SDK}
SETTINGS = {"gpu": GpuGroup.ANY, "workers": 1}
api = Endpoint(
    name="api",
    cpu=CpuInstanceType.CPU5C_4_8,
    ^^^ error: gpu-and-cpu
    > gpu and cpu cannot be combined.
    > Fix: Remove gpu or cpu.
    > [SETTINGS] gpu is given here.
    **SETTINGS,
      ^^^^^^^^ [SETTINGS]
)
@api.get("/a")
def a(): ...
`,
    ],
    [
      'in pyproject.toml',
      `=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "a"
command = ["./serve"]
gpu = "ANY"
^^^ [gpu]
cpu = "cpu5c-4-8"
^^^ error: gpu-and-cpu
> gpu and cpu cannot be combined.
> Fix: Remove gpu or cpu.
> [gpu] gpu is given here.
`,
    ],
  ],
  silent: [
    [
      'one of them is None',
      `=== a.py
${SDK}
@Endpoint(gpu=None, cpu="cpu5c-4-8")
def a(): ...
@Endpoint(gpu=GpuGroup.ANY, cpu=None)
def b(): ...
`,
    ],
    [
      'one of them that can be None at run time',
      `=== a.py
import os
${SDK}
HAS_GPU = bool(os.environ.get("GPU"))
@Endpoint(gpu=GpuGroup.ANY if HAS_GPU else None, cpu="cpu5c-4-8")
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'two endpoints, one on each',
      `=== a.py
${SDK}
@Endpoint(name="embed", gpu=GpuGroup.ANY)
def embed(): ...
@Endpoint(name="clean", cpu="cpu5c-4-8")
def clean(gpu="ANY"): ...
`,
    ],
    [
      'neither, which means a GPU',
      `=== a.py
${SDK}
@Endpoint(name="a", gpu_count=1)
def a(): ...
`,
    ],
  ],
};
