import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  repairs: { changes: ['dependencies'] },
  fires: [
    [
      'at the dependency, in any spelling',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["numpy>=2", "torch-geometric", "triton [x]"])
                                  ^^^^^^^^^^ hint: provided-by-image
                                  > numpy is provided by the base image, so it is left out of the artifact.
                                  > Fix: No change is needed, but you can remove numpy from dependencies.
                                                                 ^^^^^^^^^^^^ hint: provided-by-image
                                                                 > triton is provided by the base image, so it is left out of the artifact.
                                                                 > Fix: No change is needed, but you can remove triton from dependencies.
def a(): ...
`,
    ],
    [
      'at the list when it is a constant, and in pyproject.toml',
      `=== a.py
${SDK}
GPU = ["Torch==2.5", "idna"]
@Endpoint(name="b", dependencies=GPU)
                                 ^^^ hint: provided-by-image
                                 > torch is provided by the base image, so it is left out of the artifact.
                                 > Fix: No change is needed, but you can remove torch from dependencies.
def b(): ...
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "c"
command = ["./serve"]
dependencies = [
    "idna",
    "torchvision ; python_version > '3.9'",
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: provided-by-image
    > torchvision is provided by the base image, so it is left out of the artifact.
    > Fix: No change is needed, but you can remove torchvision from dependencies.
]
`,
    ],
  ],
  silent: [
    [
      'packages whose names only start the same',
      `=== a.py
${SDK}
@Endpoint(name="a", dependencies=["numpydoc", "torchmetrics", "pytorch-lightning", "numpy-financial>=1", "triton_model_analyzer"])
def a(): ...
`,
    ],
    [
      'packages that only the body names',
      `=== a.py
${SDK}
@Endpoint(name="a", env={"PACKAGES": "torch"})
def a(dependencies=("torch",)):
    import numpy
    import torch
`,
    ],
    [
      'a list known only at run time',
      `=== a.py
import os
${SDK}
@Endpoint(name="a", dependencies=["torch", os.environ["MORE"]])
                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint: dynamic-value
def a(): ...
`,
    ],
    [
      'requirements of the whole project',
      `=== requirements.txt
torch
numpy
=== pyproject.toml
[project]
name = "x"
dependencies = ["torch"]
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
  ],
};
