/** The requests sent before, for reuse: a list that opens below its button. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Draft } from '../request/draft.ts';
import type { Sent } from './useHistory.ts';

interface HistoryMenuProps {
  sent: readonly Sent[];
  choose: (draft: Draft) => void;
  clear: () => void;
}

export function HistoryMenu({ sent, choose, clear }: HistoryMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen) whole.current?.querySelector<HTMLElement>('li button')?.focus();
  }, [isOpen]);
  if (sent.length === 0) return null;
  const close = () => {
    setOpen(false);
    whole.current!.querySelector('button')!.focus();
  };
  return (
    <div
      ref={whole}
      class="history"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (!isOpen) return;
        if (event.key === 'Escape') {
          // Prevented, so that it does not also stop the request.
          event.preventDefault();
          close();
        } else moveFocus(event);
      }}
    >
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        History
      </button>
      {isOpen && (
        <div class="menu">
          <ul aria-label="Sent requests">
            {sent.map(({ draft, at }) => (
              <li key={at}>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => {
                    choose(draft);
                    close();
                  }}
                >
                  <span class="payload">{summaryOf(draft)}</span>
                  <time>{timeOf(at)}</time>
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              close();
              clear();
            }}
          >
            Clear History
          </button>
        </div>
      )}
    </div>
  );
}

/** A draft in one line. */
function summaryOf({ fields, body, files = {} }: Draft): string {
  const parts = Object.entries(fields).flatMap(([name, text]) => (text === '' ? [] : [`${name}=${text}`]));
  const named = Object.entries(files).map(([name, file]) => `${name}: ${file.name}`);
  const json = body.replace(/\s+/g, ' ');
  return [...parts, ...named, ...(json === '{}' ? [] : [json])].join('  ') || 'no parameters';
}

function timeOf(at: number): string {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  return isToday
    ? when.toLocaleTimeString([], { timeStyle: 'short' })
    : when.toLocaleDateString([], { dateStyle: 'medium' });
}

function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.menu button')];
  event.preventDefault();
  items[items.indexOf(document.activeElement as HTMLElement) + step]?.focus();
}
