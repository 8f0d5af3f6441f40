import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { expect, onTestFinished, test, vi } from 'vitest';
import { main as makeNew } from './new-main.ts';
import { main as show } from './show-main.ts';

/** What a command prints, and its exit code. */
async function ran(command: typeof show, argv: readonly string[], env: Record<string, string> = {}) {
  const [out, errors]: [string[], string[]] = [[], []];
  const before = process.exitCode;
  const writes = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0),
  ];
  try {
    process.exitCode = 0;
    await command(argv, env);
    return { code: process.exitCode, out: out.join(''), errors: errors.join('') };
  } finally {
    for (const write of writes) write.mockRestore();
    process.exitCode = before;
  }
}

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wallet-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const addressOf = (text: string) => addressOfPrivateKey(Buffer.from(text.trim().slice(2), 'hex'));
const keyText = `0x${'ab'.repeat(32)}`;
const address = addressOf(keyText);

test('a new wallet’s key is in a file that only its owner may read, and is printed nowhere [system.wallet.new]', async () => {
  const file = join(emptyFolder(), 'in/researcher.key');
  const { code, out, errors } = await ran(makeNew, ['--out', file]);
  expect(code).toBe(0);
  const key = readFileSync(file, 'utf8');
  expect(key).toMatch(/^0x[0-9a-f]{64}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(out).toBe(`${addressOf(key)}\n`);
  expect(out + errors).not.toContain(key.trim().slice(2));
  expect(await ran(show, [file])).toMatchObject({ out: expect.stringContaining(addressOf(key)) });
});

test('a key is printed only when that is asked for, and then kept nowhere [system.wallet.new]', async () => {
  const { out, errors } = await ran(makeNew, ['--print']);
  expect(out).toMatch(/^0x[0-9a-f]{64}\n$/);
  expect(errors).toContain(addressOf(out));
  expect((await ran(makeNew, ['--print'])).out).not.toBe(out);
  expect(existsSync('.countersign/wallet.key')).toBe(false);
});

test('a file, or a link that leads nowhere, stays as it is: it may be a wallet’s only key [system.wallet.new]', async () => {
  const dir = emptyFolder();
  const [file, link] = [join(dir, 'a.key'), join(dir, 'link')];
  writeFileSync(file, 'precious');
  symlinkSync(join(dir, 'elsewhere'), link);
  for (const path of [file, link]) {
    const { code, out, errors } = await ran(makeNew, ['--out', path]);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toMatch(/^wallet new: .* exists and stays as it is, .* --out FILE\n$/);
  }
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
});

test('where no file can be written one sentence says what to do [system.wallet.new]', async () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'file'), '');
  const { code, errors } = await ran(makeNew, ['--out', join(dir, 'file/a.key')]);
  expect(code).toBe(1);
  expect(errors).toMatch(/cannot be written \(\w+\): name a file in a writable folder with --out FILE\n$/);
  for (const argv of [['--print', '--out', 'x'], ['--out', ''], ['x'], ['--force']])
    expect(await ran(makeNew, argv)).toMatchObject({ code: 2, out: '' });
});

/** A node of Base where every wallet holds 12.5 USDC and 0.25 of the chain's coin; it hears what is asked. */
async function openNode(answers: Record<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { method } = JSON.parse(body) as { method: string };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answers[method] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const ofBase = { eth_chainId: '0x2105', eth_call: '0xbebc20', eth_getBalance: '0x3782dace9d90000' };

test('a wallet is shown with its owner and what it holds; the key never [system.wallet.show]', async () => {
  const owner = addressOf(`0x${'cd'.repeat(32)}`);
  const env = { EVM_PRIVATE_KEY: keyText, OWNER_ADDRESS: owner, EVM_RPC_URL: await openNode(ofBase) };
  const { code, out, errors } = await ran(show, [], env);
  expect([code, errors]).toEqual([0, '']);
  expect(out.split('\n').map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    ['address', address],
    ['owner', owner],
    ['chain', 'eip155:8453'],
    ['USDC', '12.5'],
    ['coin', '0.25'],
    [''],
  ]);
  expect(out).not.toContain('abab');
  // Of another wallet nobody here knows the owner.
  const other = await ran(show, [owner], env);
  expect([other.out.includes('owner'), other.out.includes('12.5')]).toEqual([false, true]);
});

test('without a node there is no balance, and a node that does not tell is named [system.wallet.show]', async () => {
  const env = { EVM_PRIVATE_KEY: keyText };
  expect(await ran(show, [], env)).toMatchObject({
    code: 0,
    out: `address   ${address}\nbalances  unknown: name a node of the chain in EVM_RPC_URL\n`,
  });
  for (const [answers, why] of [
    [{}, 'EVM_RPC_URL does not respond'],
    [{ ...ofBase, eth_chainId: '0x7a69' }, 'EVM_RPC_URL is of eip155:31337'],
    [{ eth_chainId: '0x2105' }, 'EVM_RPC_URL does not report'],
  ] as const)
    await expect(ran(show, [], { ...env, EVM_RPC_URL: await openNode(answers) })).rejects.toThrow(why);
});

test('what names no wallet is refused, and a key among the arguments is not repeated [system.wallet.show]', async () => {
  const dir = emptyFolder();
  writeFileSync(join(dir, 'bad.key'), 'secret words');
  for (const named of [
    keyText,
    keyText.slice(2),
    join(dir, 'bad.key'),
    join(dir, 'none'),
    address.replace(/[A-F]/, 'a'),
  ]) {
    const { code, out, errors } = await ran(show, [named]);
    expect([named, code, out]).toEqual([named, 1, '']);
    expect(errors).not.toMatch(/abab|secret/);
  }
  expect(await ran(show, [])).toMatchObject({ code: 1, errors: expect.stringContaining('name a wallet') });
  expect(await ran(show, ['a', 'b'])).toMatchObject({ code: 2 });
});
