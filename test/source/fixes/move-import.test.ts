import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFixes, findingsOf, offered, repaired } from './checkFix.ts';

const SDK = 'from toolkit_sdk import Endpoint';
const HEAD = '@Endpoint(dependencies=["opencv-python", "numpy", "pillow"])';

/** One file, with the title of a fix and the text afterwards. */
const moved = (shows: string, title: string, before: string, after: string) => ({
  shows,
  code: 'top-level-import' as const,
  title,
  before: { 'a.py': before },
  after: { 'a.py': after },
});

describeFixes('move-import', [
  moved(
    'moves an import into the only body that uses it, and removes a blank line with it',
    'Move the import of cv2 into detect',
    `import cv2\n\n${SDK}\n\n\n${HEAD}\ndef detect(path):\n    return cv2.imread(path)\n`,
    `${SDK}\n\n\n${HEAD}\ndef detect(path):\n    import cv2\n    return cv2.imread(path)\n`,
  ),
  moved(
    'puts it after the docstring, even one of several lines',
    'Move the import of cv2 into detect',
    `import cv2\n${SDK}\n${HEAD}\ndef detect():\n    """Detects.\n\n    More.\n    """  # told\n\n    return cv2\n`,
    `${SDK}\n${HEAD}\ndef detect():\n    """Detects.\n\n    More.\n    """  # told\n    import cv2\n\n    return cv2\n`,
  ),
  moved(
    'puts it between a docstring and a one-line statement',
    'Move the import of cv2 into detect',
    `import cv2\n${SDK}\n${HEAD}\ndef detect():\n    "Detects."; return cv2\n`,
    `${SDK}\n${HEAD}\ndef detect():\n    "Detects."\n    import cv2\n    return cv2\n`,
  ),
  moved(
    'turns a one-line body into a block',
    'Move the import of cv2 into detect',
    `import cv2\n${SDK}\n${HEAD}\ndef detect(): return cv2.a; x = 1\n`,
    `${SDK}\n${HEAD}\ndef detect():\n    import cv2\n    return cv2.a; x = 1\n`,
  ),
  moved(
    'turns a one-line body with a docstring into a block',
    'Move the import of cv2 into detect',
    `import cv2\n${SDK}\n${HEAD}\ndef detect(): "Detects."; return cv2\n`,
    `${SDK}\n${HEAD}\ndef detect():\n    "Detects."\n    import cv2\n    return cv2\n`,
  ),
  moved(
    'moves it before a try block that catches every exception',
    'Move the import of cv2 into detect',
    `import cv2\n${SDK}\n${HEAD}\ndef detect():\n    try:\n        return cv2.a\n    except:\n        return None\n`,
    `${SDK}\n${HEAD}\ndef detect():\n    import cv2\n    try:\n        return cv2.a\n    except:\n        return None\n`,
  ),
  moved(
    'keeps tabs and Windows line ends',
    'Move the import of cv2 into detect',
    `import cv2\r\n${SDK}\r\n${HEAD}\r\ndef detect():\r\n\tif True:\r\n\t\treturn cv2\r\n`,
    `${SDK}\r\n${HEAD}\r\ndef detect():\r\n\timport cv2\r\n\tif True:\r\n\t\treturn cv2\r\n`,
  ),
  moved(
    'moves it into every outermost function that uses it: helpers, methods and functions around a closure',
    'Move the import of cv2 into detect, helper, run',
    `import cv2\n${SDK}\n${HEAD}\nasync def detect():\n    def inner():\n        return cv2.a\n    return inner\n\ndef helper(): # helps\n    # first\n    return cv2.b\n\nclass Model:\n    size = 1\n\n    def run(self):\n        return [cv2.c for _ in range(3)]\n\ndef other(cv2):\n    return cv2\n`,
    `${SDK}\n${HEAD}\nasync def detect():\n    import cv2\n    def inner():\n        return cv2.a\n    return inner\n\ndef helper(): # helps\n    import cv2\n    # first\n    return cv2.b\n\nclass Model:\n    size = 1\n\n    def run(self):\n        import cv2\n        return [cv2.c for _ in range(3)]\n\ndef other(cv2):\n    return cv2\n`,
  ),
  moved(
    'moves only the names that a body uses, with the comments after them',
    'Move the import of PIL into a, b',
    `from PIL import (\n    # images\n    Image,  # noqa: F401\n    ImageOps as ops,\n    ImageDraw,\n)\n${SDK}\n${HEAD}\ndef a():\n    return Image, ops\n\ndef b():\n    return ops\n`,
    `# images\n${SDK}\n${HEAD}\ndef a():\n    from PIL import (\n        Image,  # noqa: F401\n        ImageOps as ops,\n    )\n    return Image, ops\n\ndef b():\n    from PIL import ImageOps as ops\n    return ops\n`,
  ),
  moved(
    'moves the comment after the statement with it, and leaves the one above',
    'Move the import of cv2 into a',
    `# for pictures\nimport cv2  # type: ignore\n${SDK}\n${HEAD}\ndef a():\n    return cv2\n`,
    `# for pictures\n${SDK}\n${HEAD}\ndef a():\n    import cv2  # type: ignore\n    return cv2\n`,
  ),
  moved(
    'moves one name out of a statement with several',
    'Move the import of cv2 into a',
    `import os, cv2, sys\n${SDK}\n${HEAD}\ndef a():\n    return os, cv2, sys\n`,
    `import os, sys\n${SDK}\n${HEAD}\ndef a():\n    import cv2\n    return os, cv2, sys\n`,
  ),
  moved(
    'moves one statement out of a line with several',
    'Move the import of cv2 into a',
    `import os; import cv2; import sys\n${SDK}\n${HEAD}\ndef a():\n    return os, cv2, sys\n`,
    `import os; import sys\n${SDK}\n${HEAD}\ndef a():\n    import cv2\n    return os, cv2, sys\n`,
  ),
  moved(
    'moves the last statement of a line',
    'Move the import of np into a',
    `import os; import numpy as np  # numbers\n${SDK}\n${HEAD}\ndef a():\n    return f"{np.pi} {os}"\n`,
    `import os  # numbers\n${SDK}\n${HEAD}\ndef a():\n    import numpy as np  # numbers\n    return f"{np.pi} {os}"\n`,
  ),
  moved(
    'leaves the semicolon at the end of the line before',
    'Move the import of cv2 into a',
    `import os;\nimport cv2\n${SDK}\n${HEAD}\ndef a():\n    return os, cv2\n`,
    `import os;\n${SDK}\n${HEAD}\ndef a():\n    import cv2\n    return os, cv2\n`,
  ),
  moved(
    'distinguishes a dependency from a name',
    'Move the import of numpy into a',
    `import numpy\n${SDK}\n@Endpoint(dependencies=["numpy"])  # toolkit: ignore[provided-by-image]\ndef a():\n    return numpy\n`,
    `${SDK}\n@Endpoint(dependencies=["numpy"])  # toolkit: ignore[provided-by-image]\ndef a():\n    import numpy\n    return numpy\n`,
  ),
  moved(
    'removes an import that nothing uses',
    'Remove the unused import of cv2',
    `${SDK}\nimport cv2\n${HEAD}\ndef a(): ...\n`,
    `${SDK}\n${HEAD}\ndef a(): ...\n`,
  ),
]);

