/** Shows that the dev server does not respond: above the page, or in its place if no project is known. */
import type { DevState } from '../../runtime/contract/panelMessages.ts';
import { useHost } from './HostContext.ts';

type Away = Exclude<DevState, 'connected'>;

const TITLES: Record<Away, string> = {
  lost: 'The dev server does not respond.',
  starting: 'Starting the dev server…',
  stopped: 'The dev server is stopped.',
};

export function DevBanner({ state }: { state: Away }) {
  return (
    <div class="banner" role="status">
      <p>
        {TITLES[state]} <Advice state={state} />
      </p>
      <StartButton state={state} />
    </div>
  );
}

/** Shown instead of the page. */
export function DevScreen({ state }: { state: Away }) {
  return (
    <main class="empty start">
      <div role="status">
        <h1>{TITLES[state]}</h1>
        <p>
          <Advice state={state} />
        </p>
      </div>
      <StartButton state={state} />
    </main>
  );
}

function Advice({ state }: { state: Away }) {
  const { editor } = useHost();
  if (state === 'stopped')
    return <>It runs your functions as live endpoints and updates them when you save.</>;
  if (state === 'starting') return <>It reads the project. Functions are provisioned when they are called.</>;
  if (editor) return <>This page reconnects by itself.</>;
  return (
    <>
      Start it with <code>toolkit dev</code>. This page reconnects by itself.
    </>
  );
}

function StartButton({ state }: { state: Away }) {
  const { editor } = useHost();
  if (!editor || state !== 'stopped') return null;
  return (
    <button type="button" class="primary" onClick={() => editor.startDev()}>
      Start Dev Server
    </button>
  );
}
