import { createParser } from 'eventsource-parser';
import { TextTooLong } from '@countersign/service/exchange';

/**
 * Reads server-sent events out of the pieces in which a stream arrives, and hands on the `data` of each. Throws
 * `TextTooLong` once the stream has brought more than `maxBytes`.
 */
export function eventReader(maxBytes: number, onData: (data: string) => void): (chunk: Buffer) => void {
  const parser = createParser({ onEvent: ({ data }) => onData(data) });
  const decoder = new TextDecoder();
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw new TextTooLong();
    parser.feed(decoder.decode(chunk, { stream: true }));
  };
}
