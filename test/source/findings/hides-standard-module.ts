import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'modules and packages at the root and under src',
      `=== json.py
x = 1
| warning: hides-standard-module
> json.py has the same name as the standard library module json, so "import json" in a worker loads only one of the two.
> Fix: Rename it, for example to my_json.py, and update its imports.
=== queue/__init__.py
x = 1
| warning: hides-standard-module
> queue/__init__.py has the same name as the standard library module queue, so "import queue" in a worker loads only one of the two.
> Fix: Rename it, for example to my_queue/__init__.py, and update its imports.
=== src/email.py
x = 1
| warning: hides-standard-module
> src/email.py has the same name as the standard library module email, so "import email" in a worker loads only one of the two.
> Fix: Rename it, for example to src/my_email.py, and update its imports.
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'the toolkit’s own package',
      `=== src/toolkit_sdk.py
x = 1
| warning: hides-standard-module
> src/toolkit_sdk.py has the same name as the package toolkit_sdk, so "import toolkit_sdk" in a worker loads only one of the two.
> Fix: Rename it, for example to src/my_toolkit_sdk.py, and update its imports.
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
  ],
  silent: [
    [
      'modules of deeper folders, and folders without code',
      `=== deep/types.py
=== types/readme.txt
=== app/utils/logging.py
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'a project without endpoints',
      `=== json.py
=== a.py
${SDK}
`,
    ],
    [
      'modules of other packages, and names of Python that are not modules',
      `=== requests.py
=== list.py
=== typings.py
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'a warning silenced by a comment',
      `=== random.py
# toolkit: ignore[hides-standard-module]
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
  ],
};
