import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { multicall3Address, usdcAddress } from '@countersign/contracts/addresses';
import { testUsdc } from '@countersign/contracts/test-usdc';
import { freePort } from '@countersign/service/free-port';
import { type OwnedChild, type OwnedProcesses, ownedProcesses } from '@countersign/service/owned-process';
import { createPublicClient, http, webSocket } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { balanceOf, mint } from './chain-accounts.ts';
import { startChain } from './chain.ts';
import { callRpc } from './json-rpc.ts';
import { newPrivateKey } from './market.ts';

let processes: OwnedProcesses;
let dir: string;

beforeAll(async () => {
  processes = await ownedProcesses();
});
afterAll(() => processes.stopAll());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'countersign-chain-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const someone = privateKeyToAccount(newPrivateKey()).address;
let anvil: OwnedChild;
const spawn: OwnedProcesses['spawn'] = (spec) => {
  anvil = processes.spawn(spec);
  return anvil;
};
const start = async () =>
  startChain({ dir, port: await freePort(), processes: { spawn }, funded: [someone] });

test('the chain is Base Sepolia by its id, with a USDC of 6 decimals and EIP-3009 at the same address [system.start.chain] [system.start.token]', async () => {
  const chain = await start();
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const token = { address: usdcAddress, abi: testUsdc.abi } as const;
  const read = { allowFailure: false, multicallAddress: multicall3Address } as const;

  expect(await client.getChainId()).toBe(84532);
  const facts = await client.multicall({
    ...read,
    contracts: [
      { ...token, functionName: 'decimals' },
      { ...token, functionName: 'symbol' },
      { ...token, functionName: 'authorizationState', args: [someone, `0x${'00'.repeat(32)}`] },
    ],
  });
  expect(facts).toEqual([6, 'USDC', false]);
  expect(await client.getBalance({ address: someone })).toBe(1000n * 10n ** 18n);
  await chain.stop();
});

test('a second start has the balances, nonces, code, blocks and receipts of the first', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 12_345_678n);
  const [minter] = (await callRpc(first.rpcUrl, 'eth_accounts', [])) as string[];
  const block = (await callRpc(first.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as {
    number: string;
    transactions: string[];
  };
  await first.stop();

  const second = await start();
  const ask = (method: string, ...params: unknown[]) => callRpc(second.rpcUrl, method, params);
  expect(await balanceOf(second.rpcUrl, someone)).toBe(12_345_678n);
  expect(await ask('eth_getTransactionCount', minter, 'latest')).toBe('0x1');
  expect(await ask('eth_getCode', usdcAddress, 'latest')).toBe(testUsdc.deployedBytecode);
  expect(await ask('eth_blockNumber')).toBe(block.number);
  expect(await ask('eth_getTransactionReceipt', block.transactions[0])).toMatchObject({ status: '0x1' });
  await mint(second.rpcUrl, someone, 1n);
  expect(await balanceOf(second.rpcUrl, someone)).toBe(12_345_679n);
  await second.stop();
});

test('a chain that was killed goes on from at most two seconds before', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 7n);
  const { hash } = (await callRpc(first.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as {
    hash: string;
  };
  await vi.waitFor(() => expect(JSON.stringify(JSON.parse(stateText()))).toContain(hash), { timeout: 8000 });
  process.kill(anvil.pid, 'SIGKILL');
  await first.stop();

  const second = await start();
  expect(await balanceOf(second.rpcUrl, someone)).toBe(7n);
  await second.stop();
});

test('a state file that was torn by a kill is replaced by that of the last start', async () => {
  const first = await start();
  await mint(first.rpcUrl, someone, 5n);
  await first.stop();
  await (await start()).stop();
  writeFileSync(join(dir, 'chain.json'), stateText().slice(0, 1000));

  const second = await start();
  expect(await balanceOf(second.rpcUrl, someone)).toBe(5n);
  await second.stop();
});

test('a port that is taken is told in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const starting = startChain({ dir, port, processes });
  await expect(starting).rejects.toThrow(`port ${port} is taken by another process`);
  other.close();
});

/** The head of the answer to a request for a WebSocket. */
function upgrade(rpcUrl: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const own = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const sent = request(rpcUrl, { headers: { ...own, ...headers } });
    sent.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end();
  });
}

function post(rpcUrl: string, headers: Record<string, string>) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'anvil_impersonateAccount',
    params: [someone],
  });
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const own = { 'content-type': 'application/json', ...headers };
    const sent = request(rpcUrl, { method: 'POST', headers: own }, (answer) => {
      void text(answer).then((read) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: read }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

test('no page of a browser may use the chain, over HTTP or a WebSocket; programs and wallets may [system.start.chain-gate]', async () => {
  const chain = await start();
  const port = new URL(chain.rpcUrl).port;
  const pages = ['https://evil.example', 'http://127.0.0.1:4030', chain.rpcUrl, 'null', 'file://', ''];
  const strangers = [
    ...pages.map((origin) => ({ origin })),
    { host: `evil.example:${port}` },
    { host: '127.0.0.1.evil.example' },
  ];
  for (const headers of strangers) {
    const answer = await post(chain.rpcUrl, headers);
    expect([headers, answer.status, answer.text]).toEqual([
      headers,
      403,
      'no page of a browser may use the local chain\n',
    ]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect([headers, await upgrade(chain.rpcUrl, headers)]).toEqual([headers, 403]);
  }
  const wallet = 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn';
  for (const headers of [{}, { origin: wallet }, { host: `localhost:${port}` }]) {
    expect((await post(chain.rpcUrl, headers)).status).toBe(200);
    expect(await upgrade(chain.rpcUrl, headers)).toBe(101);
  }
  const preflight = await fetch(chain.rpcUrl, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  await chain.stop();
  await expect(fetch(chain.rpcUrl)).rejects.toThrow('fetch failed');
});

test('a request whose headers are of one connection is answered, and so is the next [system.start.chain-gate]', async () => {
  const chain = await start();
  const socket = connect(Number(new URL(chain.rpcUrl).port), '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTrailer: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  expect((await post(chain.rpcUrl, {})).status).toBe(200);
  await chain.stop();
});

test('what follows an upgrade that the chain refuses is no request of the chain [system.start.chain-gate]', async () => {
  const chain = await start();
  const port = Number(new URL(chain.rpcUrl).port);
  const asked = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  const post = `POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${asked.length}\r\n\r\n${asked}`;
  // Neither has the key that a WebSocket needs.
  for (const upgrade of ['websocket', 'h2c']) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n${post}`,
    );
    const answered = await text(socket);
    expect(answered).toMatch(/^HTTP\/1\.1 [45]\d\d /);
    expect(answered).not.toContain('0x14a34');
  }
  expect(
    (
      await fetch(chain.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: asked,
      })
    ).status,
  ).toBe(200);
  await chain.stop();
});

test('a program speaks with the chain over a WebSocket [system.start.chain-gate]', async () => {
  const chain = await start();
  const client = createPublicClient({ transport: webSocket(chain.rpcUrl.replace('http', 'ws')) });
  expect(await client.getChainId()).toBe(84532);
  expect(await client.getBalance({ address: someone })).toBe(1000n * 10n ** 18n);
  await chain.stop();
});

const stateText = (): string => readFileSync(join(dir, 'chain.json'), 'utf8');
