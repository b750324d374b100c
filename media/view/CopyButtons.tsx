/** The request as a command or a program, into the clipboard. */
import { useState } from 'preact/hooks';
import type { HttpRequest } from '../request/buildRequest.ts';
import { COPY_FORMS, type CopyForm } from '../request/copyAs.ts';
import { useHost } from './HostContext.ts';

const FORMS = Object.keys(COPY_FORMS) as CopyForm[];

interface CopyButtonsProps {
  request: HttpRequest;
  needsToken: boolean;
}

export function CopyButtons({ request, needsToken }: CopyButtonsProps) {
  const host = useHost();
  const [said, setSaid] = useState<string | null>(null);
  const copy = async (form: CopyForm) => {
    try {
      await host.copy(COPY_FORMS[form](request, { origin: host.origin, needsToken }));
      setSaid(`Copied ${form}`);
    } catch {
      setSaid('Not copied');
    }
    setTimeout(() => setSaid(null), 1_500);
  };
  return (
    <div class="copy" role="group" aria-label="Copy as">
      <span class="muted" role="status">
        {said ?? 'Copy as'}
      </span>
      {FORMS.map((form) => (
        <button key={form} type="button" class="quiet" onClick={() => void copy(form)}>
          {form}
        </button>
      ))}
    </div>
  );
}
