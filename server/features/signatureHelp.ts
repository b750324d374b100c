/** `textDocument/signatureHelp`: the arguments of `Endpoint(` and of route decorators, and which one is being written. */
import type {
  ParameterInformation,
  SignatureHelp,
  SignatureHelpParams,
  SignatureInformation,
} from 'vscode-languageserver';
import { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';
import { KEYWORDS } from '../../runtime/source/declarations/Declaration.ts';
import { atCursor } from './atCursor.ts';
import { type CallArguments, callArguments } from './callArguments.ts';
import type { Cursor } from './cursor.ts';
import { concerns } from './declared.ts';
import type { PythonContext } from './feature.ts';
import { KEYWORD_TEXTS } from './keywords.ts';
import { markup } from './markup.ts';
import { PATH_TEXT, VERB_TEXTS } from './verbs.ts';

/** Characters after which an editor requests help, and requests it again. */
export const SIGNATURE_TRIGGERS = ['(', ','];

interface Signature {
  name: string;
  documentation: string;
  parameters: readonly { label: string; documentation: string }[];
}

/** Help for the innermost call; null if it does not belong to toolkit_sdk. */
export function signatureHelp(
  context: PythonContext,
  { position }: SignatureHelpParams,
): SignatureHelp | null {
  const { document, project, cursor, scope } = atCursor(context, position);
  const call = cursor.brackets.findLast(({ bracket, callee }) => bracket === '(' && callee.length > 0);
  if (!call || cursor.comment || !concerns(context)) return null;
  const { index } = project;
  const name = call.callee.join('.');
  if (index.isEndpointClass(document.file, scope, call.callee)) {
    return help(context, { name, ...ENDPOINT }, activeKeyword(cursor, callArguments(cursor, call)));
  }
  const verb = ROUTE_VERBS.find((known) => known === call.callee.at(-1));
  if (!verb || index.instancesOf(document.file, scope, call.callee.slice(0, -1)).length === 0) return null;
  const parameters = [{ label: 'path: str', documentation: PATH_TEXT }];
  return help(context, { name, parameters, documentation: VERB_TEXTS[verb] }, 0);
}

const ENDPOINT = {
  documentation:
    'Declares one serverless endpoint: as a decorator on one function or class, or as an instance with routes.',
  parameters: KEYWORDS.map((keyword) => {
    const { type, default: preset, documentation } = KEYWORD_TEXTS[keyword];
    return { label: `${keyword}: ${type} = ${preset}`, documentation };
  }),
};

/**
 * The argument being written: by its keyword, its position, or the beginning of a keyword; else the next missing one.
 */
function activeKeyword({ text, word, offset }: Cursor, { index, keyword, others }: CallArguments): number {
  if (keyword !== null) return KEYWORDS.findIndex((known) => known === keyword);
  const typed = text.slice(word.start, offset);
  const begun =
    typed === '' ? -1 : KEYWORDS.findIndex((known) => known.startsWith(typed) && !others.includes(known));
  if (begun !== -1 || index === 0) return Math.max(begun, 0);
  return KEYWORDS.findIndex((known, at) => !others.includes(known) && !(at === 0 && others[0] === null));
}

function help(
  { client }: PythonContext,
  { name, parameters, documentation }: Signature,
  active: number,
): SignatureHelp {
  const able = client.capabilities.textDocument?.signatureHelp?.signatureInformation;
  const formats = able?.documentationFormat;
  // Python's `*` follows `name`: all other arguments need a keyword.
  const labels = parameters.map(({ label: own }) => own).join(', ');
  const label = `${name}(${labels.replace(', ', ', *, ')})`;
  const information: SignatureInformation = {
    label,
    documentation: markup(documentation, formats),
    parameters: parameters.map((parameter): ParameterInformation => {
      const start = label.indexOf(parameter.label);
      const range: [number, number] = [start, start + parameter.label.length];
      return {
        label: able?.parameterInformation?.labelOffsetSupport ? range : parameter.label,
        documentation: markup(parameter.documentation, formats),
      };
    }),
  };
  // For an unknown keyword, no parameter is active. A client without support for null gets an index past the last one.
  const none = able?.noActiveParameterSupport ? null : parameters.length;
  return { signatures: [information], activeSignature: 0, activeParameter: active === -1 ? none : active };
}
