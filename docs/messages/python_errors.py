"""The Python sources → every error with a text: `[{file, type, texts}]` as JSON on standard output."""

import ast
import json
import sys
from pathlib import Path


def text_of(node: ast.expr) -> str | None:
    """The text of an expression. Values known only at run time appear as their source in braces."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(part.value)
            for part in node.values
            if isinstance(part, ast.FormattedValue | ast.Constant)
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = text_of(node.left), text_of(node.right)
        return None if left is None or right is None else left + right
    return None


def errors_of(file: Path, root: Path) -> list[dict[str, object]]:
    """The errors of one file, in source order."""
    found: list[tuple[int, dict[str, object]]] = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if not name.endswith(("Error", "SystemExit")):
            continue
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        texts = [text for text in map(text_of, arguments) if text and " " in text]
        if texts:
            found.append((node.lineno, {"file": str(file.relative_to(root)), "type": name.lstrip("_"), "texts": texts}))
    return [error for _, error in sorted(found, key=lambda one: one[0])]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(json.dumps([one for file in sorted(folder.rglob("*.py")) for one in errors_of(file, folder)]))