describe('move-import does not change', () => {
  const cases: [shows: string, text: string][] = [
    [
      'an import that a lambda of a class uses',
      `import cv2\n${SDK}\nclass Tools:\n    edges = lambda self: cv2.Canny()\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    ['an import that a decorator uses', `import cv2\n${SDK}\n${HEAD}\n@cv2.wrap\ndef a():\n    return cv2\n`],
    [
      'an import that a default value uses',
      `import cv2\n${SDK}\n${HEAD}\ndef a(x=cv2.RED):\n    return cv2\n`,
    ],
    [
      'an import that an annotation uses',
      `import cv2\n${SDK}\n${HEAD}\ndef a(x: cv2.Mat):\n    return cv2\n`,
    ],
    [
      'an import that a quoted annotation uses',
      `import cv2\n${SDK}\n${HEAD}\ndef a(x: "cv2.Mat | None"):\n    return cv2\n`,
    ],
    [
      'an import that an annotation inside a body uses',
      `import cv2\n${SDK}\n${HEAD}\ndef a():\n    x: cv2.Mat = None\n    return x\n`,
    ],
    [
      'an import that the module uses while it is loaded',
      `import cv2\n${SDK}\nSIZE = cv2.SIZE\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'an import that a lambda of the module uses',
      `import cv2\n${SDK}\nload = lambda: cv2.load()\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'an import that a base class uses',
      `import cv2\n${SDK}\nclass M(cv2.Model): ...\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'an import that the module exports',
      `import cv2\n${SDK}\n__all__ = ["a", "cv2"]\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'a name that is declared global',
      `import cv2\n${SDK}\n${HEAD}\ndef a():\n    global cv2\n    return cv2\n`,
    ],
    [
      'a name that also has another value',
      `import cv2\n${SDK}\ncv2 = cv2 or None\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'an import in a block',
      `import os\n${SDK}\nwith open(os.devnull):\n    import cv2\n${HEAD}\ndef a():\n    return cv2\n`,
    ],
    [
      'an import that a body uses only for type checkers',
      `import cv2\nfrom typing import TYPE_CHECKING\n${SDK}\n${HEAD}\ndef a(x):\n    if TYPE_CHECKING:\n        assert isinstance(x, cv2.Mat)\n    return x\n`,
    ],
    ['a star import', `from cv2 import *\n${SDK}\n${HEAD}\ndef a(): ...\n`],
  ];
  for (const [shows, text] of cases) {
    it(shows, async () => assert.deepEqual(await offered({ 'a.py': text }, 'top-level-import'), []));
  }

  it('a name that another file imports from there', async () => {
    const files = {
      'a.py': `import cv2\n${SDK}\n${HEAD}\ndef a():\n    return cv2\n`,
      'b.py': `${SDK}\nfrom a import cv2\n@Endpoint()\ndef b():\n    return cv2\n`,
    };
    assert.deepEqual(await offered(files, 'top-level-import'), []);
  });

  it('a file with a syntax error', async () => {
    const text = `import cv2\n${SDK}\n${HEAD}\ndef a():\n    return cv2\ndef b(:\n`;
    assert.deepEqual(await offered({ 'a.py': text }, 'top-level-import'), []);
  });
});

