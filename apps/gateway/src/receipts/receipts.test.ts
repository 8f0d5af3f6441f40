import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { Canceller } from '@countersign/service/cancellation';
import { createLogger } from '@countersign/service/logger';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answers, asksFor, goodAnswers, portsWith, settled } from '../../test/paying-ports.ts';
import { amount, call, now, policy, required, signedCart, signedMandate } from '../../test/samples.ts';
import { callAndPay } from '../payment/call-and-pay.ts';
import { canonicalText, readCanonical, sha256 } from '../canonical.ts';
import { exportLines } from './export.ts';
import { type Environment, openEnvironment } from '../state/environment.ts';
import { configurationInput } from './inputs.ts';
import type { Receipt, ReceiptsPort } from './receipt.ts';
import { openReceiptKey, publicHalf } from './receipt-key.ts';
import { openReceipts, readReceipts } from './store.ts';
import { verifyExport } from './verify.ts';

let dir: string;
let environments: Environment[];
let reports: TransactionReport[];
let receipts: ReceiptsPort;
const log = createLogger('test', 'fatal');

/** One more process on the directory. */
function openOne(): ReceiptsPort {
  const environment = openEnvironment(dir);
  environments.push(environment);
  const configuration = configurationInput(policy, [], true);
  const reporting = {
    report: async (report: TransactionReport) => void reports.push(report),
    reportWithin: null,
  };
  return openReceipts({
    environment,
    key: openReceiptKey(dir),
    configuration,
    reporting,
    now: () => now,
    log,
  });
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'countersign-receipts-'));
  environments = [];
  reports = [];
  receipts = openOne();
});
afterEach(async () => {
  for (const { close } of environments) await close();
  await rm(dir, { recursive: true, force: true });
});

const run = async (changes: Partial<Answers> = {}, about: Parameters<typeof call>[0] = {}) =>
  callAndPay(portsWith({ ...(await goodAnswers()), ...changes }, receipts), call(about));

