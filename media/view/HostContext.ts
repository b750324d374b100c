/** The page's host, for deeply nested views. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageHost } from '../PageHost.ts';

export const HostContext = createContext<PageHost | null>(null);

export function useHost(): PageHost {
  return useContext(HostContext)!;
}
