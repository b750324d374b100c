/** CodeMirror for JSON: an editor with completion and problems, and a read-only view. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { completeJson } from './completeJson.ts';
import { markProblems } from './markProblems.ts';
import { theme } from './theme.ts';

interface EditorOptions {
  /** Must be in a shadow root, where the Content-Security-Policy does not treat CodeMirror's styles as inline. */
  parent: HTMLElement;
  text: string;
  label: string;
  schema: JsonSchema;
  changed: (text: string) => void;
  send: () => void;
}

export function openJsonEditor({ parent, text, label, schema, changed, send }: EditorOptions): EditorView {
  const sendKey = {
    key: 'Mod-Enter',
    run: () => {
      send();
      return true;
    },
  };
  return open(parent, text, [
    Prec.highest(keymap.of([sendKey])),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [(context) => completeJson(context, schema)], icons: false }),
    markProblems(schema),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) changed(state.doc.toString());
    }),
  ]);
}

export function openJsonView(parent: HTMLElement, text: string, label: string): EditorView {
  return open(parent, text, [
    EditorState.readOnly.of(true),
    codeFolding(),
    foldGutter(),
    keymap.of([...foldKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': label }),
  ]);
}

function open(parent: HTMLElement, text: string, extensions: Extension[]): EditorView {
  const root = parent.getRootNode() as ShadowRoot;
  const shared = [json(), theme, EditorView.lineWrapping, EditorState.tabSize.of(2)];
  return new EditorView({ doc: text, parent, root, extensions: [...extensions, ...shared] });
}
