/** The editors of JSON as components. */
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

/** Another schema or a text that was not typed here needs another `key`. */
export function JsonEditor({ text, label, schema, changed, send }: JsonEditorProps) {
  // An editor lives longer than the functions that it was given.
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

/** Shows a text; another text needs another `key`. */
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

/** An editor around the page must not act as well on a key that this one has used, such as that of undoing. */
function keepHandled(event: KeyboardEvent): void {
  if (event.defaultPrevented) event.stopPropagation();
}
