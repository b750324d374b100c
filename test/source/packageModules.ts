/** Reads a package's modules with Python's own parser, and writes endpoints that use them. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

/** A module of a project that consists of the package's files. */
interface PackageModule {
  name: string;
  /** Names with a single constant string, and that string. */
  texts: Record<string, string>;
  /** Its first class or function, if it has one. */
  defined: string | null;
  /** A parent package binds the next part of its name to a value of its own, such as a lazy loader. */
  hidden: boolean;
}

/** The most modules, spread over all of them; more would show nothing new. */
const MOST_MODULES = 150;
const MOST_TEXTS = 30;
/** Every n-th module is imported by star. */
const STARS = 25;

const PROGRAM = `
import ast, json, keyword, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
folder, most = Path(sys.argv[1]), int(sys.argv[2])

def bound(node):
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).split(".")[0]]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.Global):
        return node.names * 2
    return [name] if (name := getattr(node, "name", None)) else []

def read(name, file):
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return []
    names = [name for node in ast.walk(tree) for name in bound(node)]
    texts, defined = {}, None
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined = defined or node.name
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        value = getattr(node, "value", None)
        if not isinstance(value, ast.Constant) or not isinstance(value.value, str) or len(targets) != 1:
            continue
        is_plain = isinstance(targets[0], ast.Name) and isinstance(node, (ast.Assign, ast.AnnAssign))
        if is_plain and "*" not in names and names.count(targets[0].id) == 1 and value.value.isprintable():
            texts[targets[0].id] = value.value
    return [{"name": name, "texts": texts, "defined": defined, "hidden": is_hidden(name)}]

def assigned(file):
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return set()
    return {n.id for node in ast.walk(tree) if isinstance(node, ast.Assign) for n in node.targets if isinstance(n, ast.Name)}

def is_hidden(name):
    parts = name.split(".")
    around = [(".".join(parts[:at]), parts[at]) for at in range(1, len(parts))]
    return any(package in modules and part in assigned(modules[package]) for package, part in around)

modules = {}
for file in sorted(folder.rglob("*.py")):
    parts = file.relative_to(folder).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    # Tests do not ship.
    if any(not part.isidentifier() or keyword.iskeyword(part) or part.startswith("test") for part in parts):
        continue
    if parts and file.is_file():
        modules.setdefault(".".join(parts), file)
some = list(modules.items())[:: len(modules) // most + 1]
print(json.dumps([module for item in some for module in read(*item)]))
`;

/** Modules of a folder's files. */
export function modulesOf(folder: string): PackageModule[] {
  const output = execFileSync(python, ['-c', PROGRAM, folder, String(MOST_MODULES)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(output) as PackageModule[];
}

/** Endpoints that import modules in every way and use their strings, and the environment that results. */
export function endpointsOf(modules: readonly PackageModule[]): {
  text: string;
  env: Record<string, string>;
} {
  const texts = modules
    .flatMap(({ name: module, texts, hidden }) =>
      Object.entries(texts).map(([name, text]) => ({ module, name, text, hidden })),
    )
    .slice(0, MOST_TEXTS)
    .map((text, at) => ({ ...text, isMember: text.hidden || at % 2 === 1 }));
  const lines = (written: readonly string[]) => written.map((line) => `${line}\n`).join('');
  const text = `${lines(modules.filter((_, at) => at % STARS === 0).map(({ name }) => `from ${name} import *`))}
from toolkit_sdk import Endpoint
${lines(texts.map(({ module, name, isMember }, at) => (isMember ? `from ${module} import ${name} as TEXT${at}` : `import ${module}`)))}
api = Endpoint(name="use", env={
${lines(texts.map(({ module, name, isMember }, at) => `    "TEXT${at}": ${isMember ? `TEXT${at}` : `${module}.${name}`},`))}})

@api.post("/run")
def run(limit: int = 10):
    """Uses all modules."""
${lines(modules.map(({ name, defined }, at) => `    ${defined ? `from ${name} import ${defined} as used${at}` : `import ${name}`}`))}
    return [${modules.map(({ name, defined }, at) => (defined ? `used${at}` : name)).join(', ')}]

@Endpoint(name="model")
def predict(text: str):
    """Uses what stands here."""
    return run(len(text))
`;
  return { text, env: Object.fromEntries(texts.map(({ text }, at) => [`TEXT${at}`, text])) };
}
