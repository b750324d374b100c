/** Completion items → the answer: most replace the same text, which is said once where the client knows how. */
import type {
  CompletionItem,
  CompletionList,
  EditRangeWithInsertReplace,
  Range,
} from 'vscode-languageserver';
import { type EditPlace, itemsOf, type Offer } from './completionItems.ts';
import type { DocumentContext } from './feature.ts';

/** A list whose items leave out the range that they share with the first, or the items as they are. */
export function listOf(
  context: DocumentContext,
  cursor: EditPlace,
  offers: readonly Offer[],
): CompletionList | CompletionItem[] {
  const items = itemsOf(context, cursor, offers);
  const able = context.client.capabilities.textDocument?.completion?.completionList;
  const range = items[0] && rangeOf(items[0]);
  if (!able?.itemDefaults?.includes('editRange') || !range) return items;
  const shared = JSON.stringify(range);
  return {
    isIncomplete: false,
    itemDefaults: { editRange: range },
    items: items.map((item) => {
      const { textEdit, ...rest } = item;
      if (!textEdit || JSON.stringify(rangeOf(item)) !== shared) return item;
      return textEdit.newText === item.label ? rest : { ...rest, textEditText: textEdit.newText };
    }),
  };
}

function rangeOf({ textEdit }: CompletionItem): Range | EditRangeWithInsertReplace | null {
  if (!textEdit) return null;
  return 'range' in textEdit ? textEdit.range : { insert: textEdit.insert, replace: textEdit.replace };
}
