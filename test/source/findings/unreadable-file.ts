import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'links to missing files and to themselves',
      `=== settings.py -> elsewhere/settings.py
| error: unreadable-file
> settings.py cannot be opened: it is a broken symbolic link.
> Fix: Make it readable, remove it, or list it in .toolkitignore.
=== loop.py -> loop.py
| error: unreadable-file
> loop.py cannot be opened: it is a symbolic link to itself.
> Fix: Make it readable, remove it, or list it in .toolkitignore.
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'bytes that are not UTF-8, in their line, and an unknown encoding',
      `=== a.py in latin1
${SDK}
@Endpoint(name="a")
def a():
    return "größe"
| error: unreadable-file
> This file is not valid UTF-8.
> Fix: Save the file as UTF-8, or declare its encoding on the first line, for example "# -*- coding: latin-1 -*-".
=== b.py
# -*- coding: uft-8 -*-
| error: unreadable-file
> This file declares the unknown encoding "uft-8".
> Fix: Save the file as UTF-8.
${SDK}
`,
    ],
    [
      'a file in UTF-16',
      `=== a.py in utf16le
\uFEFFfrom toolkit_sdk import Endpoint
| error: unreadable-file
> This file is encoded in UTF-16, which Python cannot read.
> Fix: Save the file as UTF-8.
`,
    ],
  ],
  silent: [
    [
      'encodings declared in the file, and a byte order mark',
      `=== a.py in latin1
# -*- coding: latin-1 -*-
${SDK}
@Endpoint(name="a")
def a():
    return "größe"
=== b.py
\uFEFF${SDK}
@Endpoint(name="b")
def b(): ...
=== c.py in latin1
#!/usr/bin/env python
# vim: set fileencoding=iso-8859-1 :
${SDK}
GRÖSSE = 1
`,
    ],
    [
      'bytes that are not text, in a file without any of the words',
      `=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
=== tests/bad_coding.py in latin1
NAME = "größe"
=== data.py in utf16le
\uFEFFx = 1
`,
    ],
    [
      'links to existing files, and links that are not Python',
      `=== shared/settings.py
MODE = "fast"
=== settings.py -> shared/settings.py
=== README.md -> nowhere.md
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
  ],
};
