import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  /** Path and query, to the letter. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, everything else as JSON. */
  readonly body: unknown;
};

/** How a server fares: by its own rules, or not at all. */
export type Fate =
  | Reply
  | 'answers'
  | 'silent'
  | 'stalls'
  | 'cut off'
  | 'cut off in chunks'
  | 'resets'
  | 'resets once';

/** An HTTP server that answers by `rules` as long as it is well. */
export async function startFakeServer(rules: (received: Received) => Reply) {
  const received: Received[] = [];
  const state: { fate: Fate; held: Held | null } = { fate: 'answers', held: null };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const got = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(got);
      const { fate } = state;
      if (fate === 'resets once') state.fate = 'answers';
      const { held } = state;
      state.held = null;
      held?.arrive();
      void (held?.released ?? Promise.resolve()).then(() => meet(fate, () => rules(got), response));
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    set fate(fate: Fate) {
      state.fate = fate;
    },
    /** The next question is answered when it is released. */
    holdNext() {
      const [arrived, released] = [latch(), latch()];
      state.held = { arrive: arrived.open, released: released.opened };
      return { arrived: arrived.opened, release: released.open };
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Held = { readonly arrive: () => void; readonly released: Promise<void> };

function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function meet(fate: Fate, answer: () => Reply, response: ServerResponse): void {
  if (fate === 'silent') return;
  if (fate === 'resets' || fate === 'resets once') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body } = typeof fate === 'string' ? answer() : fate;
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const isWhole = fate === 'answers' || typeof fate !== 'string';
  const length = fate === 'cut off in chunks' ? {} : { 'content-length': String(bytes.length) };
  response.writeHead(status, { 'content-type': 'application/json', ...length, ...headers });
  if (isWhole) response.end(bytes);
  else response.write(bytes.subarray(0, -2), () => fate !== 'stalls' && response.destroy());
}
