import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refresh } from '../../api/queries.ts';
import { accessToken } from '../session.ts';
import { vaultUrl } from '../location.ts';

export type Frame = Extract<SessionEvent, { type: 'frame' }>;
/** `lost`: cut off, and tried again. */
type Connection = 'connecting' | 'open' | 'lost';
type Live = { readonly connection: Connection; readonly frame: Frame | null };

const maxRetryMs = 15_000;

/**
 * What the page of a session looks like now, and whether that is so. Any other news of the session has its questions
 * asked anew. While no connection is to be had, they are asked every few seconds.
 */
export function useLive(sessionId: string, isOpen: boolean): Live {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ connection: 'connecting', frame: null });
  useEffect(() => {
    if (!isOpen) return;
    const news = () => void refresh(queries, '/api/v1/sandbox/sessions');
    return watch(sessionId, {
      onConnection: (connection) => {
        setLive((old) => ({ ...old, connection }));
        // What happened meanwhile is not told again.
        news();
      },
      onEvent: (event) => (event.type === 'frame' ? setLive((old) => ({ ...old, frame: event })) : news()),
    });
  }, [sessionId, isOpen, queries]);
  return live;
}

type Listener = {
  readonly onConnection: (connection: Connection) => void;
  readonly onEvent: (event: SessionEvent) => void;
};

/** Follows the events of a session, and connects again whenever that ends. Gives the function that stops it. */
function watch(sessionId: string, { onConnection, onEvent }: Listener): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let failures = 0;
  const again = () => {
    if (stopped) return;
    onConnection('lost');
    failures += 1;
    timer = setTimeout(() => void connect(), Math.min(maxRetryMs, 1000 * 2 ** (failures - 1)));
  };
  const connect = async () => {
    const token = await accessToken(Date.now());
    if (stopped) return;
    if (!token.ok) return again();
    // A browser sends no header with it, so the token stands where it may.
    const opened = new WebSocket(eventsUrl(sessionId), [`bearer.${token.value}`]);
    socket = opened;
    socket.addEventListener('open', () => {
      if (stopped) return opened.close();
      failures = 0;
      onConnection('open');
    });
    socket.addEventListener('message', ({ data }) => onEvent(JSON.parse(String(data)) as SessionEvent));
    socket.addEventListener('close', again);
  };
  void connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    // One that is still connecting is closed once it is open: browsers complain of an earlier end.
    if (socket?.readyState === WebSocket.OPEN) socket.close();
  };
}

function eventsUrl(sessionId: string): URL {
  const url = new URL(`/api/v1/sandbox/sessions/${sessionId}/events?frames=1`, vaultUrl() ?? location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}
