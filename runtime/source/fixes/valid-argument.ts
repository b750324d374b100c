/** Writes an argument in the form that its parameter takes, when there is only one possible meaning. */
import { CPU_FORMS, GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { Constant } from '../declarations/Constant.ts';
import { type Declaration, type Keyword } from '../declarations/Declaration.ts';
import { foldConstant } from '../declarations/foldConstant.ts';
import { nearest } from '../declarations/nearest.ts';
import { isSameRange } from '../syntax/range.ts';
import { quoted, removal } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { type ArgumentPlace, argumentAt } from './findPlace.ts';
import { writeGpu } from './sdkName.ts';
import type { TextEdit } from './TextEdit.ts';

export function* validArgument(request: FixRequest): Fixes {
  const { index, found } = request;
  const isHere = ({ range }: { range: TextEdit['range'] }) => isSameRange(range, found.range);
  const declaration = index.declarations.find(
    ({ file, misplaced }) => file === found.file && misplaced.some(isHere),
  );
  if (declaration) {
    yield* misplacedFixes(request, declaration);
    return;
  }
  if (index.misplacedTables.some((table) => table.file === found.file && isHere(table))) {
    yield* headingFixes(request);
    return;
  }
  const place = argumentAt(request);
  if (!place) return;
  const { declaration: owner, argument } = place;
  const { keyword, constant } = argument;
  if (keyword === 'gpu') yield* gpuFixes(request, place);
  if (keyword === 'image' && constant.type === 'string' && constant.value.trim() === '') {
    yield { ...removal(request.source, owner, argument), preferred: true };
  }
  const edit = valueEdit(request, place);
  if (edit) yield { title: `Change to ${edit.newText}`, edits: [edit], preferred: true };
}

/** The value in the form that its parameter takes. */
function valueEdit({ source, found }: FixRequest, { argument }: ArgumentPlace): TextEdit | null {
  const { constant, expression } = argument;
  const write = (newText: string, range = expression.range): TextEdit => ({ range, newText });
  switch (argument.keyword) {
    case 'idle_timeout':
    case 'gpu_count':
    case 'max_concurrency':
    case 'execution_timeout': {
      const number = constant.type === 'integer' ? null : wholeNumber(constant);
      return number !== null && number > 0 ? write(String(number)) : null;
    }
    case 'dependencies': {
      const text = source.slice(expression.range);
      // A single package name, or a set of names.
      const isName = constant.type === 'string' && /^\s*\w[\w.[\]<>=!~,-]*\s*$/.test(constant.value);
      if (expression.kind === 'string' && isName) return write(`[${text}]`);
      const isSet = expression.kind === 'sequence' && expression.type === 'set' && text.startsWith('{');
      return isSet ? write(`[${text.slice(1, -1)}]`) : null;
    }
    case 'env': {
      // A number as the value of a variable.
      if (expression.kind !== 'dict' || constant.type !== 'dict') return null;
      const { entries } = expression;
      const value = entries.find((entry) => isSameRange(entry.value.range, found.range))?.value;
      const isNumber = value?.kind === 'number' && value.integer;
      return isNumber && entries.every(({ key }) => key?.kind === 'string')
        ? write(quoted(String(value.value)), value.range)
        : null;
    }
    case 'command': {
      if (constant.type !== 'string' || !constant.value.trim() || /["'\\]/.test(constant.value)) return null;
      const words = constant.value.trim().split(/\s+/);
      return write(`[${words.map((word) => quoted(word)).join(', ')}]`);
    }
    case 'kind': {
      if (constant.type !== 'string') return null;
      const kinds = ['queue', 'queue-based', 'load-balanced', 'lb'];
      const meant = nearest(constant.value.replaceAll(/[_ ]/g, '-'), kinds);
      const kind = meant?.startsWith('queue') ? 'queue' : 'load-balanced';
      return meant === null ? null : write(quoted(kind, source.slice(expression.range)));
    }
    default:
      return null;
  }
}

/** Replaces `"ADA_24"` and `"GpuGroup.ADA_24"` with the member. */
function* gpuFixes(request: FixRequest, place: ArgumentPlace): Fixes {
  const { constant } = place.argument;
  if (place.declaration.form === 'table' || constant.type !== 'string') return;
  const member = constant.value
    .trim()
    .replace(/^Gpu(?:Group|Type)\./, '')
    .toUpperCase()
    .replaceAll(/[-\s]/g, '_');
  const owner = member in GPU_GROUPS ? 'GpuGroup' : member in GPU_TYPES ? 'GpuType' : null;
  if (owner !== null) yield* writeGpu(request, place, { enum: owner, member }, true);
}

/** Fixes for an argument without its keyword, and for one that is given twice. */
function* misplacedFixes({ index, source, found }: FixRequest, declaration: Declaration): Fixes {
  const argument = declaration.call.arguments.find(({ keywordRange, value }) =>
    isSameRange(keywordRange ?? value.range, found.range),
  );
  if (!argument || argument.spread) return;
  const { keyword: given, keywordRange, value } = argument;
  if (given !== null) {
    const place = { keyword: given, keywordRange: keywordRange!, expression: value };
    yield { ...removal(source, declaration, place), title: `Remove this ${given}` };
    return;
  }
  const keyword = keywordFor(foldConstant(index.names, value, declaration));
  if (keyword === null || declaration.given[keyword]) return;
  const edits = [source.insert(source.offset(value.range.start), `${keyword}=`)];
  yield { title: `Add ${keyword}= before it`, edits, preferred: true };
}

/** The only keyword that takes such a value; null when there are none or several. */
function keywordFor(constant: Constant): Keyword | null {
  if (constant.type === 'member') return constant.enum === 'CpuInstanceType' ? 'cpu' : 'gpu';
  if (constant.type === 'string') return CPU_FORMS.includes(constant.value) ? 'cpu' : null;
  if (constant.type !== 'tuple' && constant.type !== 'list') return null;
  const types = new Set(constant.items.map(({ type }) => type));
  if (types.size !== 1) return null;
  if (types.has('string')) return 'dependencies';
  return types.has('integer') && constant.items.length === 2 ? 'workers' : null;
}

/** Writes `[[tool.toolkit.endpoints]]` in place of `[tool.toolkit.endpoints]`. */
function* headingFixes({ source, found: { range } }: FixRequest): Fixes {
  const heading = source.slice(range);
  if (!/^\[\s*tool\s*\.\s*toolkit\s*\.\s*endpoints\s*\]$/.test(heading)) return;
  const newText = `[${heading}]`;
  yield { title: `Change to ${newText}`, edits: [{ range, newText }], preferred: true };
}

/** The whole number that a number or string clearly means; null when there is none. */
export function wholeNumber(constant: Constant): number | null {
  if (constant.type === 'integer') return constant.value;
  if (constant.type === 'float') return Number.isInteger(constant.value) ? constant.value : null;
  if (constant.type !== 'string' || !/^\s*-?\d{1,9}\s*$/.test(constant.value)) return null;
  return Number(constant.value);
}
