/** Turns every function of a project's modules into an endpoint, found with Python's own parser. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const python = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

const PROGRAM = `
import ast, json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
root = Path(sys.argv[1])
functions = (ast.FunctionDef, ast.AsyncFunctionDef)

def bound(node, is_certain):
    """Names that a statement of the module binds or takes away, for certain or else under a condition."""
    if isinstance(node, (*functions, ast.ClassDef)):
        return [node.name] if is_certain else []
    if isinstance(node, (ast.Assign, ast.Delete, ast.AnnAssign)):
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        read = [n.id for n in names if isinstance(n.ctx, ast.Load)]
        # What is made of a function may still be it.
        return [n.id for n in names if not isinstance(n.ctx, ast.Load) and (n.id not in read) == is_certain]
    if is_certain:
        return []
    return [name for child in ast.iter_child_nodes(node) for name in bound(child, True) + bound(child, False)]

endpoints, again, maybe = [], [], []
for file in sorted(root.rglob("*.py")):
    data = file.read_bytes()
    try:
        text = data.decode("utf-8").replace("\\r\\n", "\\n")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        continue
    # The class of another package stays what it is.
    if "Endpoint" in text or "\\r" in text or "\\f" in text:
        continue
    lines = text.split("\\n")
    # A module that always raises declares nothing.
    ends = any(isinstance(node, ast.Raise) for node in tree.body)
    starts = {}
    for at, node in enumerate(tree.body):
        if isinstance(node, functions):
            line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if lines[line - 1].startswith(("def ", "async ", "@")):
                later = tree.body[at + 1 :]
                starts[line] = [
                    (ends and is_certain) or any(node.name in bound(other, is_certain) for other in later)
                    for is_certain in (True, False)
                ]
    written, first = [], True
    for at, line in enumerate(lines, 1):
        if at in starts:
            if first:
                written.append("from toolkit_sdk import Endpoint")
            first = False
            endpoints.append(f"endpoint-{len(endpoints)}")
            written.append(f'@Endpoint(name="{endpoints[-1]}")')
            for is_so, places in zip(starts[at], (again, maybe)):
                if is_so:
                    places.append(f"{file.relative_to(root)}:{len(written)}")
        written.append(line)
    file.write_text("\\n".join(written), "utf-8")
(root / "pyproject.toml").write_text('[project]\\nname = "own"\\n[tool.toolkit]\\nquota = 1000000\\n')
print(json.dumps({"endpoints": endpoints, "again": again, "maybe": maybe}))
`;

/**
 * Decorates all functions.
 *
 * @returns Names of the endpoints, and locations of decorators whose functions are not, or possibly not, what
 * their names mean at the end. In a module that always raises, no name has a meaning.
 */
export function decorateAll(root: string): { endpoints: string[]; again: string[]; maybe: string[] } {
  const output = execFileSync(python, ['-c', PROGRAM, root], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return JSON.parse(output) as ReturnType<typeof decorateAll>;
}
