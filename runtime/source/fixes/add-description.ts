/** Adds a docstring that says a function's name in words, for somebody to make better. */
import { type Fixer, fixIn } from './Fix.ts';
import { findDefinition } from './findDefinition.ts';
import { SourceText } from './SourceText.ts';
import { addToBody } from './statementEdits.ts';

export const addDescription: Fixer = (project, found) =>
  project.withTree(found.file, (root, text) => {
    const source = new SourceText(text);
    const definition = findDefinition(root, found.range.start);
    if (!definition || definition.hasError) return [];
    const name = source.slice(found.range);
    const words = name
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
      .split('_')
      .filter((word) => word !== '')
      .join(' ')
      .toLowerCase();
    if (words === '') return [];
    const docstring = `"""${words[0]!.toUpperCase()}${words.slice(1)}."""`;
    const edits = addToBody(source, definition, [docstring], true);
    if (edits.length === 0) return [];
    return [fixIn({ title: `Add a description to ${name}`, file: found.file, edits, preferred: true })];
  }) ?? [];
