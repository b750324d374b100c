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
    ROUTES,
    '## Hardware\n',
    `### GPU groups\n\n| Group | GPU types |\n| --- | --- |\n${groups().join('\n')}\n`,
    `### GPU types\n\n| Type | Card |\n| --- | --- |\n${types().join('\n')}\n`,
    `### CPU instances\n\n| Instance | vCPU | Memory |\n| --- | --- | --- |\n${forms().join('\n')}\n`,
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
    return `| \`${form}\` | ${vcpu} | ${ramGb} GB |`;
  });
}

const INTRODUCTION = `# Endpoint

\`Endpoint\` from \`toolkit_sdk\` declares an endpoint. As a decorator on a function or a class, it declares a queue-based
endpoint. As an instance with routes, it declares a load-balanced endpoint. In \`pyproject.toml\`, an endpoint is a table
\`[[tool.toolkit.endpoints]]\` with the same arguments, a \`command\`, and \`kind = "load-balanced"\` if it is not queue-based;
its values are written as in \`gpu = "ANY"\` and \`workers = [0, 3]\`. See
[endpoints in other languages](commands-in-other-languages.md). The toolkit reads the arguments without running the code,
so write them as literals or constants.

\`\`\`python
from toolkit_sdk import Endpoint, GpuGroup

@Endpoint(name="score", gpu=GpuGroup.ADA_24, workers=(0, 3), dependencies=["transformers"])
def score(text: str) -> dict:
    """Score a text."""
\`\`\`

\`\`\`python
api = Endpoint(name="api", cpu="cpu5c-1-2")

@api.post("/score")
def score_route(text: str) -> dict:
    """Score a text."""
\`\`\`
`;

const ROUTES = `## Routes

A load-balanced instance has one decorator per method: ${ROUTE_VERBS.map((verb) => `\`.${verb}(path)\``).join(', ')}. Parameters of
GET and DELETE routes come from the path and the query. Those of other routes come from the path and the JSON body.
`;
