import { createReadStream } from 'node:fs';

/** The last line of an export holds an attestation report, whose quote may be long; no other is longer than 64 KiB. */
const maxLine = 8 * 2 ** 20;

/**
 * The lines of a file. One that is no UTF-8 or too long for an export comes as an empty one, which is no record.
 * `onRead` is told how many bytes were read.
 */
export async function* linesOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      yield decode([...rest, chunk.subarray(from, end)], restBytes + end - from);
      [rest, restBytes, from] = [[], 0, end + 1];
    }
    restBytes += chunk.length - from;
    // What is too long anyway is only counted.
    rest = restBytes > maxLine ? [] : [...rest, chunk.subarray(from)];
    onRead(chunk.length);
  }
  if (restBytes > 0) yield decode(rest, restBytes);
}

const newline = 10;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(parts: readonly Buffer[], bytes: number): string {
  if (bytes > maxLine) return '';
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    return '';
  }
}
