"""The Python sources → every error with a text: `[{file, type, code, texts}]` as JSON on standard output.

`code` is the error code of a response to a request; null for an exception.
"""

import ast
import json
import sys
from pathlib import Path


def text_of(node: ast.expr) -> str | None:
    """The text of an expression. Values known only at run time appear as their source in braces."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        listed = {name_for(value) for value in values if not is_length(value)}

        def shown(value: ast.expr) -> str:
            # The number of the values that the same text lists.
            return ast.unparse(value) if is_length(value) and name_for(value) in listed else name_for(value)

        return "".join(
            f"{{{shown(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(part.value)
            for part in node.values
            if isinstance(part, ast.FormattedValue | ast.Constant)
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = text_of(node.left), text_of(node.right)
        return None if left is None or right is None else left + right
    return None


def is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def name_for(node: ast.expr) -> str:
    """The name that says most about a value: `bytes` for `len(bytes)`, `names` for `", ".join(names)`."""
    if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__"):
        return name_for(node.value)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in ("self", "cls"):
        return f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_")
    if isinstance(node, ast.Subscript):
        return name_for(node.value)
    if isinstance(node, ast.Call) and node.args and not isinstance(node.args[-1], ast.Constant):
        return name_for(node.args[-1])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return name_for(node.func.value)
    return node.id.lstrip("_").lower() if isinstance(node, ast.Name) else ast.unparse(node)


def texts_of(node: ast.expr | None, around: ast.AST) -> list[str]:
    """The texts that a name has in a function, or the text of any other expression."""
    if not isinstance(node, ast.Name):
        text = None if node is None else text_of(node)
        return [] if text is None else [text]
    assigned = [each for each in ast.walk(around) if isinstance(each, ast.Assign)]
    values = [each.value for each in assigned if ast.unparse(each.targets[0]) == node.id]
    return [text for text in map(text_of, values) if text is not None]


def responses_of(tree: ast.Module, file: str) -> list[tuple[int, dict[str, object]]]:
    """The calls `error_response(status, message, code, hint=…)` with a known code, and their lines."""
    found: list[tuple[int, dict[str, object]]] = []
    for around in ast.walk(tree):
        if not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(around):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) != "error_response" or len(node.args) < 3:
                continue
            code = text_of(node.args[2])
            hint = next((each.value for each in node.keywords if each.arg == "hint"), None)
            hints = [*texts_of(hint, around), *texts_of(hint, tree)]
            messages = [text for text in texts_of(node.args[1], around) if " " in text]
            for at, message in enumerate(messages if code else []):
                last = list(dict.fromkeys(hints)) if at == len(messages) - 1 else []
                found.append((node.lineno, {"file": file, "type": "", "code": code, "texts": [message, *last]}))
    return found


def is_fragment(text: str) -> bool:
    """Whether other code builds a sentence with this text, so that it is never shown alone."""
    return text[:1].islower() and not text.endswith(".")


def errors_of(file: Path, root: Path) -> list[dict[str, object]]:
    """The errors of one file, in source order."""
    tree = ast.parse(file.read_text("utf-8"))
    name_of_file = str(file.relative_to(root))
    found = responses_of(tree, name_of_file)
    # Outer functions come first, so that each node ends up with its innermost one.
    nested = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    functions: dict[ast.AST, ast.AST] = {node: each for each in nested for node in ast.walk(each)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if not name.endswith(("Error", "SystemExit")):
            continue
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        message, *others = map(text_of, arguments) if arguments else [None]
        if message is not None:
            others = [text for each in arguments[1:] for text in texts_of(each, functions.get(node, tree))]
        texts = [text for text in (message, *others) if text and " " in text]
        if texts and not is_fragment(texts[0]):
            error = {"file": name_of_file, "type": name.lstrip("_"), "code": None, "texts": texts}
            found.append((node.lineno, error))
    return [error for _, error in sorted(found, key=lambda one: one[0])]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    print(json.dumps([one for file in sorted(folder.rglob("*.py")) for one in errors_of(file, folder)]))