async function exported(since: number | null = null): Promise<string[]> {
  const store = readReceipts(dir);
  try {
    return [...exportLines(store, openReceiptKey(dir), since, now)];
  } finally {
    await store.close();
  }
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const verify = (lines: readonly string[], key: string | null = null) => verifyExport(() => each(lines), key);
const kindsOf = async (lines: readonly string[], key: string | null = null) => [
  ...new Set((await verify(lines, key)).problems.map(({ kind }) => kind)),
];
const receiptIn = (line: string | undefined) => (JSON.parse(line ?? '') as { receipt: Receipt }).receipt;

const again = (error: string): Answers['paid'] => ({ ...asksFor({ ...required(), error }) });

const ends: readonly [code: string, changes: () => Promise<Partial<Answers>> | Partial<Answers>][] = [
  ['SUCCESS', () => ({})],
  ['DOWNSTREAM_TOOL_ERROR', () => ({ paid: { ...settled, isError: true } as Answers['paid'] })],
  ['PAYMENT_UNSUPPORTED', () => ({ asked: asksFor(required({ scheme: 'upto' })) })],
  ['PAYMENT_REQUIREMENT_INVALID', () => ({ asked: asksFor({ x402Version: 2, accepts: [] }) })],
  ['PAYMENT_REQUIREMENT_INVALID', () => ({ asked: { kind: 'requirement-malformed', content: ['?'] } })],
  ['PAYER_KYC_NOT_APPROVED', () => ({ payerKyc: { kind: 'not-found' } })],
  ['COMPLIANCE_API_ERROR', () => ({ payeeKyt: { kind: 'unavailable' } })],
  ['MERCHANT_NOT_REGISTERED', () => ({ publicKey: { kind: 'not-found' } })],
  ['MANDATE_EXPIRED', () => ({ mandate: { kind: 'expired' } })],
  [
    'MANDATE_TAMPERED',
    async () => ({ mandate: { kind: 'found', mandate: await signedMandate({ totalBudget: amount('21') }) } }),
  ],
  [
    'WALLET_APPROVAL_REQUIRED',
    async () => ({
      asked: asksFor(
        required({ amount: '2000000' }, { cartMandate: await signedCart({ total_amount: '2' }) }),
      ),
    }),
  ],
  ['WALLET_APPROVAL_REQUIRED', () => ({ hold: { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' } })],
  ['WALLET_APPROVAL_REQUIRED', () => ({ journal: 'over-budget' })],
  [
    'APPROVAL_REJECTED',
    () => ({
      hold: { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' },
      word: { kind: 'rejected', reason: 'no' },
    }),
  ],
  ['MANDATE_NOT_FOUND', () => ({ hold: { kind: 'refused', code: 'MANDATE_NOT_FOUND' } })],
  [
    'PAYMENT_UNSUPPORTED',
    () => ({ hold: { kind: 'refused', code: 'PAYMENT_UNSUPPORTED', why: 'not listed' } }),
  ],
  ['PAYMENT_REJECTED', () => ({ paid: again('invalid_exact_evm_signature') })],
  ['SETTLEMENT_FAILED', () => ({ paid: again('settlement failed') })],
  ['PAYMENT_OUTCOME_UNKNOWN', () => ({ paid: { kind: 'timeout' } })],
  ['PAYMENT_OUTCOME_UNKNOWN', () => ({ onChain: 'no' })],
  ['SUCCESS', () => ({ asked: asksFor(required()) })],
  ['WALLET_APPROVAL_REQUIRED', () => ({ asked: asksFor(required({ amount: '2000000' })) })],
  ['SUCCESS', () => ({ asked: asksFor(required()), mandate: { kind: 'never' } })],
  ['MANDATE_NOT_FOUND', () => ({ asked: asksFor(required()), mandate: { kind: 'none' } })],
  ['MANDATE_EXPIRED', () => ({ asked: asksFor(required()), mandate: { kind: 'expired' } })],
  ['ASSURANCE_API_ERROR', () => ({ asked: asksFor(required()), mandate: { kind: 'unavailable' } })],
  // The day's cap, told by the journal.
  [
    'PAYMENT_UNSUPPORTED',
    () => ({ asked: asksFor(required()), mandate: { kind: 'never' }, journal: 'over-budget' }),
  ],
];

test('a price above the maxAmount of the call leaves a receipt that says so, and verifies [gateway.receipt.every-priced-call] [gateway.receipt.verify]', async () => {
  expect((await run({}, { maxAmount: amount('0.009999') })).code).toBe('PRICE_ABOVE_MAXIMUM');
  expect((await run({}, { maxAmount: amount('0.01') })).code).toBe('SUCCESS');
  const lines = await exported();
  expect(receiptIn(lines[0]).trace).toEqual([
    { rule: 'requirement', verdict: 'refuse', why: 'it is 0.01 USDC, and maxAmount is 0.009999' },
  ]);
  expect((await verify(lines)).problems).toEqual([]);
});

test.each(ends)(
  'a priced call that ends in %s leaves one receipt, and verifying it comes to the same [gateway.receipt.every-priced-call] [gateway.receipt.verify]',
  async (code, changes) => {
    const answer = await run(await changes());
    expect(answer.code).toBe(code);
    const lines = await exported();
    expect(lines).toHaveLength(2);
    const receipt = receiptIn(lines[0]);
    expect(receipt.verdict).toEqual({
      stage: answer.stage,
      code: answer.code,
      paymentMade: answer.detail.paymentMade,
    });
    expect(answer.detail.paymentContext).toMatchObject({ receiptId: receipt.receiptId });
    expect(receipt.payment === undefined).toBe(answer.detail.paymentContext?.['nonce'] === undefined);
    expect((await verify(lines)).problems).toEqual([]);
  },
);

test('a call that is cancelled before it is paid leaves a receipt that verifies, and is reported as rejected [gateway.receipt.every-priced-call] [gateway.receipt.verify] [gateway.code.cancelled]', async () => {
  const answers = await goodAnswers();
  const ports = portsWith(answers, receipts);
  for (const cancelAt of ['activeMandate', 'place'] as const) {
    const gone = new Canceller();
    const mandates = {
      ...ports.mandates,
      activeMandate: () => (cancelAt === 'activeMandate' && gone.abort(), Promise.resolve(answers.mandate)),
    };
    const holds = { ...ports.holds, place: () => (gone.abort(), Promise.resolve(answers.hold)) };
    const answer = await callAndPay({ ...ports, mandates, holds }, { ...call(), signal: gone });
    expect(answer).toMatchObject({ code: 'CANCELLED', detail: { paymentMade: false } });
  }
  expect(reports.map(({ serviceResult }) => serviceResult)).toEqual(['reject', 'reject']);
  const lines = await exported();
  expect(lines).toHaveLength(3);
  expect((await verify(lines)).problems).toEqual([]);
});

test('a receipt is RFC 8785, names each input by its hash, and tells the rules in order [gateway.receipt.content]', async () => {
  await run();
  const [line = ''] = await exported();
  const { receipt, inputs } = JSON.parse(line) as { receipt: Receipt; inputs: Record<string, unknown> };
  expect(Object.keys(receipt.inputs)).toEqual([
    'cart',
    'chainUsed',
    'clock',
    'configuration',
    'credential',
    'hold',
    'journal',
    'mandate',
    'nonce',
    'payeeKyc',
    'payeeKyt',
    'payerKyc',
    'payerKyt',
    'publicKey',
    'requirement',
    'settlement',
  ]);
  for (const [name, hash] of Object.entries(receipt.inputs))
    expect([name, sha256(canonicalText(inputs[name]))]).toEqual([name, hash]);
  expect(receipt.trace.map(({ rule, verdict }) => `${rule} ${verdict}`)).toEqual([
    'requirement pass',
    'payer-screening pass',
    'payee-screening pass',
    'cart pass',
    'merchant pass',
    'merchant-signature pass',
    'cart-binding pass',
    'mandate pass',
    'credential pass',
    'limits pass',
    'policy pass',
    'hold pass',
    'settlement pass',
  ]);
  expect(line).not.toContain('sold');
});

test('the record of a call names its receipt by its hash [gateway.report.metadata.receipt-hash]', async () => {
  await run();
  const [line] = await exported();
  expect(reports[0]?.metadata?.['receiptHash']).toBe(sha256(canonicalText(receiptIn(line))));
});

test('a free call, and one that was never sent, leave none', async () => {
  await run({ asked: { ...settled, settlement: undefined } as Answers['asked'] });
  await run({}, { paymentPayload: { approvalId: 'apr_1' } });
  expect(await exported()).toHaveLength(1);
});

test('what RFC 8785 has no form for is recorded all the same', async () => {
  const odd = required({}, { note: '\ud800', cartMandate: await signedCart() });
  expect((await run({ asked: asksFor({ ...odd, x402Version: 3 }) })).code).toBe(
    'PAYMENT_REQUIREMENT_INVALID',
  );
  expect((await verify(await exported())).problems).toEqual([]);
});

test('the text is the one that the npm package makes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(canonicalText(value)).toBe(canonicalize(value));
    }),
    { numRuns: 2000 },
  );
  expect(canonicalText({ 10: 1, 9: 2, '\u20ac': '\u0000\n"\\', a: undefined, b: [1e30, -0, 0.1] })).toBe(
    canonicalize({ 10: 1, 9: 2, '\u20ac': '\u0000\n"\\', b: [1e30, -0, 0.1] }),
  );
});

test('every value is read back as it was, also one that looks like a quotation', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record({ 'countersign:json': fc.jsonValue() })), (value) => {
      const text = canonicalText(value);
      expect(canonicalText(readCanonical(JSON.parse(text)))).toBe(text);
    }),
  );
});

