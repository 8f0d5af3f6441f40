import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type CdpEvent, Connection } from './connection.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function pairOf(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect(server.address() as { port: number });
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [
    [Socket],
    unknown,
  ];
  server.close();
  sockets.push(near, far);
  return [near, far];
}

/** A browser that says these, and what was heard and commanded after it had said all. */
async function told(messages: readonly object[]): Promise<{ heard: CdpEvent[]; commands: string[] }> {
  const [to, commanded] = await pairOf();
  const [from, saying] = await pairOf();
  const heard: CdpEvent[] = [];
  const connection = new Connection(to, from, (event) => heard.push(event));
  const commands: string[] = [];
  commanded.on('data', (bytes: Buffer) => commands.push(...bytes.toString().split('\0').filter(Boolean)));
  for (const one of messages) saying.write(`${JSON.stringify(one)}\0`);
  saying.write('{"method":"Page.last","params":{}}\0');
  await expect.poll(() => heard.at(-1)?.method).toBe('Page.last');
  connection.send('Browser.last').catch(() => undefined);
  await expect.poll(() => commands.join()).toContain('Browser.last');
  connection.close();
  return { heard: heard.slice(0, -1), commands: commands.slice(0, -1) };
}

const paused = (url: string, headers: object, body: string) => ({
  method: 'Fetch.requestPaused',
  params: {
    requestId: 'interception-job-7.0',
    request: { url, headers, postData: body, postDataEntries: [{ bytes: body }] },
  },
  sessionId: 'A1',
});

test('a request of megabytes is read without its body, and not sent where its head alone is as much [vault.sandbox.worker.giant-requests]', async () => {
  const much = 'a'.repeat(3 * 1024 * 1024);
  const body = await told([paused('http://a', {}, much)]);
  expect(body.heard).toEqual([paused('http://a', {}, '')]);
  expect(body.commands).toEqual([]);
  const head = await told([paused('http://a', { x: much }, 'b')]);
  expect(head.heard).toEqual([]);
  expect(head.commands.map((one) => JSON.parse(one) as unknown)).toEqual([
    {
      id: 1,
      method: 'Fetch.failRequest',
      sessionId: 'A1',
      params: { requestId: 'interception-job-7.0', errorReason: 'BlockedByClient' },
    },
  ]);
});

test('an address as long as one can be is heard of, and an event beyond that is not [vault.sandbox.worker.giant-requests]', async () => {
  const navigated = (url: string) => ({ method: 'Page.frameNavigated', params: { frame: { url } } });
  const long = navigated(`data:,${'a'.repeat(2 * 1024 * 1024)}`);
  const { heard } = await told([long, navigated('a'.repeat(5 * 1024 * 1024))]);
  expect(heard).toEqual([long]);
});
