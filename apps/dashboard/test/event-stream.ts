import { expect, onTestFinished } from 'vitest';
import type { Json } from './dashboard.ts';

export type Event = { readonly event: string; readonly data: Json };

/** An open stream of events, read as a browser reads it. It is let go when the test has finished. */
export type Following = {
  readonly headers: Headers;
  /** The next event, whatever it is; null at the end. */
  readonly next: () => Promise<Event | null>;
  /** The next event of this kind for which `which` holds; others are passed over. */
  readonly until: (event: string, which?: (data: Json) => boolean) => Promise<Json>;
  /** The next comment. */
  readonly comment: () => Promise<string>;
  /** Waits for the end; true if nothing more came. */
  readonly ended: () => Promise<boolean>;
  readonly leave: () => Promise<void>;
};

/** Opens `/api/events`; resolves when the server has said that everything from now on is told. */
export async function follow(url: string, headers: Readonly<Record<string, string>>): Promise<Following> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  onTestFinished(() => leaving.abort());
  const blocks = blocksOf(response.body as ReadableStream<Uint8Array>);
  expect((await blocks.next()).value).toBe('retry: 2000\n: open');

  const nextBlock = async (): Promise<string | null> => {
    const block = await blocks.next().catch(() => ({ done: true, value: undefined }) as const);
    return block.done === true ? null : block.value;
  };
  async function next(): Promise<Event | null> {
    for (;;) {
      const block = await nextBlock();
      if (block === null) return null;
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) return { event, data: JSON.parse(data) };
    }
  }
  return {
    headers: response.headers,
    next,
    async until(event, which = () => true) {
      for (;;) {
        const found = await next();
        if (found === null) throw new Error(`the stream ended before ${event}`);
        if (found.event === event && which(found.data)) return found.data;
      }
    },
    async comment() {
      for (;;) {
        const block = await nextBlock();
        if (block === null) throw new Error('the stream ended');
        if (block.startsWith(':')) return block;
      }
    },
    ended: async () => (await next()) === null,
    leave: async () => leaving.abort(),
  };
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
  return undefined;
}