test('the key is the gateway’s own, is kept for itself, and stays the same [gateway.receipt.signed]', async () => {
  const file = join(dir, 'receipt-key.pem');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain('PRIVATE KEY');
  expect(publicHalf(openReceiptKey(dir))).toBe(publicHalf(openReceiptKey(dir)));
});

/** An export of four receipts of different ends. */
async function four(): Promise<string[]> {
  await run();
  await run({ payerKyc: { kind: 'not-found' } });
  await run({ hold: { kind: 'over-limit', code: 'TOTAL_BUDGET_EXCEEDED' } });
  await run({ paid: { kind: 'timeout' } });
  return exported();
}

test('whatever byte is changed, verifying says bad [gateway.receipt.verify.bad]', async () => {
  const lines = await four();
  expect(await kindsOf(lines)).toEqual([]);
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: bytes.length - 2 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        // As the command reads it: a line that is no UTF-8 is none.
        const text = changed.toString('utf8').split('\n').slice(0, -1);
        expect(await kindsOf(text)).toContain('bad');
      },
    ),
    { numRuns: 400 },
  );
});

test('a line that is dropped, doubled or moved is noticed [gateway.receipt.chained] [gateway.receipt.verify.bad]', async () => {
  const lines = await four();
  for (let n = 0; n < 4; n++) {
    expect(await kindsOf(lines.toSpliced(n, 1))).toEqual(['bad']);
    expect(await kindsOf(lines.toSpliced(n, 0, lines[n] ?? ''))).toEqual(['bad']);
    expect(await kindsOf(lines.toSpliced(n, 1).toSpliced((n + 1) % 4, 0, lines[n] ?? ''))).toEqual(['bad']);
  }
  expect(await kindsOf([...lines, lines[4] ?? ''])).toEqual(['bad']);
});

