/** A request → a command or program to paste elsewhere. Secrets appear as variable names, never as values. */
import { createScanner } from 'jsonc-parser';
import { curlCommand, KEY_VARIABLES } from '../../runtime/contract/curlCommand.ts';
import type { HttpRequest } from './buildRequest.ts';

const TOKEN = KEY_VARIABLES.dev;

export type CopyForm = 'curl' | 'Python' | 'JavaScript';

interface Target {
  /** URL of the dev server, without a path. */
  origin: string;
  needsToken: boolean;
}

export const COPY_FORMS: Record<CopyForm, (request: HttpRequest, target: Target) => string> = {
  curl({ method, path, body }, { origin, needsToken }) {
    const key = needsToken ? `$${TOKEN}` : null;
    return curlCommand({ method, url: origin + path, key, body }).join(' \\\n  ');
  },
  Python({ method, path, body }, { origin, needsToken }) {
    const parts = [JSON.stringify(method), JSON.stringify(origin + path)];
    if (needsToken) parts.push(`headers={"Authorization": f"Bearer {os.environ['${TOKEN}']}"}`);
    if (body !== null) parts.push(`json=${pythonLiteral(body)}`);
    const call = `response = requests.request(\n${parts.map((part) => `    ${indented(part, 4)},\n`).join('')})`;
    return `${needsToken ? 'import os\n\n' : ''}import requests\n\n${call}\nprint(response.status_code, response.text)\n`;
  },
  JavaScript({ method, path, body }, { origin, needsToken }) {
    const headers = [
      ...(needsToken ? [`Authorization: \`Bearer \${process.env.${TOKEN}}\``] : []),
      ...(body === null ? [] : [`'Content-Type': 'application/json'`]),
    ];
    const options = [
      `method: '${method}'`,
      ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
      ...(body === null ? [] : [`body: JSON.stringify(${indented(body, 2)})`]),
    ];
    const given = options.map((one) => `  ${one},\n`).join('');
    const call = `const response = await fetch(${JSON.stringify(origin + path)}, {\n${given}});`;
    return `${call}\nconsole.log(response.status, await response.text());\n`;
  },
};

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

const PYTHON_WORDS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** Converts JSON to Python, which differs only in three words and some escapes in strings. */
function pythonLiteral(json: string): string {
  const scanner = createScanner(json);
  let literal = '';
  let end = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const from = scanner.getTokenOffset();
    end = from + scanner.getTokenLength();
    const token = json.slice(from, end);
    literal += token.startsWith('"') ? pythonText(token) : (PYTHON_WORDS[token] ?? token);
  }
  return literal + json.slice(end);
}

function pythonText(token: string): string {
  try {
    return JSON.stringify(JSON.parse(token));
  } catch {
    return token;
  }
}
