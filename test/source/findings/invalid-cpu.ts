import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['hardware'] },
  fires: [
    [
      'a string of another form',
      `=== a.py
${SDK}
@Endpoint(cpu="5c-4-8")
              ^^^^^^^^ error: invalid-cpu
              > "5c-4-8" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def a(): ...
@Endpoint(cpu="cpu5c-4-0")
              ^^^^^^^^^^^ error: invalid-cpu
              > "cpu5c-4-0" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def b(): ...
@Endpoint(cpu="CPU5C-4-8")
              ^^^^^^^^^^^ error: invalid-cpu
              > "CPU5C-4-8" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def c(): ...
@Endpoint(cpu="")
              ^^ error: invalid-cpu
              > "" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def d(): ...
`,
    ],
    [
      'a value that is not a string',
      `=== a.py
${SDK}
@Endpoint(cpu=4)
              ^ error: invalid-cpu
              > cpu must be a string with the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def a(): ...
@Endpoint(cpu=["cpu5c-4-8"])
              ^^^^^^^^^^^^^ error: invalid-cpu
              > cpu must be a string with the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def b(): ...
@Endpoint(cpu=GpuGroup.ANY)
              ^^^^^^^^^^^^ error: invalid-cpu
              > cpu must be a string with the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def c(): ...
`,
    ],
    [
      'a missing member of CpuInstanceType',
      `=== a.py
${SDK}
@Endpoint(cpu=CpuInstanceType.CPU5C_4_9)
              ^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-cpu
              > CpuInstanceType has no member CPU5C_4_9.
              > Fix: For example: cpu="cpu5c-4-8".
def a(): ...
`,
    ],
    [
      'a constant, where it is used, and pyproject.toml',
      `=== a.py
${SDK}
SIZE = "4-8"
@Endpoint(cpu=f"5c-{SIZE}")
              ^^^^^^^^^^^^ error: invalid-cpu
              > "5c-4-8" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def a(): ...
@Endpoint(cpu=SIZE)
              ^^^^ error: invalid-cpu
              > "4-8" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
              > Fix: For example: cpu="cpu5c-4-8".
def b(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "c"
command = ["./serve"]
cpu = "4 vCPU"
      ^^^^^^^^ error: invalid-cpu
      > "4 vCPU" does not have the form cpu<generation>-<vcpu>-<ram_gb>.
      > Fix: For example: cpu = "cpu5c-4-8".
`,
    ],
  ],
  silent: [
    [
      'constants, formatted strings, members and None',
      `=== settings.py
SIZE = "4-8"
=== a.py
${SDK}
from settings import SIZE
GENERATION = "cpu5c"
@Endpoint(cpu=f"{GENERATION}-{SIZE}")
def a(): ...
@Endpoint(cpu=GENERATION + "-" + "4-8")
def b(): ...
@Endpoint(cpu=CpuInstanceType.CPU5C_4_8)
def c(): ...
@Endpoint(cpu=None)
def d(): ...
`,
    ],
    [
      'a value known only at run time',
      `=== a.py
import os
${SDK}
@Endpoint(cpu=os.environ.get("CPU", "4"))
              ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'cpu of other packages in the same file',
      `=== a.py
import kubernetes
       ^^^^^^^^^^ warning: top-level-import
import ray
       ^^^ warning: top-level-import
${SDK}
@ray.remote(num_cpus=0)
def shard(): ...
LIMITS = kubernetes.client.V1ResourceRequirements(limits={"cpu": "500m"})
def start(cpu="4"): ...
start(cpu=4)
@Endpoint(cpu="cpu5c-4-8")
def a(): ...
`,
    ],
  ],
};
