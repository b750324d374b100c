/** The arguments of `Endpoint` and the hardware table → docs/endpoint.md. */
import { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';
import { CPU_FORMS, GPU_GROUPS, GPU_TYPES, parseCpuForm } from '../../runtime/contract/hardware.ts';
import { KEYWORDS } from '../../runtime/source/declarations/Declaration.ts';
import { ENDPOINT_ARGUMENTS } from './endpointArguments.ts';

/** The page. */
export function endpointPage(): string {
  const rows = KEYWORDS.map((keyword) => {
    const { type, default: fallback, range, example } = ENDPOINT_ARGUMENTS[keyword];
    return `| [\`${keyword}\`](#${keyword}) | \`${type}\` | ${fallback} | ${range} | \`${example}\` |`;
  });
  const meanings = KEYWORDS.map((keyword) => `### ${keyword}\n\n${ENDPOINT_ARGUMENTS[keyword].meaning}\n`);
  return [
    INTRODUCTION,
    `## Arguments\n\n| Argument | Type | Default | Range | Example |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`,
    ...meanings,
    FUNCTIONS,
    ROUTES,
    '## Hardware\n\nImport `GpuGroup`, `GpuType` and `CpuInstanceType` from `toolkit_sdk`.\n',
    `### GPU groups\n\n| Group | GPU types |\n| --- | --- |\n${groups().join('\n')}\n`,
    `### GPU types\n\n| Type | Card |\n| --- | --- |\n${types().join('\n')}\n`,
    `### CPU types\n\n| Type | Member | vCPU | Memory |\n| --- | --- | --- | --- |\n${forms().join('\n')}\n`,
  ].join('\n');
}

function groups(): string[] {
  return Object.entries(GPU_GROUPS).map(([group, members]) => {
    const served = members.length === 0 ? 'any' : members.map((type) => `\`GpuType.${type}\``).join(', ');
    return `| \`GpuGroup.${group}\` | ${served} |`;
  });
}

function types(): string[] {
  return Object.entries(GPU_TYPES).map(([type, card]) => `| \`GpuType.${type}\` | ${card} |`);
}

function forms(): string[] {
  return CPU_FORMS.map((form) => {
    const { vcpu, ramGb } = parseCpuForm(form)!;
    const member = form.toUpperCase().replaceAll('-', '_');
    return `| \`${form}\` | \`CpuInstanceType.${member}\` | ${vcpu} | ${ramGb} GB |`;
  });
}

const INTRODUCTION = `# Endpoint

\`Endpoint\` from \`toolkit_sdk\` declares an endpoint. As a decorator on a function or a class, it declares a queue-based
endpoint. As an object with routes, it declares a load-balanced endpoint. The toolkit reads the arguments without running the
code, so write them as literals or constants.

\`\`\`python
from toolkit_sdk import Endpoint, GpuGroup

@Endpoint(name="multiply", gpu=GpuGroup.ADA_24, workers=(0, 3), dependencies=["torch"])
def multiply(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    """Multiply two matrices."""
    import torch

    return (torch.tensor(a, device="cuda") @ torch.tensor(b, device="cuda")).tolist()
\`\`\`

\`\`\`python
from toolkit_sdk import Endpoint

api = Endpoint(name="api", cpu="cpu5c-1-2")

@api.get("/words")
def count_words(text: str) -> int:
    """Count the words of a text."""
    return len(text.split())
\`\`\`

In \`pyproject.toml\`, a table \`[[tool.toolkit.endpoints]]\` declares an endpoint in any language. It has a \`command\` and the
same arguments in the form of TOML, such as \`gpu = "ANY"\` and \`workers = [0, 3]\`. A load-balanced endpoint also needs
\`kind = "load-balanced"\`. See [endpoints in other languages](commands-in-other-languages.md).
`;

const FUNCTIONS = `## Functions

A function or method can be plain or \`async\`. The function of a queue-based endpoint can also be a generator, plain or \`async\`.
Clients read its values while it runs, with [\`stream\`](http-api.md#clients). When the job has ended, its output is the list of all
values. A call from Python waits for the end of the job, and then yields the values.

\`\`\`python
from collections.abc import Iterator

from toolkit_sdk import Endpoint

@Endpoint(name="count", cpu="cpu3c-1-2")
def count(limit: int) -> Iterator[int]:
    """Count to a limit."""
    for number in range(limit):
        yield number + 1
\`\`\`

A class needs one public method, which runs the jobs. Each worker creates one instance before its first job. If the class has a
method \`close()\`, the worker calls it when it stops. \`close\`, inherited methods, properties and methods that begin with \`_\` do not
count as public methods.

\`\`\`python
from toolkit_sdk import Endpoint

@Endpoint(name="remember", cpu="cpu3c-1-2", workers=1)
class Memory:
    """Remember texts."""

    def __init__(self):
        self.texts = []

    def add(self, text: str) -> list[str]:
        self.texts.append(text)
        return self.texts

    def close(self):
        print(f"forgets {len(self.texts)} texts")
\`\`\`
`;

const ROUTES = `## Routes

A load-balanced endpoint has one decorator per method: ${ROUTE_VERBS.map((verb) => `\`.${verb}(path)\``).join(', ')}.
GET and DELETE routes take their parameters from the path and the query, other routes from the path and the JSON body.
`;