test('without the head, and without an input, it is incomplete [gateway.receipt.verify.incomplete]', async () => {
  const lines = await four();
  expect(await kindsOf(lines.slice(0, 4))).toEqual(['incomplete']);
  const { inputs, ...rest } = JSON.parse(lines[0] ?? '') as { inputs: Record<string, unknown> };
  for (const name of Object.keys(inputs)) {
    const { [name]: _, ...others } = inputs;
    expect(await kindsOf([canonicalText({ ...rest, inputs: others }), ...lines.slice(1)])).toEqual([
      'incomplete',
    ]);
  }
  expect(await kindsOf([])).toEqual(['incomplete']);
});

test('a later export begins later, and is whole in itself [gateway.receipt.export]', async () => {
  await four();
  expect(await exported(now)).toHaveLength(5);
  const later = await exported(now + 1);
  expect(later).toHaveLength(1);
  expect(await kindsOf(later)).toEqual([]);
  const second = (await exported()).slice(1);
  expect(await kindsOf(second)).toEqual(['bad']);
});

test('an export that another key has signed is bad once the right key is named [gateway.receipt.signed]', async () => {
  const lines = await four();
  const right = publicHalf(openReceiptKey(dir));
  expect(await kindsOf(lines, right)).toEqual([]);
  const other = await mkdtemp(join(tmpdir(), 'countersign-other-key-'));
  expect(await kindsOf(lines, publicHalf(openReceiptKey(other)))).toEqual(['bad']);
  await rm(other, { recursive: true });
});

test('a verdict that does not follow is found even when it is signed [gateway.receipt.verify.bad]', async () => {
  const lying: ReceiptsPort = {
    ...receipts,
    append: (draft, ...rest) =>
      receipts.append({ ...draft, verdict: { ...draft.verdict, code: 'SUCCESS' } }, ...rest),
  };
  const answers = { ...(await goodAnswers()), payerKyc: { kind: 'not-found' } as const };
  await callAndPay(portsWith(answers, lying), call());
  expect((await verify(await exported())).problems).toEqual([
    {
      line: 1,
      kind: 'bad',
      what: 'receipt 1 says SUCCESS; judged again it is PAYER_KYC_NOT_APPROVED, or for another reason',
    },
  ]);
});

