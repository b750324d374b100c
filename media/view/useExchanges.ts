/** The last request to each route, and its response as it arrives. */
import { useRef, useState } from 'preact/hooks';
import type { PageHost } from '../PageHost.ts';
import type { HttpRequest } from '../request/buildRequest.ts';
import { type Exchange, newExchange } from '../request/Exchange.ts';
import { sendRequest } from '../request/sendRequest.ts';

interface Exchanges {
  /** Keyed by the route's key. */
  exchanges: Record<string, Exchange>;
  send(key: string, request: HttpRequest): void;
  stop(key: string): void;
}

export function useExchanges({ send: sendHttp }: PageHost): Exchanges {
  const [exchanges, setExchanges] = useState<Record<string, Exchange>>({});
  const controllers = useRef(new Map<string, AbortController>());

  const stop = (key: string) => {
    controllers.current.get(key)?.abort();
    setExchanges((all) => (all[key] ? { ...all, [key]: { ...all[key], isStopping: true } } : all));
  };
  const send = (key: string, request: HttpRequest) => {
    stop(key);
    const controller = new AbortController();
    controllers.current.set(key, controller);
    setExchanges((known) => ({ ...known, [key]: newExchange() }));
    const update = (known: Partial<Exchange>) => {
      // The response to an earlier request can still arrive.
      if (controllers.current.get(key) !== controller) return;
      setExchanges((all) => ({ ...all, [key]: { ...all[key]!, ...known } }));
    };
    void sendRequest(request, { send: sendHttp, signal: controller.signal, update });
  };
  return { exchanges, send, stop };
}
