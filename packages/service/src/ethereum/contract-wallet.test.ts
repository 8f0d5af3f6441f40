import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '@countersign/protocol/address';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { contractWallets } from './contract-wallet.ts';

const wallet = `0x${'11'.repeat(20)}` as Address;
const hash = Buffer.alloc(32, 1);
const yes = `0x1626ba7e${'00'.repeat(28)}`;

/** A node whose every address has this code, and whose every contract says yes. */
async function nodeWith(code: string, chainId = 8453): Promise<URL> {
  const answers: Readonly<Record<string, string>> = {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_getCode: code,
    eth_call: yes,
  };
  const server = createServer((request, response) => {
    request.once('data', (body: Buffer) => {
      const { id, method } = JSON.parse(body.toString());
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const asked = async (rpcUrl: URL, signature = '0x1234') =>
  contractWallets({ rpcUrl, chainId: 8453, timeoutMs: 5_000, log: createLogger('test', 'silent') })(
    wallet,
    hash,
    signature,
  );

test('a contract is asked; a key is not, whatever it delegates to; nor is a node of another chain [gateway.agent-wallet.key-owner]', async () => {
  expect(await asked(await nodeWith('0x60016002'))).toBe(true);
  expect(await asked(await nodeWith('0x'))).toBe(false);
  expect(await asked(await nodeWith('0x60016002', 1))).toBe(false);
  const delegating = await nodeWith(`0xef0100${'22'.repeat(20)}`);
  expect(await asked(delegating)).toBe(false);
  expect(await asked(delegating, `0x1234${'6492'.repeat(16)}`)).toBe(false);
});
