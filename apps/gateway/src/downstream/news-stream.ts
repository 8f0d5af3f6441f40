import { setTimeout as pause } from 'node:timers/promises';
import { type AnswerReader, type Exchange } from '@countersign/service/exchange';
import { eventReader } from './event-stream.ts';

/** Pause before the stream is opened again, in milliseconds. */
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** Maximum size of one stream before it is reopened, in bytes. */
const maxStreamBytes = 16 * 1024 * 1024;

export type NewsStream = {
  readonly open: (headers: Readonly<Record<string, string>>, reader: AnswerReader) => Exchange;
  readonly onMessage: (text: string) => void;
  /** Ends the listening; the stream that is open is closed with its pool. */
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
    const heard = await hear(stream);
    if (heard === 'refused') return;
    pauseMs = heard === 'news' ? firstPauseMs : Math.min(pauseMs * 2, maxPauseMs);
    await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

function hear({ open, onMessage }: NewsStream): Promise<'refused' | 'nothing' | 'news'> {
  return new Promise((resolve) => {
    let heard: 'refused' | 'nothing' | 'news' = 'nothing';
    const over = (): void => resolve(heard);
    const bytes = eventReader(maxStreamBytes, (text) => {
      onMessage(text);
      heard = 'news';
    });
    const head: AnswerReader['head'] = (status, headers) => {
      if (status === 200 && headers['content-type']?.startsWith('text/event-stream') === true) return;
      heard = 'refused';
      throw new Error('there is no such stream');
    };
    open({}, { head, bytes, end: over, failed: over });
  });
}
