import { type FindingFixtures, SDK } from './fixtures.ts';

const WORKER = `=== worker.py
${SDK}
@Endpoint(name="a")
def a(): ...
`;

export const fixtures: FindingFixtures = {
  fires: [
    [
      'lines of requirements.txt, each on its own',
      `${WORKER}=== requirements.txt
requests
==2.0
^^^^^ error: invalid-requirement
> This line requires "==2.0", which is not a valid requirement.
> Fix: Write a package name with an optional version, such as "requests>=2.31".
  numpy=>2 # newer
  ^^^^^^^^ error: invalid-requirement
  > This line requires "numpy=>2", which is not a valid requirement.
  > Fix: Write a package name with an optional version, such as "requests>=2.31".
six>=1.*
^^^^^^^^ error: invalid-requirement
> This line requires "six>=1.*", whose version is not valid.
> Fix: For example: ">=2.31,<3", "~=2.31" or "==2.31.*".
six[a b]
^^^^^^^^ error: invalid-requirement
> This line requires "six[a b]", whose extras are not valid.
> Fix: Write their names with commas between them.
rich ; python
^^^^^^^^^^^^^ error: invalid-requirement
> This line requires "rich ; python", which has an invalid marker.
> Fix: Write a condition after the ";", such as python_version < "3.12", or remove it.
-e ../lib
^^^^^^^^^ error: invalid-requirement
> "-e ../lib" is a local folder, which a build cannot install.
> Fix: For the project itself, write "-e .". For another package, build a wheel and write "NAME @ file:///path/to/the.whl".
wheels/own-1.0-py3-none-any.whl
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-requirement
> "wheels/own-1.0-py3-none-any.whl" is the path of a wheel, without the name of its package.
> Fix: Write two lines: "--find-links wheels" and the name of the package.
./own-1.0.tar.gz
^^^^^^^^^^^^^^^^ error: invalid-requirement
> "./own-1.0.tar.gz" is the path of an archive, without the name of its package.
> Fix: Write "NAME @ file:///path/to/the.tar.gz".
-r
^^ error: invalid-requirement
> The option -r has no value.
> Fix: Write its value on the same line, or remove the option.
--index-url ""
^^^^^^^^^^^^^^ error: invalid-requirement
> The option --index-url has no value.
> Fix: Write its value on the same line, or remove the option.
--no-binary numpy
^^^^^^^^^^^^^^^^^ error: invalid-requirement
> A build does not support the option "--no-binary numpy" of requirements files.
> Fix: Remove this option.
-r https://example.org/base.txt
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-requirement
> Requirements files at a URL are not supported.
> Fix: Download the file, and write its path instead of the URL.
own @ git+https://user:secret@example.org/own.git
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-requirement
> This line requires "own @ git+https://example.org/own.git", a repository, which a build cannot install.
> Fix: Use the archive of a tag instead: "NAME @ https://github.com/OWNER/REPO/archive/TAG.tar.gz".
`,
    ],
    [
      'files that requirements.txt includes, and lines that continue',
      `${WORKER}=== requirements.txt
-r more/base.txt
-c absent.txt
^^^^^^^^^^^^^ error: invalid-requirement
> The requirements file absent.txt does not exist.
> Fix: Add the file, or remove the line that names it.
-r more
^^^^^^^ error: invalid-requirement
> The requirements file more is a folder.
> Fix: Write the path of a file, or remove the line.
=== more/base.txt

demo==1.0 \\
^^^^^^^^^ error: invalid-requirement
> The --hash of "demo==1.0" is not a sha256 hash, which is the only kind that a build checks.
> Fix: Add the sha256 hash of the file, which "pip hash FILE" prints.
  --hash=sha512:00
`,
    ],
    [
      'requirements that --require-hashes does not allow, and unknown extras of the project',
      `${WORKER}=== pyproject.toml
[project]
name = "shop"
version = "1"
[project.optional-dependencies]
gpu = []
old = ["torch=>2"]
nested = ["shop[absent]"]
unused = ["demo @ git+https://example.org/demo.git"]
=== requirements.txt
--require-hashes
rich>=13 --hash=sha256:00
^^^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-requirement
> "rich>=13" must be pinned with == and have a --hash, because of --require-hashes (requirements.txt:1).
> Fix: Write it as "rich==VERSION --hash=sha256:HASH".
-e .[gpu,dve]
^^^^^^^^^^^^^ error: invalid-requirement
> pyproject.toml has no extra "dve".
> Fix: Existing extras: gpu, old, nested, unused.
-e .[old]
^^^^^^^^^ error: invalid-requirement
> The extra "old" requires "torch=>2", which is not a valid requirement.
> Fix: Write a package name with an optional version, such as "requests>=2.31".
-e .[nested]
^^^^^^^^^^^^ error: invalid-requirement
> pyproject.toml has no extra "absent".
> Fix: Existing extras: gpu, old, nested, unused.
`,
    ],
    [
      'a folder of this machine, which might provide what is imported',
      `=== requirements.txt
-e ../library
^^^^^^^^^^^^^ error: invalid-requirement
> "-e ../library" is a local folder, which a build cannot install.
> Fix: For the project itself, write "-e .". For another package, build a wheel and write "NAME @ file:///path/to/the.whl".
=== a.py
${SDK}
@Endpoint(name="a")
def a():
    import library_of_ours
`,
    ],
    [
      'dependencies of pyproject.toml',
      `${WORKER}=== pyproject.toml
[project]
name = "shop"
dependencies = [
  "rich",
  "a b", # two
  ^^^^^ error: invalid-requirement
  > The project requires "a b", which is not a valid requirement.
  > Fix: Write a package name with an optional version, such as "requests>=2.31".
  'own @ file:///src/own',
  ^^^^^^^^^^^^^^^^^^^^^^^ error: invalid-requirement
  > The project requires "own @ file:///src/own", a local folder, which a build cannot install.
  > Fix: Build a wheel of it and write "NAME @ file:///path/to/the.whl". Or write two lines in requirements.txt: "--find-links FOLDER" and NAME.
]
`,
    ],
    [
      'a requires-python that is not a specifier',
      `${WORKER}=== pyproject.toml
[project]
requires-python = "^3.11"
                  ^^^^^^^ error: invalid-requirement
                  > requires-python is "^3.11", which is not a version specifier.
                  > Fix: For example: requires-python = ">=3.11".
`,
    ],
    [
      'a requires-python that does not allow the chosen Python',
      `${WORKER}=== pyproject.toml
[tool.toolkit]
python = "3.11"
[project]
requires-python = ">=3.12"
                  ^^^^^^^^ error: invalid-requirement
                  > requires-python is ">=3.12", but [tool.toolkit] python chooses Python 3.11.
                  > Fix: Change one of them.
`,
    ],
    [
      'a requires-python that allows no supported Python, and a .python-version that chooses another one',
      `${WORKER}=== pyproject.toml
[project]
requires-python = "<3.10"
                  ^^^^^^^ error: invalid-requirement
                  > requires-python is "<3.10", which allows none of the supported versions 3.10 to 3.14.
                  > Fix: Allow one of them.
=== .python-version
3.9
| error: invalid-requirement
> This file chooses Python 3.9, which is none of the supported versions 3.10 to 3.14.
> Fix: Choose one of them, here or with "python" under [tool.toolkit] in pyproject.toml.
`,
    ],
    [
      'one of several options in a line',
      `${WORKER}=== requirements.txt
-e . --no-binary numpy  -f "my wheels"
     ^^^^^^^^^^^^^^^^^ error: invalid-requirement
     > A build does not support the option "--no-binary numpy" of requirements files.
     > Fix: Remove this option.
`,
    ],
    [
      'a requirements.txt in an encoding that is not Unicode',
      `${WORKER}=== requirements.txt in latin1
# größe
| error: invalid-requirement
> The requirements file requirements.txt is not UTF-8.
> Fix: Save it as UTF-8.
`,
    ],
  ],
  silent: [
    [
      'everything else that pip accepts in a file of requirements',
      `${WORKER}=== requirements.txt
# The web server.
starlette[] (>=0.40, !=0.41.*,)
uvicorn [standard, full]
fastapi[standard] >=0.115,<1 ; python_version >= "3.10"
--index-url https://user:$TOKEN@example.org/simple
--extra-index-url=https://example.org/more
-f wheels
--only-binary :all:
--prefer-binary
own @ https://example.org/own-1.0-py3-none-any.whl#sha256=00
-c limits.txt
-e .[gpu]
=== limits.txt
fastapi<1
=== pyproject.toml
[project]
name = "shop"
version = "1"
dependencies = ["rich>=13"]
[project.optional-dependencies]
gpu = ["rich"]
`,
    ],
    [
      'a requires-python that allows some patch versions of the chosen Python',
      `${WORKER}=== pyproject.toml
[project]
requires-python = "~=3.11.4"
=== .python-version
3.11
`,
    ],
    [
      'other ways to name the project itself',
      `${WORKER}=== requirements.txt
-e.
-e ./.
-e file:.#egg=shop
`,
    ],
    [
      'a project without endpoints',
      `=== main.py
print("hello")
=== requirements.txt
a b
`,
    ],
    [
      'other files of requirements, which a build does not read',
      `${WORKER}=== requirements-dev.txt
-e ../lib
`,
    ],
  ],
};
