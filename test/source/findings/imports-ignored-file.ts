import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'a packed module that imports an excluded one',
      `=== .gitignore
local_settings.py
/private/
/build/
=== .toolkitignore
package/secret.py
!/build/
=== local_settings.py
=== private/keys.py
=== build/made.py
=== package/__init__.py
from . import open
from .secret import KEY
     ^^^^^^^ error: imports-ignored-file
     > package/__init__.py imports package/secret.py, which is not part of the artifact, so a worker would not find it.
     > Fix: Add the line "!/package/secret.py" to .toolkitignore, or import it in a try block that catches ImportError.
=== package/secret.py
=== package/open.py
def late():
    import local_settings
           ^^^^^^^^^^^^^^ error: imports-ignored-file
           > package/open.py imports local_settings.py, which is not part of the artifact, so a worker would not find it.
           > Fix: Add the line "!/local_settings.py" to .toolkitignore, or import it in a try block that catches ImportError.
=== a.py
import json, build.made
from package import (
    open,
    secret,
    ^^^^^^ error: imports-ignored-file
    > a.py imports package/secret.py, which is not part of the artifact, so a worker would not find it.
    > Fix: Add the line "!/package/secret.py" to .toolkitignore, or import it in a try block that catches ImportError.
)
import private.keys as keys
       ^^^^^^^^^^^^ error: imports-ignored-file
       > a.py imports private/keys.py, which is not part of the artifact, so a worker would not find it.
       > Fix: Add the line "!/private/keys.py" to .toolkitignore, or import it in a try block that catches ImportError.
from private import keys
                    ^^^^ error: imports-ignored-file
                    > a.py imports private/keys.py, which is not part of the artifact, so a worker would not find it.
                    > Fix: Add the line "!/private/keys.py" to .toolkitignore, or import it in a try block that catches ImportError.
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'a module of a project inside the project',
      `=== nested/pyproject.toml
[tool.toolkit]
=== nested/tool.py
=== a.py
from nested.tool import work
     ^^^^^^^^^^^ error: imports-ignored-file
     > a.py imports nested/tool.py, which is not part of the artifact, so a worker would not find it.
     > Fix: Move it out of nested, whose pyproject.toml makes it a separate project.
${SDK}
@Endpoint(name="a")
def a():
    import nested.tool
           ^^^^^^^^^^^ error: imports-ignored-file
           > a.py imports nested/tool.py, which is not part of the artifact, so a worker would not find it.
           > Fix: Move it out of nested, whose pyproject.toml makes it a separate project.
`,
    ],
  ],
  silent: [
    [
      'an import that is allowed to fail',
      `=== .gitignore
local_settings.py
=== local_settings.py
=== a.py
${SDK}
try:
    import local_settings
except ImportError:
    local_settings = None
try:
    from local_settings import DEBUG
except Exception:
    DEBUG = False
if __name__ == "__main__":
    import local_settings
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'tests of a vendored package that import it in functions nobody calls',
      `=== .gitignore
tests/
=== vendored/__init__.py
def test():
    import vendored.tests
=== vendored/tests/__init__.py
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'a module of Python, or of another package, with the name of an ignored one',
      `=== .gitignore
/json.py
/requests/
=== json.py
=== requests/notes.txt
=== a.py
import json
${SDK}
@Endpoint(name="a", dependencies=["requests"])
def a():
    import requests
`,
    ],
    [
      'a name that the package itself defines',
      `=== .gitignore
package/secret.py
=== package/__init__.py
secret = "text"
=== package/secret.py
=== a.py
from package import secret
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'a project without endpoints',
      `=== .gitignore
local_settings.py
=== local_settings.py
=== a.py
import local_settings
class Endpoint: ...
`,
    ],
  ],
};
