/** Underlines problems in the text. The message is shown on hover, and below the editor. */
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { problemsIn } from '../schema/problemsIn.ts';

export function markProblems(schema: JsonSchema): Extension {
  return EditorView.decorations.compute(['doc'], ({ doc }) => {
    const marks = problemsIn(doc.toString(), schema).flatMap(({ from, to, message }) => {
      // If something is missing at the end, mark the character before it.
      const end = Math.min(Math.max(to, from + 1), doc.length);
      const begin = Math.min(from, end - 1);
      if (begin < 0) return [];
      return [Decoration.mark({ class: 'cm-problem', attributes: { title: message } }).range(begin, end)];
    });
    return Decoration.set(marks, true);
  });
}
