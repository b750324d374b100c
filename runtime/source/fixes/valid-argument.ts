/** Writes an argument in the form that its parameter takes, where only one thing can be meant. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { CPU_FORMS, GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import type { Expression } from '../binder/Expression.ts';
import type { Constant } from '../declarations/Constant.ts';
import { type Declaration, KEYWORDS, type Keyword } from '../declarations/Declaration.ts';
import { foldConstant } from '../declarations/foldConstant.ts';
import { nearest } from '../declarations/nearest.ts';
import type { ProjectView } from '../snapshot/ProjectView.ts';
import { quoted, removeArgument, replaceRange } from './callArguments.ts';
import { type Fix, type Fixer, fixIn } from './Fix.ts';
import { type ArgumentPlace, argumentAt, isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';
import { sdkName } from './sdkName.ts';
import { wholeNumber } from './valid-workers.ts';

export const validArgument: Fixer = (project, found) => {
  const source = SourceText.of(project, found.file);
  if (!source) return [];
  const misplaced = misplacedFixes(project, source, found) ?? headingFixes(project, source, found);
  if (misplaced) return misplaced;
  const place = argumentAt(project.index, found);
  return place ? valueFixes(project, source, place, found) : [];
};

function valueFixes(
  project: ProjectView,
  source: SourceText,
  place: ArgumentPlace,
  found: Diagnostic,
): Fix[] {
  const { argument, declaration } = place;
  const { constant, expression } = argument;
  const write = (written: string, range = expression.range): Fix[] => [
    fixIn({
      title: `Write ${written}`,
      file: found.file,
      edits: replaceRange(source, range, written),
      preferred: true,
    }),
  ];
  switch (argument.keyword) {
    case 'idle_timeout':
    case 'gpu_count':
    case 'max_concurrency':
    case 'execution_timeout': {
      const number = wholeNumber(constant);
      return number !== null && number > 0 && constant.type !== 'integer' ? write(String(number)) : [];
    }
    case 'dependencies':
      return listFixes(source, constant, expression, write);
    case 'gpu':
      return gpuFixes(project, source, place);
    case 'image': {
      if (constant.type !== 'string' || constant.value.trim() !== '') return [];
      const edits = removeArgument(source, declaration, argument);
      return [fixIn({ title: 'Remove image', file: found.file, edits, preferred: true })];
    }
    case 'env':
      return variableFixes(place, found, write);
    case 'command': {
      if (constant.type !== 'string' || constant.value.trim() === '' || /["'\\]/.test(constant.value))
        return [];
      return write(
        `[${constant.value
          .trim()
          .split(/\s+/)
          .map((word) => quoted(word))
          .join(', ')}]`,
      );
    }
    case 'kind': {
      if (constant.type !== 'string') return [];
      const meant = nearest(constant.value.replaceAll(/[_ ]/g, '-'), [
        'queue',
        'queue-based',
        'load-balanced',
        'lb',
      ]);
      if (meant === null) return [];
      return write(
        quoted(meant.startsWith('queue') ? 'queue' : 'load-balanced', source.slice(expression.range)),
      );
    }
    default:
      return [];
  }
}

/** A package's name alone, or a set of names, where a list stands. */
function listFixes(
  source: SourceText,
  constant: Constant,
  expression: Expression,
  write: (written: string) => Fix[],
): Fix[] {
  if (
    constant.type === 'string' &&
    /^[\w.[\]<>=!~, -]+$/.test(constant.value) &&
    expression.kind === 'string'
  ) {
    const names = constant.value.trim().split(/\s+/);
    const only = names.length === 1 && !/^\W/.test(constant.value.trim());
    return only ? write(`[${source.slice(expression.range)}]`) : [];
  }
  if (expression.kind !== 'sequence' || expression.type !== 'set') return [];
  const text = source.slice(expression.range);
  return text.startsWith('{') ? write(`[${text.slice(1, -1)}]`) : [];
}

