/** Buttons that copy the request as a command or a program. */
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
  const [result, setResult] = useState<string | null>(null);
  const copy = async (form: CopyForm) => {
    try {
      await host.copy(COPY_FORMS[form](request, { origin: host.origin, needsToken }));
      setResult(`Copied ${form}`);
    } catch {
      setResult('Could not copy');
    }
    setTimeout(() => setResult(null), 1_500);
  };
  return (
    <div class="copy" role="group" aria-label="Copy as">
      <span class="muted" role="status">
        {result ?? 'Copy as'}
      </span>
      {FORMS.map((form) => (
        <button key={form} type="button" class="quiet" onClick={() => void copy(form)}>
          {form}
        </button>
      ))}
    </div>
  );
}
