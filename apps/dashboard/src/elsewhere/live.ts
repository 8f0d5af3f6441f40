import { WebSocket } from 'undici';
import type { SessionCaller } from '../callers.ts';
import { plain } from './hand-on.ts';

/** Live events of the vault's browser sessions, for people who are signed in here. */
export type Live = {
  /** The events that a WebSocket of the vault tells, as server-sent events, until either side ends. */
  readonly follow: (path: string, token: string, caller: SessionCaller, spent: () => void) => Response;
  /** Ends what a session follows; null: all. */
  readonly end: (sessionId: string | null) => void;
};

const maxOfOneSession = 8;
/** Pictures that wait to be read are worth nothing; of the rest so much may wait, in bytes. */
const maxWaiting = 4 * 1_048_576;
const utf8 = new TextEncoder();

export function createLive(vault: URL): Live {
  const open = new Map<() => void, string>();

  const follow: Live['follow'] = (path, token, { sessionId }, spent) => {
    const theirs = [...open.values()].filter((id) => id === sessionId);
    if (theirs.length >= maxOfOneSession) return new Response(null, { status: 429, headers: plain });
    const url = new URL(path, vault);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url, [`bearer.${token}`]);
    let end = (): void => {};
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          let isOver = false;
          end = () => {
            if (isOver) return;
            isOver = true;
            open.delete(end);
            socket.close();
            if (!cancelled) controller.close();
          };
          open.set(end, sessionId);
          const room = () => (controller.desiredSize ?? 0) > 0;
          socket.addEventListener('open', () => !isOver && controller.enqueue(utf8.encode(': open\n\n')));
          socket.addEventListener('message', ({ data }) => {
            if (isOver || typeof data !== 'string') return;
            if (room()) controller.enqueue(utf8.encode(`data: ${data.replace(/[\r\n]/g, ' ')}\n\n`));
            else if (!isPicture(data)) end();
          });
          // 1008: the vault takes the token no longer. It may also never have let us in.
          socket.addEventListener('close', ({ code }) => {
            if (code === 1008) spent();
            end();
          });
          socket.addEventListener('error', () => {
            spent();
            end();
          });
        },
        cancel() {
          cancelled = true;
          end();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }),
    );
    return new Response(body, {
      headers: { ...plain, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
    });
  };

  return {
    follow,
    end(sessionId) {
      for (const [end, id] of open) if (sessionId === null || id === sessionId) end();
    },
  };
}

const isPicture = (text: string): boolean => text.startsWith('{"type":"frame"');