/** `"ADA_24"` and `"GpuGroup.ADA_24"` for the member. */
function gpuFixes(project: ProjectView, source: SourceText, { declaration, argument }: ArgumentPlace): Fix[] {
  const { constant, expression } = argument;
  if (declaration.form === 'table' || constant.type !== 'string') return [];
  const member = constant.value
    .trim()
    .replace(/^Gpu(?:Group|Type)\./, '')
    .toUpperCase()
    .replaceAll(/[-\s]/g, '_');
  const owner = member in GPU_GROUPS ? 'GpuGroup' : member in GPU_TYPES ? 'GpuType' : null;
  if (owner === null) return [];
  const name = sdkName(project.index, source, declaration, owner);
  if (!name) return [];
  const written = `${name.name}.${member}`;
  const edits = [...name.edits, ...replaceRange(source, expression.range, written)];
  return [fixIn({ title: `Write gpu=${written}`, file: declaration.file, edits, preferred: true })];
}

/** A number as the value of a variable. */
function variableFixes(
  { argument: { expression, constant } }: ArgumentPlace,
  found: Diagnostic,
  write: (written: string, range?: Diagnostic['range']) => Fix[],
): Fix[] {
  if (expression.kind !== 'dict' || constant.type !== 'dict') return [];
  const at = expression.entries.findIndex(({ value }) => isSame(value.range, found.range));
  const value = expression.entries[at]?.value;
  const isValue = value?.kind === 'number' && expression.entries.every(({ key }) => key?.kind === 'string');
  return isValue && value.integer ? write(quoted(String(value.value)), value.range) : [];
}

/** An argument without its keyword, and one that is given twice. */
function misplacedFixes({ index }: ProjectView, source: SourceText, found: Diagnostic): Fix[] | null {
  const declaration = index.declarations.find(
    ({ file, misplaced }) => file === found.file && misplaced.some(({ range }) => isSame(range, found.range)),
  );
  const argument = declaration?.call.arguments.find(({ keywordRange, value }) =>
    isSame(keywordRange ?? value.range, found.range),
  );
  if (!declaration || !argument || argument.spread) return declaration ? [] : null;
  if (argument.keyword !== null) {
    const place = { keywordRange: argument.keywordRange!, expression: argument.value };
    const edits = removeArgument(source, declaration, place);
    return [fixIn({ title: `Remove this ${argument.keyword}`, file: found.file, edits })];
  }
  const scope = { file: declaration.file, scope: declaration.scope };
  const keyword = keywordFor(foldConstant(index.names, argument.value, scope));
  if (keyword === null || isTaken(declaration, keyword)) return [];
  const edits = [source.insert(source.offset(argument.value.range.start), `${keyword}=`)];
  return [fixIn({ title: `Write ${keyword}= before it`, file: found.file, edits, preferred: true })];
}

function isTaken({ given }: Declaration, keyword: Keyword): boolean {
  return given[keyword] !== undefined;
}

/** The keyword that takes such a value and nothing else does. */
function keywordFor(constant: Constant): (typeof KEYWORDS)[number] | null {
  if (constant.type === 'member') return constant.enum === 'CpuInstanceType' ? 'cpu' : 'gpu';
  if (constant.type === 'string') return CPU_FORMS.includes(constant.value) ? 'cpu' : null;
  if (constant.type !== 'tuple' && constant.type !== 'list') return null;
  const types = new Set(constant.items.map(({ type }) => type));
  if (types.size !== 1) return null;
  if (types.has('string')) return 'dependencies';
  return types.has('integer') && constant.items.length === 2 ? 'workers' : null;
}

/** `[tool.toolkit.endpoints]` for the heading of one endpoint. */
function headingFixes({ index }: ProjectView, source: SourceText, found: Diagnostic): Fix[] | null {
  if (!index.misplacedTables.some(({ file, range }) => file === found.file && isSame(range, found.range)))
    return null;
  const heading = source.slice(found.range);
  if (!/^\[\s*tool\s*\.\s*toolkit\s*\.\s*endpoints\s*\]$/.test(heading)) return [];
  const edits = replaceRange(source, found.range, `[${heading}]`);
  return [fixIn({ title: `Write [${heading}]`, file: found.file, edits, preferred: true })];
}