describe('move-import together', () => {
  it('moves several imports of one body, one statement and one line in order', async () => {
    const before = `import cv2, numpy as np\nfrom PIL import Image\nimport cv2.aruco\n${SDK}\n${HEAD}\ndef a(): return cv2, np, Image\n`;
    const { result, again } = await repaired({ 'a.py': before }, 'a.py');
    assert.equal(
      result['a.py'],
      `${SDK}\n${HEAD}\ndef a():\n    import cv2\n    import numpy as np\n    from PIL import Image\n    import cv2.aruco\n    return cv2, np, Image\n`,
    );
    assert.deepEqual(
      findingsOf(again).map(({ code }) => code),
      ['provided-by-image', 'missing-description'],
    );
  });
});

const peer = `${SDK}\n@Endpoint()\ndef enhance(x):\n    return x\n@Endpoint()\ndef shrink(x):\n    return x\n`;

describeFixes('move-import of a peer', [
  {
    shows: 'moves one name, and leaves the others of the statement',
    code: 'top-level-peer-import',
    title: 'Move the import of enhance into run',
    before: {
      'a.py': `from peer import LIMIT, enhance\n${SDK}\n@Endpoint()\ndef run(x):\n    return enhance(x)[:LIMIT]\n`,
      'peer.py': `LIMIT = 3\n${peer}`,
    },
    after: {
      'a.py': `from peer import LIMIT\n${SDK}\n@Endpoint()\ndef run(x):\n    from peer import enhance\n    return enhance(x)[:LIMIT]\n`,
    },
  },
  {
    shows: 'moves a module whose function is called',
    code: 'top-level-peer-import',
    title: 'Move the import of peer into run',
    before: {
      'a.py': `import peer\n${SDK}\n@Endpoint()\ndef run(x):\n    """Runs."""\n    return peer.enhance(x)\n`,
      'peer.py': peer,
    },
    after: {
      'a.py': `${SDK}\n@Endpoint()\ndef run(x):\n    """Runs."""\n    import peer\n    return peer.enhance(x)\n`,
    },
  },
  {
    shows: 'moves a relative import',
    code: 'top-level-peer-import',
    title: 'Move the import of e into run',
    before: {
      'w/a.py': `from .peer import enhance as e\n${SDK}\n@Endpoint()\ndef run(x): return e(x)\n`,
      'w/peer.py': peer,
    },
    after: {
      'w/a.py': `${SDK}\n@Endpoint()\ndef run(x):\n    from .peer import enhance as e\n    return e(x)\n`,
    },
  },
]);

