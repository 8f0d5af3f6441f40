import { createParser } from 'eventsource-parser';
import { TextTooLong } from '@countersign/service/exchange';

/**
 * Reads server-sent events out of the pieces in which a stream arrives, and hands on the `data` of each; `place` is told
 * from where and when the stream could be resumed. Throws `TextTooLong` once it has brought more than `maxBytes`.
 */
export function eventReader(
  maxBytes: number,
  onData: (data: string) => void,
  place?: { readonly onId: (id: string) => void; readonly onRetry: (ms: number) => void },
): (chunk: Buffer) => void {
  const parser = createParser({
    onEvent({ data, id }) {
      if (id !== undefined) place?.onId(id);
      onData(data);
    },
    ...(place !== undefined && { onRetry: place.onRetry }),
  });
  const decoder = new TextDecoder();
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw new TextTooLong();
    parser.feed(decoder.decode(chunk, { stream: true }));
  };
}
