import { expect, test } from 'vitest';
import { utf8 } from './bytes.ts';
import { readLines } from './lines.ts';

/** A stream of these pieces, and then of the last one for ever; what of it was asked for. */
function endless(...pieces: readonly string[]) {
  const seen = { pulled: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(utf8(pieces[Math.min(seen.pulled, pieces.length - 1)] ?? ''));
        seen.pulled += 1;
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

test('lines are read up to the one that is enough, and the stream no further [vault.console.verify-here]', async () => {
  const { stream, seen } = endless('on', 'e\ntwo\nth', 'ree\nfour\n');
  const lines: string[] = [];
  await readLines(stream, (line) => lines.push(line) > 0 && line === 'three');
  expect(lines).toEqual(['one', 'two', 'three']);
  expect(seen).toEqual({ pulled: 3, cancelled: true });
});

test('a line that is longer than a record may be ends the reading', async () => {
  const { stream, seen } = endless('x'.repeat(40_000));
  const lengths: number[] = [];
  await readLines(stream, (line) => lengths.push(line.length) === 0);
  expect(lengths).toEqual([80_000]);
  expect(seen.cancelled).toBe(true);
});

test('what stands behind the last line break is a line too', async () => {
  const stream = new Blob(['one\ntwo']).stream();
  const lines: string[] = [];
  await readLines(stream, (line) => lines.push(line) === 0);
  expect(lines).toEqual(['one', 'two']);
});
