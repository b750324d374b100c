import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['hardware'] },
  fires: [
    [
      'a well-formed value that is not in the table, with the nearest one',
      `=== a.py
${SDK}
@Endpoint(cpu="cpu5c-4-9")
              ^^^^^^^^^^^ warning: unknown-cpu
              > "cpu5c-4-9" is not a known CPU type; did you mean "cpu5c-4-8"?
              > Fix: Write cpu="cpu5c-4-8".
def a(): ...
@Endpoint(cpu="cpu5c-4-16")
              ^^^^^^^^^^^^ warning: unknown-cpu
              > "cpu5c-4-16" is not a known CPU type; did you mean "cpu5c-8-16"?
              > Fix: Write cpu="cpu5c-8-16".
def b(): ...
`,
    ],
    [
      'a value without a similar one',
      `=== a.py
${SDK}
@Endpoint(cpu="cpu128metal-96-1024")
              ^^^^^^^^^^^^^^^^^^^^^ warning: unknown-cpu
              > "cpu128metal-96-1024" is not a known CPU type; the known types are cpu3g-1-4, cpu3g-2-8, cpu3g-4-16, cpu3g-8-32, cpu3c-1-2, cpu3c-2-4, cpu3c-4-8, cpu3c-8-16, cpu5c-1-2, cpu5c-2-4, cpu5c-4-8, cpu5c-8-16.
              > Fix: For example: cpu="cpu3g-1-4".
def a(): ...
`,
    ],
    [
      'through a constant, and in pyproject.toml',
      `=== a.py
${SDK}
CPU = "cpu3g-1-8"
api = Endpoint(name="api", cpu=CPU)
                               ^^^ warning: unknown-cpu
                               > "cpu3g-1-8" is not a known CPU type; did you mean "cpu3g-1-4"?
                               > Fix: Write cpu="cpu3g-1-4".
@api.get("/a")
def a(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "b"
command = ["./serve"]
cpu = "cpu4c-4-8"
      ^^^^^^^^^^^ warning: unknown-cpu
      > "cpu4c-4-8" is not a known CPU type; did you mean "cpu3c-4-8"?
      > Fix: Write cpu = "cpu3c-4-8".
`,
    ],
  ],
  silent: [
    [
      'every value of the table',
      `=== a.py
${SDK}
@Endpoint(cpu="cpu3g-8-32", workers=1)
def a(): ...
@Endpoint(cpu="cpu5c-8-16", workers=1)
def b(): ...
@Endpoint(cpu=CpuInstanceType.CPU3C_1_2, workers=1)
def c(): ...
`,
    ],
    [
      'a malformed value, which has another finding',
      `=== a.py
${SDK}
@Endpoint(cpu="cpu5c-4")
              ^^^^^^^^^ error: invalid-cpu
def a(): ...
`,
    ],
    [
      'such strings elsewhere',
      `=== a.py
${SDK}
SIZES = ["cpu5c-4-9"]
print("cpu9z-1-1")
@Endpoint(name="a", env={"CPU": "cpu5c-4-9"})
def a(cpu="cpu5c-4-9"): ...
`,
    ],
  ],
};
