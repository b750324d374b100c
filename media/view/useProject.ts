/** The current project, and the output of its workers. */
import { useEffect, useState } from 'preact/hooks';
import type { DevState } from '../../runtime/contract/panelMessages.ts';
import type { PageEvent, PageProject } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';

export interface LogLine {
  /** Increases. */
  number: number;
  level: string;
  message: string;
}

interface ProjectState {
  /** Null until it is known. */
  project: PageProject | null;
  dev: DevState;
  /** Keyed by endpoint. */
  logs: Record<string, LogLine[]>;
  clearLogs: (endpoint: string) => void;
}

const MAX_LINES = 1_000;
/** In milliseconds. Delay before a refresh, because one save can cause several changes. */
const BURST_MS = 30;

export function useProject(host: PageHost): ProjectState {
  const [project, setProject] = useState<PageProject | null>(null);
  const [dev, setDev] = useState<DevState>('connected');
  const [logs, setLogs] = useState<Record<string, LogLine[]>>({});

  useEffect(() => {
    let timer: number | undefined;
    const read = () =>
      void host.project().then(setProject, () => setDev((now) => (now === 'connected' ? 'lost' : now)));
    const refresh = () => {
      clearTimeout(timer);
      timer = setTimeout(read, BURST_MS);
    };
    const onEvent = (event: PageEvent) => {
      if (event.event === 'log') setLogs((known) => withLine(known, event));
      else refresh();
    };
    const onState = (state: DevState) => {
      setDev(state);
      if (state === 'connected') refresh();
    };
    read();
    return host.follow(onEvent, onState);
  }, [host]);

  const clearLogs = (endpoint: string) => setLogs((known) => ({ ...known, [endpoint]: [] }));
  return { project, dev, logs, clearLogs };
}

function withLine(
  logs: Record<string, LogLine[]>,
  { endpoint, level, message }: Extract<PageEvent, { event: 'log' }>,
): Record<string, LogLine[]> {
  const lines = logs[endpoint] ?? [];
  const line = { number: (lines.at(-1)?.number ?? 0) + 1, level, message };
  return { ...logs, [endpoint]: [...lines.slice(-MAX_LINES + 1), line] };
}
