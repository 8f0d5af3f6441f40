import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Canceller } from '@countersign/service/cancellation';
import { expect, onTestFinished, test } from 'vitest';
import { connectDownstream } from './connect.ts';

type Message = { readonly id?: number; readonly method: string };

const results: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } },
  'tools/call': { content: [{ type: 'text', text: 'sold' }] },
};

/** An SSE service that takes each message with this status line, and answers it over the stream. */
async function startSse(line: string): Promise<URL> {
  let stream: ServerResponse | undefined;
  const take = (text: string): void => {
    const { id, method } = JSON.parse(text) as Message;
    if (id !== undefined)
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n\n`);
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      // Node's own server writes no such line.
      request.socket.end(`HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\nok`);
      take(Buffer.concat(chunks).toString());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`);
}

test('an SSE service may take calls with a reason phrase in any script [gateway.downstream.reason-phrase]', async () => {
  const connection = await connectDownstream(await startSse('202 已接受'), {}, 'sse', 10_000);
  onTestFinished(() => connection.close());
  const params = { name: 'buy', arguments: {}, _meta: { 'x402/payment': {} } };
  const options = { signal: new Canceller(), onProgress: null };
  expect(await connection.callTool(params, options)).toEqual(results['tools/call']);
});
