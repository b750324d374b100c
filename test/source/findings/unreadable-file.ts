import { type FindingFixtures, SDK } from './fixtures.ts';

export const fixtures: FindingFixtures = {
  fires: [
    [
      'links to nothing and to themselves',
      `=== settings.py -> elsewhere/settings.py
| error: unreadable-file
> settings.py cannot be opened: it is a link to nothing.
> Fix: Make it readable, remove it, or name it in .toolkitignore.
=== loop.py -> loop.py
| error: unreadable-file
> loop.py cannot be opened: it is a link to itself.
> Fix: Make it readable, remove it, or name it in .toolkitignore.
=== a.py
${SDK}
@Endpoint(name="a")
def a(): ...
`,
    ],
    [
      'bytes that are not UTF-8, in the line where they stand, and an encoding that nobody knows',
      `=== a.py in latin1
${SDK}
@Endpoint(name="a")
def a():
    return "größe"
| error: unreadable-file
> This file is not valid UTF-8.
> Fix: Save the file as UTF-8, or name its encoding in the first line, for example "# -*- coding: latin-1 -*-".
=== b.py
# -*- coding: uft-8 -*-
| error: unreadable-file
> This file names the encoding "uft-8", which is not known.
> Fix: Save the file as UTF-8.
${SDK}
`,
    ],
    [
      'a file in UTF-16',
      `=== a.py in utf16le
\uFEFFfrom toolkit_sdk import Endpoint
| error: unreadable-file
> This file is UTF-16, which Python does not read.
> Fix: Save the file as UTF-8.
`,
    ],
  ],
  silent: [
    [
      'encodings that the file names, and a mark at its start',
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
      'bytes that are no text, where none of the words occurs',
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
      'links that lead somewhere, and links that are no Python',
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