describe('move-import of peers together', () => {
  it('moves both names of one statement', async () => {
    const files = {
      'a.py': `from peer import enhance, shrink\n${SDK}\n@Endpoint()\ndef run(x):\n    return shrink(enhance(x))\n`,
      'peer.py': peer,
    };
    const { result } = await repaired(files, 'a.py');
    assert.equal(
      result['a.py'],
      `${SDK}\n@Endpoint()\ndef run(x):\n    from peer import enhance, shrink\n    return shrink(enhance(x))\n`,
    );
  });
});

describe('move-import of statements that semicolons and backslashes join', () => {
  const body = `${HEAD}\ndef run(x):\n    return cv2.a, np.b, PIL.c`;
  const inside = `${HEAD}\ndef run(x):\n`;
  const cases: [shows: string, before: string, after: string][] = [
    [
      'removes the line when all of them are moved',
      `import cv2; import numpy as np\n${SDK}\n${body}\n`,
      `${SDK}\n${inside}    import cv2\n    import numpy as np\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'keeps the one before them',
      `import os; import cv2; import numpy as np  # fast\n${SDK}\n${body}\n`,
      `import os  # fast\n${SDK}\n${inside}    import cv2\n    import numpy as np  # fast\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'keeps the one after them',
      `import cv2; import numpy as np; import os;\n${SDK}\n${body}\n`,
      `import os;\n${SDK}\n${inside}    import cv2\n    import numpy as np\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'keeps the one between them',
      `import cv2; import os; import numpy as np; import PIL\n${SDK}\n${body}\n`,
      `import os\n${SDK}\n${inside}    import cv2\n    import numpy as np\n    import PIL\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'moves the last name of a statement that a backslash continues, and removes the backslash',
      `import os, \\\n    cv2\n${SDK}\n${body}\n`,
      `import os\n${SDK}\n${inside}    import cv2\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'moves a name between others that backslashes join',
      `import os, \\\n    cv2, \\\n    re\n${SDK}\n${body}\n`,
      `import os, \\\n    \\\n    re\n${SDK}\n${inside}    import cv2\n    return cv2.a, np.b, PIL.c\n`,
    ],
    [
      'leaves no semicolon at the end of the line',
      `import cv2;\nimport os\n${SDK}\n${body}\n`,
      `import os\n${SDK}\n${inside}    import cv2\n    return cv2.a, np.b, PIL.c\n`,
    ],
  ];
  for (const [shows, before, after] of cases) {
    it(shows, async () => {
      const { result } = await repaired({ 'a.py': before }, 'a.py');
      assert.equal(result['a.py'], after);
    });
  }
});
