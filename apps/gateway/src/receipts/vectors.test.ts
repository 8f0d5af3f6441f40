import { isUtf8 } from 'node:buffer';
import { createPrivateKey, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@countersign/service/logger';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Answers, asksFor, goodAnswers, portsWith } from '../../test/paying-ports.ts';
import { address, call, merchant, now, owner, policy, required } from '../../test/samples.ts';
import { callAndPay } from '../payment/call-and-pay.ts';
import { openEnvironment } from '../state/environment.ts';
import { exportLines } from './export.ts';
import { configurationInput } from './inputs.ts';
import { openReceipts, readReceipts } from './store.ts';
import { verifyExport } from './verify.ts';

const vectorFile = join(import.meta.dirname, '../../../../docs/spec/vectors/receipts.jsonl');

/** Everybody knows its seed: 32 bytes 0x01. */
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 1)]),
  format: 'der',
  type: 'pkcs8',
});

/** A gateway's export of one payment, one refusal and one question to the owner. */
async function exportOfThree(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-receipts-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const environment = openEnvironment(dir);
  const receipts = openReceipts({
    environment,
    key,
    configuration: configurationInput(policy, [], true),
    reporting: { report: async () => {}, reportWithin: null },
    now: () => now,
    log: createLogger('test', 'fatal'),
  });
  const ends: readonly Partial<Answers>[] = [
    {},
    { payerKyc: { kind: 'not-found' } },
    { asked: asksFor(required({ amount: '2000000' })) },
  ];
  for (const [index, changes] of ends.entries()) {
    const ports = portsWith({ ...(await goodAnswers()), ...changes }, receipts);
    await callAndPay({ ...ports, randomId: () => `${index + 1}` }, call());
  }
  const store = readReceipts(dir);
  const lines = [...exportLines(store, key, null, now)];
  await store.close();
  await environment.close();
  return `${lines.join('\n')}\n`;
}

test('the vector of docs/spec/decision-receipt.md is what a gateway writes, byte by byte [gateway.receipt.vectors]', async () => {
  await expect(await exportOfThree()).toMatchFileSnapshot(vectorFile);
});

test('the vector verifies, and every verdict is made again [gateway.receipt.vectors] [gateway.receipt.verify.owner]', async () => {
  const text = await readFile(vectorFile, 'utf8');
  const lines = async function* () {
    yield* text.trimEnd().split('\n');
  };
  const publicKey = 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=';
  const payer = address(owner);
  expect(await verifyExport(lines, publicKey)).toEqual({
    problems: [],
    receipts: 3,
    paid: [{ payer, owner: payer, receipts: 3 }],
    words: [],
    publicKey,
  });
  const [mine, another] = [
    await verifyExport(lines, publicKey, payer),
    await verifyExport(lines, publicKey, address(merchant)),
  ];
  expect(mine.problems).toEqual([]);
  expect(another.problems.map(({ kind }) => kind)).toEqual(['bad', 'bad', 'bad']);
});

type Line = {
  receipt?: { v: string; seq: number; prev: string; inputs: Record<string, string> };
  head?: { v: string; first: number; seq: number; hash: string; publicKey: string };
  inputs?: Record<string, unknown>;
  signature: string;
};
const sha256 = (value: unknown) => hash('sha256', canonicalize(value) ?? '');

const receiptMembers =
  'agent argumentsHash at inputs payer payment prev receiptId seq serviceId toolName trace traceId v verdict';
const headMembers = 'at first hash publicKey seq v';
const hasExactly = (value: object, members: string) => Object.keys(value).toSorted().join(' ') === members;

/** Returns whether a line has its members, and no others; `payment` alone is optional. */
function isShaped({ receipt, head, inputs, ...rest }: Line, isLast: boolean): boolean {
  if (!hasExactly(rest, 'signature')) return false;
  if (isLast)
    return (
      receipt === undefined &&
      inputs === undefined &&
      head?.v === 'countersign-receipt-head-1' &&
      hasExactly(head, headMembers)
    );
  return (
    head === undefined &&
    inputs !== undefined &&
    receipt?.v === 'countersign-receipt-1' &&
    hasExactly({ payment: null, ...receipt }, receiptMembers)
  );
}

function parsedLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

/** Steps 1 to 4 of the page, written from the page alone: what is wrong with a file, or null. */
function whatIsWrong(bytes: string | Buffer, pinned: KeyObject): string | null {
  if (!isUtf8(Buffer.from(bytes))) return 'not UTF-8';
  const lines = bytes.toString().replace(/\n$/, '').split('\n');
  const parsed = lines.map(parsedLine).filter((line) => line !== null);
  if (parsed.length < lines.length || parsed.some((line, index) => canonicalize(line) !== lines[index]))
    return 'not canonical';
  if (!parsed.every((line, index) => isShaped(line, index === lines.length - 1))) return 'members';
  const publicKey = pinned.export({ format: 'jwk' }).x ?? '';
  if (parsed.at(-1)?.head?.publicKey !== Buffer.from(publicKey, 'base64url').toString('base64')) return 'key';
  const isSigned = ({ receipt, head, signature }: Line) => {
    const raw = Buffer.from(signature, 'base64');
    const text = Buffer.from(canonicalize(receipt ?? head) ?? '');
    return raw.toString('base64') === signature && verify(null, text, pinned, raw);
  };
  return parsed.every(isSigned) ? whatIsWrongInside(parsed) : 'signature';
}

function whatIsWrongInside(lines: readonly Line[]): string | null {
  const head = lines.at(-1)?.head;
  if (head === undefined) return 'no head';
  let [seq, prev] = [head.first - 1, '0'.repeat(64)];
  for (const { receipt, inputs = {} } of lines.slice(0, -1)) {
    if (receipt?.seq !== seq + 1 || receipt.prev !== prev) return 'chain';
    [seq, prev] = [receipt.seq, sha256(receipt)];
    const changed = Object.keys(inputs).find((name) => sha256(inputs[name]) !== receipt.inputs[name]);
    if (changed !== undefined) return `input ${changed}`;
  }
  return head.seq === seq && head.hash === prev ? null : 'the newest is missing';
}

test('a reader written from the page alone finds the vector good, and what was changed in it [gateway.receipt.vectors]', async () => {
  const text = await readFile(vectorFile, 'utf8');
  const pinned = createPublicKey(key);
  expect(whatIsWrong(text, pinned)).toBeNull();
  const [first = '', ...others] = text.trimEnd().split('\n');
  expect(whatIsWrong(others.join('\n'), pinned)).toBe('chain');
  expect(whatIsWrong([first, ...others.slice(1)].join('\n'), pinned)).toBe('chain');
  expect(whatIsWrong([first, others[0], others.at(-1)].join('\n'), pinned)).toBe('the newest is missing');
  expect(whatIsWrong(text.replace('"code":"SUCCESS"', '"code":"REFUSED"'), pinned)).toBe('signature');
  expect(whatIsWrong(text.replace('"confirmsOnChain":true', '"confirmsOnChain":false'), pinned)).toBe(
    'input configuration',
  );
});

test('any byte of the vector changed is bad to that reader [gateway.receipt.vectors]', async () => {
  const bytes = await readFile(vectorFile);
  const pinned = createPublicKey(key);
  // Whether the last line ends with a newline says nothing.
  const place = fc.nat({ max: bytes.length - 2 });
  fc.assert(
    fc.property(place, fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ bits;
      expect(whatIsWrong(changed, pinned)).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});
