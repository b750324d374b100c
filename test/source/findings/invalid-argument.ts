import { type FindingFixtures, SDK } from './fixtures.ts';

const REQUIREMENT = '> Fix: Write a package name with an optional version, such as "requests>=2.31".';

export const fixtures: FindingFixtures = {
  repairs: {
    changes: ['hardware', 'workers', 'idleTimeout', 'dependencies', 'gpuCount', 'env', 'image', 'command'],
    others: ['provided-by-image'],
  },
  fires: [
    [
      'a value of the wrong type, at the item if there is one',
      `=== a.py
${SDK}
@Endpoint(name=3)
               ^ error: invalid-argument
               > name must be a string.
               > Fix: For example: name="my-endpoint".
def a(): ...
@Endpoint(dependencies="torch")
                       ^^^^^^^ error: invalid-argument
                       > dependencies must be a list of strings.
                       > Fix: Write dependencies=["torch"].
def b(): ...
@Endpoint(dependencies=["idna", 3])
                                ^ error: invalid-argument
                                > dependencies must contain only strings that name packages.
                                > Fix: For example: dependencies=["requests"].
def c(): ...
@Endpoint(env={"A": "1", "B": 2})
                              ^ error: invalid-argument
                              > env has a value for B that is not a string.
                              > Fix: For example: env={"MODE": "fast"}.
def d(): ...
@Endpoint(gpu="ADA_24")
              ^^^^^^^^ error: invalid-argument
              > gpu must be a member of GpuGroup or GpuType.
              > Fix: Write gpu=GpuGroup.ADA_24.
def e(): ...
@Endpoint(env={"A-B": "1"})
                      ^^^ error: invalid-argument
                      > env has the key "A-B", which is not a valid variable name.
                      > Fix: For example: env={"MODE": "fast"}.
def f(): ...
`,
    ],
    [
      'a dependency that a build refuses',
      `=== a.py
${SDK}
@Endpoint(dependencies=["idna", "req uests"])
                                ^^^^^^^^^^^ error: invalid-argument
                                > This endpoint requires "req uests", which is not a valid requirement.
                                ${REQUIREMENT}
def a(): ...
@Endpoint(dependencies=("idna", " idna== "))
                                ^^^^^^^^^^ error: invalid-argument
                                > This endpoint requires "idna==", which is not a valid requirement.
                                ${REQUIREMENT}
def b(): ...
SHARED = ["git+https://me:word@example.org/demo.git"]
@Endpoint(dependencies=["idna", *SHARED])
                       ^^^^^^^^^^^^^^^^^ error: invalid-argument
                       > This endpoint requires "git+https://example.org/demo.git", a repository, which a build cannot install.
                       > Fix: Use the archive of a tag instead: "NAME @ https://github.com/OWNER/REPO/archive/TAG.tar.gz".
def c(): ...
@Endpoint(dependencies=["requests @ "])
                        ^^^^^^^^^^^^^ error: invalid-argument
                        > This endpoint requires "requests @", which is not a valid requirement.
                        ${REQUIREMENT}
def e(): ...
@Endpoint(dependencies=["./other"])
                        ^^^^^^^^^ error: invalid-argument
                        > This endpoint requires "./other", which is not a valid requirement.
                        ${REQUIREMENT}
def d(): ...
`,
    ],
    [
      'a number out of its range, and an empty string',
      `=== a.py
${SDK}
@Endpoint(idle_timeout=-1)
                       ^^ error: invalid-argument
                       > idle_timeout must be a whole number of at least 0.
                       > Fix: For example: idle_timeout=1.
def a(): ...
@Endpoint(gpu_count=0)
                    ^ error: invalid-argument
                    > gpu_count must be a whole number of at least 1.
                    > Fix: For example: gpu_count=1.
def b(): ...
@Endpoint(max_concurrency=1.5)
                          ^^^ error: invalid-argument
                          > max_concurrency must be a whole number of at least 1.
                          > Fix: For example: max_concurrency=1.
def c(): ...
@Endpoint(execution_timeout=1)
                            ^ error: invalid-argument
                            > execution_timeout must be a number of seconds from 5 to 604800.
                            > Fix: For example: execution_timeout=600.
def d(): ...
@Endpoint(image="")
                ^^ error: invalid-argument
                > image is empty.
                > Fix: Give the name of an image, or remove image.
def e(): ...
`,
    ],
    [
      'an argument without its keyword, and a repeated one',
      `=== a.py
${SDK}
@Endpoint("x", GpuGroup.ANY)
               ^^^^^^^^^^^^ error: invalid-argument
               > Endpoint takes only its name as a positional argument.
               > Fix: Pass this argument with its keyword, for example workers=(0, 3).
def a(): ...
@Endpoint("y", name="z")
               ^^^^ error: invalid-argument
               > name is given twice.
               > Fix: Remove one of them.
def b(): ...
`,
    ],
    [
      'a dict over several lines, and pyproject.toml',
      `=== a.py
${SDK}
@Endpoint(
    name="a",
    env=[
        ^ error: invalid-argument
        > env must be a dict of strings.
        > Fix: For example: env={"MODE": "fast"}.
        "A=1",
    ],
    ^ …
)
def a(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "b"
command = "./serve"
          ^^^^^^^^^ error: invalid-argument
          > command must be a list of strings: a program and its arguments.
          > Fix: Write command = ["./serve"].
`,
    ],
    [
      'an argument of a route other than its path, and a repeated path',
      `=== a.py
${SDK}
api = Endpoint(name="api")
@api.get("/a", "a")
               ^^^ error: invalid-argument
               > A route takes only its path.
               > Fix: Remove this argument.
def a(): ...
@api.get("/b", path="/c")
               ^^^^ error: invalid-argument
               > path is given twice.
               > Fix: Remove one of them.
def b(): ...
`,
    ],
  ],
  silent: [
    [
      'None, tuples, sums, and shared settings',
      `=== a.py
${SDK}
COMMON = ["idna"]
SETTINGS = {"idle_timeout": 0, "gpu_count": 2}
@Endpoint(name=None, dependencies=None, env=None, image=None, **SETTINGS)
def a(): ...
@Endpoint("b", dependencies=(*COMMON, "certifi"), execution_timeout=7.5)
def b(): ...
@Endpoint(name="c", dependencies=COMMON + ["certifi"], max_concurrency=4)
def c(): ...
`,
    ],
    [
      'requirements in every form that a build accepts',
      `=== a.py
${SDK}
@Endpoint(dependencies=[
    "idna[all] >= 3, != 3.5, < 4 ; python_version < '4'",
    " certifi (>=1.0) ",
    "demo @ https://example.org/demo-1.0.zip",
    "wheel @ file:///wheels/wheel-1.0-py3-none-any.whl",
    "certifi==2.4.0+local",
])
def a(): ...
`,
    ],
    [
      'variables filled in from the environment',
      `=== a.py
import os
${SDK}
@Endpoint(name="a", env={"TOKEN": os.environ["TOKEN"], "MODE": os.getenv("MODE", "fast")})
def a(): ...
`,
    ],
    [
      'arguments of other packages and of the function itself',
      `=== a.py
import modal
       ^^^^^ warning: top-level-import
${SDK}
app = modal.App("x")
@app.function(image=3, timeout=-1, env=[])
def other(): ...
@Endpoint(name="a")
def a(name=3, dependencies="torch", idle_timeout=-1): ...
a(name=3, gpu_count=0)
`,
    ],
    [
      'a list that is filled at run time',
      `=== a.py
import pathlib
${SDK}
@Endpoint(name="a", dependencies=pathlib.Path("requirements.txt").read_text().splitlines())
                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
  ],
};
