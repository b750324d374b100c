/**
 * One file's import statements → the modules that they name, and the files of those modules in the project.
 */
import { ToolkitError } from '../../contract/errors.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import { isRun } from '../binder/reach.ts';
import type { ResolvedImport } from '../reading.ts';
import { finishSteps } from '../steps.ts';
import type { ProjectFiles } from './ProjectFiles.ts';

export class ImportReader {
  readonly #files: ProjectFiles;
  readonly #known = new Map<string, ResolvedImport[]>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  /**
   * Imports of a file in source order, parsed on first use.
   *
   * @throws ToolkitError PROJECT_NOT_FOUND when the file is not in the project or cannot be opened,
   *   PROJECT_HAS_ERRORS when its bytes cannot be decoded.
   */
  async of(file: string): Promise<ResolvedImport[]> {
    const known = this.#known.get(file);
    if (known) return known;
    const facts = await finishSteps(this.#files.facts(file));
    this.#files.save();
    if (!facts) {
      const undecodable = this.#files.undecodable(file);
      if (undecodable) {
        const { line, fault, fix } = undecodable;
        throw new ToolkitError('PROJECT_HAS_ERRORS', `${file}:${line + 1}:1: ${fault}`, { hint: fix });
      }
      throw new ToolkitError(
        'PROJECT_NOT_FOUND',
        `${file} is not in ${this.#files.root}, or cannot be opened.`,
        {
          hint: 'Check the path and the permissions of the file.',
        },
      );
    }
    // Workers do not run the other imports.
    const run = facts.imports.filter(({ guard }) => isRun(guard));
    const imports = run.map((item) => this.#resolve(item, facts));
    this.#known.set(file, imports);
    return imports;
  }

  #resolve({ target, names, scope, range }: Import, facts: FileFacts): ResolvedImport {
    const { modules } = this.#files;
    const stem = modules.resolve(target, facts.file);
    const file = stem === null ? null : modules.fileOf(stem);
    const relative = target.folder ? target.folder.replaceAll('/', '.') : '';
    return {
      module: [relative, target.module].filter((part) => part !== '').join('.'),
      names,
      file: file ?? null,
      scope: functionAround(facts, scope),
      range,
    };
  }
}

/** The body of a class runs with the module; the body of a function runs only when it is called. */
function functionAround(facts: FileFacts, scope: number): ResolvedImport['scope'] {
  let name: string | null = null;
  for (let at: number | null = scope; at !== null; at = facts.scopes[at]!.parent) {
    if (facts.scopes[at]!.kind === 'function') name ??= facts.scopes[at]!.name;
  }
  return name === null ? { kind: 'module' } : { kind: 'function', function: name };
}
