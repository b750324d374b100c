/** The JSON editors as components. */
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonSchema } from '../../runtime/contract/inputSchema.ts';
import { openJsonEditor, openJsonView } from '../editor/jsonEditor.ts';

interface JsonEditorProps {
  text: string;
  label: string;
  schema: JsonSchema;
  changed: (text: string) => void;
  send: () => void;
}

/** Use another `key` for another schema, or for a text that was not typed here. */
export function JsonEditor({ text, label, schema, changed, send }: JsonEditorProps) {
  // The editor outlives the functions passed to it.
  const latest = useRef({ changed, send });
  latest.current = { changed, send };
  const open = (parent: HTMLElement) =>
    openJsonEditor({
      parent,
      text,
      label,
      schema,
      changed: (typed) => latest.current.changed(typed),
      send: () => latest.current.send(),
    });
  return <Shadow open={open} />;
}

/** Shows a text. Use another `key` for another text. */
export function JsonView({ text, label }: { text: string; label: string }) {
  return <Shadow open={(parent) => openJsonView(parent, text, label)} />;
}

function Shadow({ open }: { open: (parent: HTMLElement) => EditorView }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const parent = document.createElement('div');
    root.append(parent);
    const view = open(parent);
    return () => {
      view.destroy();
      parent.remove();
    };
  }, []);
  return <div class="editor" ref={host} onKeyDown={keepHandled} />;
}

/** VS Code must not also act on a key that the JSON editor has handled, such as undo. */
function keepHandled(event: KeyboardEvent): void {
  if (event.defaultPrevented) event.stopPropagation();
}
