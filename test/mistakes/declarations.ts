/** Mistakes in the code: `deploy` refuses them at the location where `check` and the editor show them. */
import { GOOD, type Mistake, queue, routes } from './mistake.ts';

type CodeMistake = Omit<Mistake, 'command' | 'exit' | 'code'>;

const CODE_MISTAKES: CodeMistake[] = [
  {
    title: 'an unknown GPU group',
    files: { 'w.py': queue('name="work", gpu=GpuGroup.ADA_25') },
    diagnostic: 'unknown-gpu',
    place: 'w.py:4:28',
    hint: /ADA_24/,
  },
  {
    title: 'an unknown GPU type',
    files: { 'w.py': queue('name="work", gpu=GpuType.NVIDIA_L5') },
    diagnostic: 'unknown-gpu',
    place: 'w.py:4:28',
    hint: /NVIDIA_L4/,
  },
  {
    title: 'a malformed cpu',
    files: { 'w.py': queue('name="work", cpu="cpu5-4"') },
    diagnostic: 'invalid-cpu',
    place: 'w.py:4:28',
    hint: /cpu5c-4-8|cpu<generation>-<vcpu>-<ram/i,
  },
  {
    title: 'gpu and cpu together',
    files: { 'w.py': queue('name="work", gpu=GpuGroup.ANY, cpu="cpu3c-1-2"') },
    diagnostic: 'gpu-and-cpu',
    place: 'w.py:4',
    hint: /remove|gpu|cpu/i,
  },
  {
    title: 'a name with a space',
    files: { 'w.py': queue('name="my work", cpu="cpu3c-1-2"') },
    diagnostic: 'invalid-name',
    place: 'w.py:4:16',
    hint: /name="my-work"/,
  },
  {
    title: 'a name of 64 characters',
    files: { 'w.py': queue(`name="${'n'.repeat(64)}", cpu="cpu3c-1-2"`) },
    diagnostic: 'invalid-name',
    place: 'w.py:4:16',
    hint: /name="n{63}"/,
  },
  {
    title: 'a reserved name',
    files: { 'w.py': queue('name="live-work", cpu="cpu3c-1-2"') },
    diagnostic: 'reserved-name',
    place: 'w.py:4:16',
    hint: /live-|another name/i,
  },
  {
    title: 'an empty name',
    files: { 'w.py': queue('name="", cpu="cpu3c-1-2"') },
    diagnostic: 'missing-name',
    place: 'w.py:4',
    hint: /name/,
  },
  {
    title: 'two queue-based endpoints of the same name, in two files',
    files: { 'a.py': queue('name="work", cpu="cpu3c-1-2"'), 'b.py': queue('name="work", cpu="cpu3c-1-2"') },
    diagnostic: 'duplicate-queue-name',
    place: 'b.py:4:16',
    hint: /name/,
  },
  {
    title: 'one name in both forms',
    files: {
      'a.py': queue('name="api", cpu="cpu3c-1-2"'),
      'b.py': routes(['get("/health")', '']),
    },
    diagnostic: 'name-in-both-forms',
    place: 'b.py:3:21',
    hint: /name/,
  },
  {
    title: 'more workers than the quota',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", workers=(0, 31)') },
    diagnostic: 'worker-quota',
    place: 'w.py:4',
    hint: /\(0, 1\)|quota|workers/i,
  },
  {
    title: 'workers with min over max',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", workers=(3, 1)') },
    diagnostic: 'invalid-workers',
    place: 'w.py:4:49',
    hint: /\(1, 3\)|min/i,
  },
  {
    title: 'a negative number of workers',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", workers=(0, -1)') },
    diagnostic: 'invalid-workers',
    place: 'w.py:4:49',
    hint: /\(0, /,
  },
  {
    title: 'an idle timeout that is text',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", idle_timeout="5 min"') },
    diagnostic: 'invalid-argument',
    place: 'w.py:4:',
    hint: /seconds|idle_timeout/i,
  },
  {
    title: 'dependencies that are one text',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", dependencies="numpy"') },
    diagnostic: 'invalid-argument',
    place: 'w.py:4:',
    hint: /dependencies=\["numpy"\]/,
  },
  {
    title: 'a dependency that is not a requirement',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", dependencies=["numpy=>1"]') },
    diagnostic: 'invalid-argument',
    place: 'w.py:4:55',
    hint: /requests>=2\.31/,
  },
  {
    title: 'a keyword that Endpoint does not have',
    files: { 'w.py': queue('name="work", cpu="cpu3c-1-2", idle_timout=60') },
    diagnostic: 'unknown-keyword',
    place: 'w.py:4:41',
    hint: /idle_timeout/,
  },
  {
    title: 'one route twice',
    files: { 'w.py': routes(['get("/health")', ''], ['get("/health")', '']) },
    diagnostic: 'duplicate-route',
    place: 'w.py:',
    hint: /route|path/i,
  },
  {
    title: 'the reserved route /ping',
    files: { 'w.py': routes(['get("/ping")', '']) },
    diagnostic: 'reserved-path',
    place: 'w.py:5:10',
    hint: /path/i,
  },
  {
    title: 'a path without a slash',
    files: { 'w.py': routes(['get("health")', '']) },
    diagnostic: 'invalid-path',
    place: 'w.py:5:10',
    hint: /"\/health"/,
  },
  {
    title: 'a path parameter that the function lacks',
    files: { 'w.py': routes(['get("/items/{item}")', 'name: str']) },
    diagnostic: 'route-parameter-mismatch',
    place: 'w.py:5:18',
    hint: /item/,
  },
  {
    title: 'a file that does not parse next to a good one',
    files: {
      'good.py': GOOD,
      'bad.py': 'from toolkit_sdk import Endpoint\n\n@Endpoint(name="bad"\ndef bad():\n    pass\n',
    },
    diagnostic: 'syntax-error',
    place: 'bad.py:',
    hint: /./,
  },
  {
    title: 'a load-balanced endpoint without a name',
    files: {
      'w.py':
        'from toolkit_sdk import Endpoint\n\napi = Endpoint(cpu="cpu3c-1-2")\n\n\n@api.get("/a")\ndef a():\n    """A."""\n',
    },
    diagnostic: 'missing-name',
    place: 'w.py:3:',
    hint: /name=/,
  },
  {
    title: 'a declaration inside a function whose result the module keeps',
    files: {
      'w.py':
        'from toolkit_sdk import Endpoint\n\n\ndef make():\n    @Endpoint(name="inner", cpu="cpu3c-1-2")\n    def inner(x: int):\n        """Inner."""\n    return inner\n\n\nserved = make()\n',
    },
    diagnostic: 'unsupported-form',
    place: 'w.py:11:10',
    hint: /module|function/i,
  },
  {
    title: 'an @Endpoint without parentheses',
    files: {
      'w.py': 'from toolkit_sdk import Endpoint\n\n\n@Endpoint\ndef bare(x: int):\n    """Bare."""\n',
    },
    diagnostic: 'unsupported-form',
    place: 'w.py:4:',
    hint: /@Endpoint\(/,
  },
  {
    title: 'a class with two public methods',
    files: {
      'w.py':
        'from toolkit_sdk import Endpoint\n\n\n@Endpoint(name="model", cpu="cpu3c-1-2")\nclass Model:\n    def one(self): ...\n    def two(self): ...\n',
    },
    diagnostic: 'many-functions',
    place: 'w.py:5:7',
    hint: /underscore/,
  },
  {
    title: 'an import of a file that is not in the artifact',
    files: {
      '.toolkitignore': 'private.py\n',
      'private.py': 'value = 1\n',
      'w.py': queue('name="work", cpu="cpu3c-1-2"').replace(
        '    return x',
        '    import private\n\n    return private.value',
      ),
    },
    diagnostic: 'imports-ignored-file',
    place: 'w.py:7:12',
    hint: /"!\/private\.py" to \.toolkitignore/,
  },
  {
    title: 'a command in pyproject.toml that is one text',
    files: { 'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "w"\ncommand = "python w.py"\n' },
    diagnostic: 'invalid-argument',
    place: 'pyproject.toml:3:11',
    hint: /command = \["python", "w\.py"\]/,
  },
  {
    title: 'a key in pyproject.toml that endpoints do not have',
    files: { 'pyproject.toml': '[[tool.toolkit.endpoints]]\nname = "w"\ncommand = ["./w"]\nworkerz = 2\n' },
    diagnostic: 'unknown-keyword',
    place: 'pyproject.toml:4:1',
    hint: /workers/,
  },
];

const DYNAMIC_MISTAKES: Mistake[] = [
  {
    title: 'a name known only at run time',
    files: { 'w.py': `import os\n${queue('name=os.uname().nodename, cpu="cpu3c-1-2"')}` },
    command: ['deploy'],
    exit: 1,
    code: 'PROJECT_HAS_ERRORS',
    place: 'w.py:5',
    hint: /literal/,
  },
  {
    title: 'workers known only at run time',
    files: { 'w.py': `import os\n${queue('name="work", cpu="cpu3c-1-2", workers=(0, os.cpu_count())')}` },
    command: ['build'],
    exit: 1,
    code: 'PROJECT_HAS_ERRORS',
    place: 'w.py:5',
    hint: /literal/,
  },
  {
    title: 'no endpoints at all',
    files: { 'w.py': 'def plain():\n    pass\n' },
    command: ['deploy'],
    exit: 1,
    code: 'NO_ENDPOINTS',
    place: 'No @Endpoint functions were found in 1 Python file of',
    hint: /decorator syntax.*\.toolkitignore/,
  },
];

export const DECLARATION_MISTAKES: Mistake[] = [
  ...CODE_MISTAKES.map(
    (mistake): Mistake => ({
      ...mistake,
      command: ['deploy'],
      exit: 1,
      code: 'PROJECT_HAS_ERRORS',
    }),
  ),
  ...DYNAMIC_MISTAKES,
];
