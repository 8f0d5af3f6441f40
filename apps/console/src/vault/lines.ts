import { maxRecordBytes } from '@countersign/protocol/vault/audit-record';

/**
 * Hands over the lines of a stream one by one, until one is enough, and then reads no further: neither a long export nor one
 * without end, nor a line longer than a record may be, is kept in memory.
 */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  isEnough: (line: string) => boolean,
): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      if (lines.some(isEnough)) return;
      if (done || rest.length > maxRecordBytes) {
        isEnough(rest);
        return;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
