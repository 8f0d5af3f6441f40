import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCommand, MessageReader } from './messages.ts';
import { idOf, methodOf, stringOf, withoutBodies } from './raw.ts';

test('messages come whole however the stream was cut, and nothing of them is kept', () => {
  const messages = fc.array(
    fc.string().map((text) => JSON.stringify({ text })),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(messages, fc.array(fc.nat(40)), (sent, cuts) => {
      const stream = Buffer.from(sent.map((one) => `${one}\0`).join(''));
      const reader = new MessageReader();
      const got: string[] = [];
      const seen: Buffer[] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const length = (cuts[i % (cuts.length || 1)] ?? 7) + 1;
        reader.read(stream.subarray(at, at + length), (message) => {
          got.push(message.toString());
          seen.push(message);
        });
        at += length;
      }
      expect(got).toEqual(sent);
      expect([stream, ...seen].every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    }),
  );
});

test('a command with a value of bytes is the same JSON as one of text', () => {
  const command = { id: 3, method: 'Input.insertText', sessionId: 's' };
  for (const params of [{}, { a: 1 }]) {
    const message = encodeCommand({ ...command, params }, { name: 'text', value: Buffer.from('a\\"b') });
    expect(message.at(-1)).toBe(0);
    expect(JSON.parse(message.subarray(0, -1).toString())).toEqual({
      ...command,
      params: { ...params, text: 'a"b' },
    });
  }
});

test('single things are read from a message without reading the rest', () => {
  expect(methodOf(Buffer.from('{"method":"Page.x","params":{}}'))).toBe('Page.x');
  expect(methodOf(Buffer.from('{"id":1,"result":{}}'))).toBeNull();
  expect(idOf(Buffer.from('{"id":17,"result":{}}'))).toBe(17);
  expect(idOf(Buffer.from('{"method":"Page.x"}'))).toBeNull();
  expect(stringOf(Buffer.from('{"a":"x\\"y\\\\","b":1}'), 'a')?.toString()).toBe('x\\"y\\\\');
});

test('bodies are taken out of an event, and the rest of it stays [vault.sandbox.decoy.dom-mode]', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (postData, bytes) => {
      const event = {
        method: 'Fetch.requestPaused',
        params: { request: { postData, postDataEntries: [{ bytes }, { bytes }], url: 'u' } },
      };
      const read = JSON.parse(withoutBodies(Buffer.from(JSON.stringify(event))).toString()) as unknown;
      expect(read).toEqual({
        method: event.method,
        params: { request: { postData: '', postDataEntries: [{ bytes: '' }, { bytes: '' }], url: 'u' } },
      });
    }),
  );
});
