import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { readEvents } from './event-stream.ts';

/** How long after its end the stream is opened again. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** One stream may bring this much before it is opened anew, in bytes. */
const maxStreamBytes = 16 * 1024 * 1024;

export type NewsStream = {
  readonly open: (headers: Readonly<Record<string, string>>) => Promise<Dispatcher.ResponseData>;
  readonly onMessage: (text: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Listens to the stream on which a Streamable HTTP service tells its news, and opens it again whenever it ends. A
 * service need not have one: whatever it answers instead, or does to the stream, is no fault. Never rejects.
 */
export async function listenToNews(stream: NewsStream): Promise<void> {
  const { signal } = stream;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    const heard = await hear(stream).catch(() => 'nothing' as const);
    if (heard === 'refused') return;
    pauseMs = heard === 'news' ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function hear({ open, onMessage }: NewsStream): Promise<'refused' | 'nothing' | 'news'> {
  const { statusCode, headers, body } = await open({ accept: 'text/event-stream' });
  if (statusCode !== 200 || !String(headers['content-type'] ?? '').startsWith('text/event-stream')) {
    await body.dump({ limit: 65_536 }).catch(() => {});
    return 'refused';
  }
  let heard: 'nothing' | 'news' = 'nothing';
  for await (const text of readEvents(body, maxStreamBytes)) {
    onMessage(text);
    heard = 'news';
  }
  return heard;
}
