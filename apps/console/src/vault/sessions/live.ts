import type { SessionEvent } from '@countersign/protocol/vault/sandbox';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refresh } from '../../api/queries.ts';
import { accessToken } from '../session.ts';
import { relayedUnder, vaultUrl } from '../location.ts';

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
  let leave = (): void => {};
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
    const open = token.value === null ? bySession(sessionId) : byToken(sessionId, token.value);
    leave = open({
      onOpen: () => {
        failures = 0;
        if (!stopped) onConnection('open');
      },
      onMessage: (data) => onEvent(JSON.parse(data) as SessionEvent),
      onEnd: again,
    });
  };
  void connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    leave();
  };
}

type Hearing = {
  readonly onOpen: () => void;
  readonly onMessage: (data: string) => void;
  readonly onEnd: () => void;
};
type Source = (hearing: Hearing) => () => void;

/** A browser sends no header with a WebSocket, so the token stands where it may. */
const byToken =
  (sessionId: string, token: string): Source =>
  ({ onOpen, onMessage, onEnd }) => {
    const socket = new WebSocket(eventsUrl(sessionId), [`bearer.${token}`]);
    let left = false;
    socket.addEventListener('open', () => (left ? socket.close() : onOpen()));
    socket.addEventListener('message', ({ data }) => onMessage(String(data)));
    socket.addEventListener('close', onEnd);
    return () => {
      left = true;
      // One that is still connecting is closed once it is open: browsers complain of an earlier end.
      if (socket.readyState === WebSocket.OPEN) socket.close();
    };
  };

/**
 * The dashboard tells the same as server-sent events to whoever is signed in to the console. A browser has few connections
 * to a site, so a tab that nobody sees keeps none.
 */
const bySession =
  (sessionId: string): Source =>
  ({ onOpen, onMessage, onEnd }) => {
    let source: EventSource | null = null;
    const leave = () => {
      document.removeEventListener('visibilitychange', look);
      source?.close();
    };
    const open = () => {
      source = new EventSource(relayedUnder + eventsPath(sessionId));
      source.addEventListener('open', onOpen);
      source.addEventListener('message', ({ data }) => onMessage(String(data)));
      source.addEventListener('error', () => {
        leave();
        onEnd();
      });
    };
    const look = () => {
      if (!document.hidden) return source === null ? open() : undefined;
      source?.close();
      source = null;
    };
    document.addEventListener('visibilitychange', look);
    look();
    return leave;
  };

const eventsPath = (sessionId: string): string =>
  `/api/v1/sandbox/sessions/${encodeURIComponent(sessionId)}/events?frames=1`;

function eventsUrl(sessionId: string): URL {
  const url = new URL(eventsPath(sessionId), vaultUrl() ?? location.origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}
