import { WebSocket } from 'undici';
type Json = ReturnType<typeof JSON.parse>;

export type Shown = { readonly token?: string; readonly protocol?: string; readonly origin?: string };

/** A client's end of a WebSocket: every text that came, in order, and how it was closed. */
export function openSocket(url: string, { token, protocol, origin }: Shown = {}) {
  const texts: Json[] = [];
  const socket = new WebSocket(url.replace(/^http/, 'ws'), {
    ...(protocol !== undefined && { protocols: [protocol] }),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(origin !== undefined && { origin }),
    },
  });
  let news = () => {};
  let seen = 0;
  socket.addEventListener('message', ({ data }) => {
    texts.push(JSON.parse(String(data)));
    news();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  });
  return {
    opened: new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true));
      socket.addEventListener('error', () => resolve(false));
    }),
    closed,
    /** The next text; waits for it. */
    async next(): Promise<Json> {
      while (texts.length === seen)
        await new Promise<void>((resolve) => {
          news = resolve;
        });
      seen += 1;
      return texts[seen - 1];
    },
    /** Every text so far. */
    all: (): readonly Json[] => texts,
    protocol: () => socket.protocol,
    close: () => socket.close(),
  };
}
