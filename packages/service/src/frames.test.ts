import { array, assert, jsonValue, nat, property, record, uint8Array } from 'fast-check';
import { maxFrameBytes } from '@countersign/protocol/enclave/commands';
import { expect, test } from 'vitest';
import { encodeFrame, FrameReader } from './frames.ts';

const frame = record({ header: jsonValue(), body: uint8Array({ maxLength: 200 }) });

const encoded = (header: unknown, body?: Uint8Array): Buffer => {
  const bytes = encodeFrame(header, body);
  if (bytes === null) throw new Error('too large');
  return bytes;
};

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return cuts.slice(1).map((end, i) => Buffer.from(bytes.subarray(cuts[i], end)));
}

test('frames are read as they were written, wherever the stream is cut', () => {
  const cuts = array(nat(), { maxLength: 30 });
  assert(
    property(array(frame, { maxLength: 6 }), cuts, (frames, places) => {
      const stream = Buffer.concat(frames.map(({ header, body }) => encoded(header, body)));
      const reader = new FrameReader();
      const read = cutAt(stream, places).flatMap((piece) => reader.read(piece) ?? []);
      expect(read).toEqual(
        frames.map(({ header, body }) => ({
          header: JSON.parse(JSON.stringify(header)) as unknown,
          body: Buffer.from(body),
        })),
      );
    }),
  );
});

test('a header nested without end is no frame [vault.enclave.deep-json]', () => {
  const nested = (depth: number) =>
    encoded(JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown);
  expect(new FrameReader().read(nested(128))).toHaveLength(1);
  expect(new FrameReader().read(nested(129))).toBe(null);
});

test('garbage is no frame or waits for more, and never throws', () => {
  assert(
    property(array(uint8Array({ maxLength: 60 }), { maxLength: 5 }), (pieces) => {
      const reader = new FrameReader();
      for (const piece of pieces) if (reader.read(Buffer.from(piece)) === null) break;
    }),
  );
});

test('a frame too large is refused by its first four bytes, and is not written', () => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(maxFrameBytes - 3);
  expect(new FrameReader().read(length)).toBeNull();
  length.writeUInt32BE(maxFrameBytes - 4);
  expect(new FrameReader().read(length)).toEqual([]);
  expect(encodeFrame({}, Buffer.alloc(maxFrameBytes))).toBeNull();
  expect(encodeFrame({}, Buffer.alloc(maxFrameBytes - 10))?.length).toBe(maxFrameBytes);
});

test.each([
  ['a header longer than its frame', '00000006000000037b7d'],
  ['a header that is no JSON', '00000006000000027b7b'],
  ['a frame without a header length', '00000003000000'],
])('%s is no frame', (_, hex) => {
  expect(new FrameReader().read(Buffer.from(hex, 'hex'))).toBeNull();
});

test('the pieces of a frame that came in parts are wiped once it is whole, and when it never will be', () => {
  const secret = Buffer.from('correct horse battery staple');
  const bytes = encoded({}, secret);
  const [first, second, third] = [
    bytes.subarray(0, 20),
    bytes.subarray(20),
    encoded({}, secret).subarray(0, -1),
  ];
  const reader = new FrameReader();
  reader.read(first);
  expect(reader.read(second)?.[0]?.body).toEqual(secret);
  reader.read(third);
  reader.end();
  expect([first, second, third].map((piece) => piece.every((byte) => byte === 0))).toEqual([
    true,
    true,
    true,
  ]);
});
