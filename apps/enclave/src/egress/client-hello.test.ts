import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { assert, integer, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { readOpening } from './client-hello.ts';

/** What Node's own TLS sends first. */
function helloOf(servername?: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.once('data', (bytes: Buffer) => {
        socket.destroy();
        server.close();
        resolve(bytes);
      });
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      connect({ port, host: '127.0.0.1', ...(servername === undefined ? {} : { servername }) }).on(
        'error',
        () => {},
      );
    });
  });
}

/** The same handshake in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const pieces: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    pieces.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 255]), piece);
  }
  return Buffer.concat(pieces);
}

test('the name that TLS names is read, however the hello is cut [vault.sandbox.isolation.server-name]', async () => {
  const hello = await helloOf('Shop.example');
  expect(readOpening(hello)).toEqual({ kind: 'tls', serverName: 'shop.example' });
  assert(
    property(integer({ min: 1, max: 600 }), (size) => {
      expect(readOpening(inRecords(hello, size))).toEqual({ kind: 'tls', serverName: 'shop.example' });
    }),
  );
  for (let length = 0; length < hello.length; length++)
    expect(readOpening(hello.subarray(0, length))).toEqual({ kind: 'more' });
});

test('TLS that names nobody is told', async () => {
  expect(readOpening(await helloOf())).toEqual({ kind: 'tls', serverName: null });
});

test('what is no hello is none, and nothing makes the reader fail', () => {
  expect(readOpening(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ kind: 'other' });
  expect(readOpening(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toEqual({ kind: 'other' });
  expect(readOpening(Buffer.concat([Buffer.from([22, 3, 1, 255, 255]), Buffer.alloc(70_000, 1)]))).toEqual({
    kind: 'other',
  });
  assert(
    property(uint8Array({ maxLength: 200 }), (bytes) => {
      expect(['tls', 'other', 'more']).toContain(readOpening(Buffer.from([22, 3, 1, ...bytes])).kind);
    }),
  );
});