test('whatever the world answers, the verdict is made again [gateway.receipt.verify]', async () => {
  const good = await goodAnswers();
  const mandates = await Promise.all([
    signedMandate(),
    signedMandate({ status: 'revoked' }),
    signedMandate({ usedAmount: amount('19.995') }),
    signedMandate({ expiresAt: '2026-11-21T11:59:59.999Z' }, { expiresAt: '2026-11-21T11:59:59.999Z' }),
    signedMandate({ credential: { proof: '?' } }),
  ]);
  const cart = await signedCart();
  const unknown = { kind: 'unavailable' } as const;
  const world = fc.record({
    asked: fc.constantFrom(
      good.asked,
      asksFor(required()),
      asksFor(required({ amount: '2000000' })),
      asksFor(required({}, { cartMandate: { ...cart, total_amount: '0.02' } })),
      asksFor(required({}, { cartMandate: { ...cart, merchant_id: 7 } })),
    ),
    paid: fc.constantFrom<Answers['paid'][]>(
      settled,
      { kind: 'timeout' },
      again('settlement failed'),
      again('no'),
    ),
    payerKyc: fc.constantFrom<Answers['payerKyc'][]>(good.payerKyc, good.payerKyc, unknown),
    payeeKyt: fc.constantFrom<Answers['payeeKyt'][]>(good.payeeKyt, good.payeeKyt, unknown),
    publicKey: fc.constantFrom<Answers['publicKey'][]>(good.publicKey, good.publicKey, { kind: 'not-found' }),
    mandate: fc.constantFrom<Answers['mandate'][]>(
      ...mandates.map((mandate) => ({ kind: 'found', mandate }) as const),
      { kind: 'none' },
      { kind: 'never' },
    ),
    hold: fc.constantFrom<Answers['hold'][]>(
      { kind: 'held', until: now },
      { kind: 'absent' },
      {
        kind: 'over-limit',
        code: 'PER_TX_LIMIT_EXCEEDED',
      },
    ),
    word: fc.constantFrom<Answers['word'][]>(
      { kind: 'pending' },
      { kind: 'rejected', reason: null },
      { kind: 'expired' },
    ),
    journal: fc.constantFrom<Answers['journal'][]>('opened', 'known', 'over-budget'),
    onChain: fc.constantFrom<Answers['onChain'][]>('yes', 'no'),
    found: fc.constantFrom<Answers['found'][]>('unused', 'unknown', good.found),
    idempotencyKey: fc.constantFrom(undefined, 'key-of-call'),
  });
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(world, async ({ idempotencyKey, ...answers }) => {
      codes.add((await run(answers, { idempotencyKey })).code);
    }),
    { numRuns: 300 },
  );
  const lines = await exported();
  expect(lines).toHaveLength(301);
  expect((await verify(lines)).problems).toEqual([]);
  expect(codes.size).toBeGreaterThan(9);
});

test('a receipt of a payment that an older gateway opened again is made again [gateway.receipt.verify]', async () => {
  const good = await goodAnswers();
  const keyed = call({ idempotencyKey: 'key-of-call' });
  // As for every first payment, the chain is not asked for one of unknown outcome.
  for (const paid of [settled, { kind: 'timeout' } as const]) {
    const older: ReceiptsPort = {
      ...receipts,
      append(draft, own, report) {
        const inputs = new Map(own);
        const text = canonicalText({ nonce: JSON.parse(inputs.get('nonce')?.text ?? '') as string });
        inputs.set('earlier', { text, hash: sha256(text) });
        inputs.delete('hold');
        const { hold: _, ...hashes } = draft.inputs;
        return receipts.append(
          { ...draft, inputs: { ...hashes, earlier: sha256(text) } },
          [...inputs],
          report,
        );
      },
    };
    const ports = portsWith({ ...good, paid }, older);
    await callAndPay(ports, keyed);
  }
  const lines = await exported();
  expect(lines).toHaveLength(3);
  expect((await verify(lines)).problems).toEqual([]);
});

test('two stores on one directory make one chain [gateway.receipt.chained]', async () => {
  const other = openOne();
  const answers = await goodAnswers();
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      callAndPay(portsWith(answers, n % 2 === 0 ? receipts : other), call()),
    ),
  );
  const lines = await exported();
  expect(lines.slice(0, -1).map((line) => receiptIn(line).seq)).toEqual(
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  expect((await verify(lines)).problems).toEqual([]);
});
