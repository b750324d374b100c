import type { Declaration } from '../declarations/Declaration.ts';
import type { NameResolver } from '../declarations/NameResolver.ts';
import { publicMethods } from '../declarations/publicMethods.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { addToBody, findDefinition } from '../fixes/statementEdits.ts';
import type { Finding } from './Finding.ts';

/**
 * A function or class has no docstring. The first line of its docstring is shown as the description in
 * `toolkit list` and the API explorer.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     return len(text.split())
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def count(text: str):
 *     """Count words."""
 *     return len(text.split())
 * ```
 */
export const missingDescription: Finding = {
  code: 'missing-description',
  severity: 'hint',
  chapter: 'Functions and classes',
  *find({ declarations, names }) {
    for (const { file, definition } of declarations.flatMap((one) => undescribed(one, names))) {
      yield {
        file,
        range: definition.nameRange,
        message: `${definition.name} has no description.`,
        fix: 'Describe what it does in the first line of its docstring, for example """Resize an image.""".',
      };
    }
  },
  fixes: [addDescription],
};

/**
 * Functions and classes without a description. For a class, its own docstring or that of its method is
 * enough.
 */
function undescribed({ served, routes }: Declaration, names: NameResolver) {
  return [...served, ...routes].filter(({ file, definition }) => {
    if (definition.description !== null) return false;
    const methods = definition.kind === 'class' ? publicMethods(names, file, definition) : [];
    return methods.every(({ description }) => description === null);
  });
}

/** Adds a docstring made from the words in the function's name, for the user to improve. */
function* addDescription({ project, source, found }: FixRequest): Fixes {
  const name = source.slice(found.range);
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|_+/g, ' ')
    .trim()
    .toLowerCase();
  if (words === '') return;
  const docstring = `"""${words[0]!.toUpperCase()}${words.slice(1)}."""`;
  const edits = project.withTree(found.file, (root) => {
    const definition = findDefinition(root, source.offset(found.range.start));
    return definition && !definition.hasError ? addToBody(source, definition, [docstring], true) : [];
  });
  if (edits?.length) yield { title: `Add a description to ${name}`, edits, preferred: true };
}
