/** Pickles, written by Python, that run a program or try to exhaust their reader. */
import { execFileSync } from 'node:child_process';

export const HOSTILE_PICKLES = 50;

/**
 * Writes `hostile-<n>.pkl` files into a folder. Loading any of them with Python's `pickle` would create the
 * marker, or worse.
 */
export function writeHostilePickles(folder: string, marker: string): void {
  execFileSync('python3', ['-c', PROGRAM, folder, marker, String(HOSTILE_PICKLES)]);
}

const PROGRAM = `
import builtins, os, pickle, struct, subprocess, sys

folder, marker, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
touch = f"touch {marker}"
write = f"open({marker!r}, 'w').write('x')"


class Calls:
    def __init__(self, function, *arguments):
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


class State:
    def __reduce__(self):
        return (Calls, (os.getcwd,), {"__class__": Calls(os.system, touch)})


calls = [
    Calls(os.system, touch),
    Calls(subprocess.check_output, ["touch", marker]),
    Calls(eval, write),
    Calls(exec, write),
    Calls(exec, f"import os; os.system({touch!r})"),
    Calls(open, marker, "w"),
    Calls(builtins.__import__, "antigravity"),
    State(),
]
made = [pickle.dumps(one, protocol) for one in calls for protocol in (0, 2, 4, 5)]
# Hidden in data that looks like the cache's.
for protocol in (2, 4):
    made.append(pickle.dumps({"http://127.0.0.1:8890 app/production": {"run": calls[0], "endpoints": {}}}, protocol))
    made.append(pickle.dumps({"a": {"run": "r", "endpoints": {"one": [calls[2]]}}}, protocol))

text = lambda value: b"X" + struct.pack("<I", len(value)) + value
raw = [
    b"cos\\nsystem\\n(S'" + touch.encode() + b"'\\ntR.",
    b"(S'" + touch.encode() + b"'\\nios\\nsystem\\n.",
    b"(cos\\nsystem\\nS'" + touch.encode() + b"'\\no.",
    b"\\x80\\x02\\x82\\x01.",
    b"\\x80\\x02Pname\\n.",
    b"\\x80\\x02" + text(b"id") + b"Q.",
    b"\\x80\\x02}(" + text(b"a") + b"cos\\nsystem\\n" + text(touch.encode()) + b"\\x85Ru.",
    b"\\x80\\x02}(cos\\nsystem\\nJ\\x01\\0\\0\\0u.",
    b"\\x80\\x02](" * 5000 + b"e" * 5000 + b".",
    b"\\x80\\x02" + b"](" * 5000,
    b"\\x80\\x02X\\xff\\xff\\xff\\xffabc.",
    b"\\x80\\x02\\x8d" + b"\\xff" * 8 + b".",
    b"\\x80\\x02\\x8b\\xff\\xff\\xff\\x7f.",
    b"\\x80\\x02]q\\0(h\\0e.",
]
made += raw
assert len(made) == wanted, len(made)
for number, data in enumerate(made):
    with open(f"{folder}/hostile-{number}.pkl", "wb") as file:
        file.write(data)
`;
