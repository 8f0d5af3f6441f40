import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connectors, lending, runOf, startConnectors } from '../../../test/connectors.ts';

let connectors: Connectors;
let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  const names = {
    'private.example': ['127.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1', '10.0.0.1'],
    'cloud.example': ['169.254.169.254'],
  };
  connectors = await startConnectors({ keepsReady: 2, names });
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  await connectors.stop();
});

/** What comes of leading there, by type of connector. */
async function ends(host: string, allowPrivate: boolean) {
  const http = {
    openapi: '3.1.0',
    servers: [{ url: `http://${host}:${port}` }],
    paths: { '/': { get: { operationId: 'look' } } },
  };
  const postgres = { actions: { look: { sql: 'select 1', read_only: true } } };
  const about = { action: 'look', allowPrivate };
  const { lend } = lending(`postgres://ada:secret@${host}:${port}/shop?sslmode=disable`);
  const all = await Promise.all([
    connectors.run(runOf({ ...about, definition: http })),
    connectors.run(runOf({ ...about, type: 'mcp-tool', definition: { url: `http://${host}:${port}/mcp` } })),
    connectors.run(runOf({ ...about, type: 'postgres', definition: postgres, lend })),
  ]);
  return all.map((end) => ('problem' in end ? end.problem.code : end.ended));
}

const refused = ['egress_denied', 'egress_denied', 'egress_denied'];

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.1', 'in short'],
  ['2130706433', 'as a decimal number'],
  ['0177.0.0.1', 'in octal digits'],
  ['0x7f.1', 'in hex digits'],
  ['0.0.0.0', 'this host'],
  ['169.254.169.254', 'metadata of clouds'],
  ['[::1]', 'loopback of IPv6'],
  ['[::ffff:127.0.0.1]', 'IPv4 in IPv6'],
  ['localhost', 'a name of this machine'],
  ['private.example', 'a name that resolves to loopback'],
  ['mapped.example', 'a name that resolves to IPv4 in IPv6'],
  ['cloud.example', 'a name that resolves to metadata of clouds'],
])(
  '%s (%s) is private: no connector goes there unless it is allowed [control-plane.connector.private-targets]',
  async (host) => {
    expect(await ends(host, false)).toEqual(refused);
    expect(connections).toBe(0);
  },
);

test('a database_connection leads to no private address either', async () => {
  for (const host of ['::1', '::ffff:127.0.0.1', '2130706433', 'private.example']) {
    const { lend } = lending({ host, port: String(port), database: 'd', username: 'u', password: 'p' });
    const definition = { actions: { look: { sql: 'select 1' } } };
    const about = { type: 'postgres', action: 'look', allowPrivate: false } as const;
    expect(await connectors.run(runOf({ ...about, definition, lend }))).toMatchObject({
      ended: 'failed',
      problem: {
        code: 'egress_denied',
        message: expect.stringContaining('CONNECTOR_ALLOW_PRIVATE') as string,
      },
    });
  }
  expect(connections).toBe(0);
});

test('where it is allowed, all of them go there', async () => {
  expect(await ends('private.example', true)).not.toContain('egress_denied');
  expect(connections).toBe(3);
});
