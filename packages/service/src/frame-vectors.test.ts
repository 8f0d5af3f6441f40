import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeFrame, FrameReader } from './frames.ts';

type Vectors = {
  readonly good: readonly { readonly frame: string; readonly header: unknown; readonly body: string }[];
  readonly bad: readonly { readonly bytes: string; readonly why: string }[];
};
const path = join(import.meta.dirname, '../../../docs/spec/vectors/frames.json');
const { good, bad } = JSON.parse(readFileSync(path, 'utf8')) as Vectors;

test.each(good)(
  '$frame is written and read as docs/spec says [vault.enclave.frame-vectors]',
  ({ frame, header, body }) => {
    expect(encodeFrame(header, Buffer.from(body, 'hex'))?.toString('hex')).toBe(frame);
    const read = new FrameReader().read(Buffer.from(frame, 'hex'));
    expect(read).toEqual([{ header, body: Buffer.from(body, 'hex') }]);
  },
);

test.each(bad)('$why: no frame, as docs/spec says [vault.enclave.frame-vectors]', ({ bytes }) => {
  expect(new FrameReader().read(Buffer.from(bytes, 'hex'))).toBeNull();
});
