import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Canceller } from '@countersign/service/cancellation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptReceipts, kindsOf, verify } from '../../test/kept-receipts.ts';
import { type Answers, asksFor, goodAnswers, portsWith, settled } from '../../test/paying-ports.ts';
import { amount, call, now, required, signedCart, signedMandate } from '../../test/samples.ts';
import { callAndPay } from '../payment/call-and-pay.ts';
import { canonicalText, sha256 } from '../canonical.ts';
import type { Receipt, ReceiptsPort } from './receipt.ts';
import { openReceiptKey, publicHalf } from './receipt-key.ts';

let kept: KeptReceipts;
beforeEach(async () => {
  kept = await KeptReceipts.open();
});
afterEach(() => kept.close());

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
  expect((await kept.run({}, { maxAmount: amount('0.009999') })).code).toBe('PRICE_ABOVE_MAXIMUM');
  expect((await kept.run({}, { maxAmount: amount('0.01') })).code).toBe('SUCCESS');
  const lines = await kept.exported();
  expect(receiptIn(lines[0]).trace).toEqual([
    { rule: 'requirement', verdict: 'refuse', why: 'it is 0.01 USDC, and maxAmount is 0.009999' },
  ]);
  expect((await verify(lines)).problems).toEqual([]);
});

test.each(ends)(
  'a priced call that ends in %s leaves one receipt, and verifying it comes to the same [gateway.receipt.every-priced-call] [gateway.receipt.verify]',
  async (code, changes) => {
    const answer = await kept.run(await changes());
    expect(answer.code).toBe(code);
    const lines = await kept.exported();
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
  const ports = portsWith(answers, kept.port);
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
  expect(kept.reports.map(({ serviceResult }) => serviceResult)).toEqual(['reject', 'reject']);
  const lines = await kept.exported();
  expect(lines).toHaveLength(3);
  expect((await verify(lines)).problems).toEqual([]);
});

test('a receipt is RFC 8785, names each input by its hash, and tells the rules in order [gateway.receipt.content]', async () => {
  await kept.run();
  const [line = ''] = await kept.exported();
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
  await kept.run();
  const [line] = await kept.exported();
  expect(kept.reports[0]?.metadata?.['receiptHash']).toBe(sha256(canonicalText(receiptIn(line))));
});

test('a free call, and one that was never sent, leave none', async () => {
  await kept.run({ asked: { ...settled, settlement: undefined } as Answers['asked'] });
  await kept.run({}, { paymentPayload: { approvalId: 'apr_1' } });
  expect(await kept.exported()).toHaveLength(1);
});

test('what RFC 8785 has no form for is recorded all the same', async () => {
  const odd = required({}, { note: '\ud800', cartMandate: await signedCart() });
  expect((await kept.run({ asked: asksFor({ ...odd, x402Version: 3 }) })).code).toBe(
    'PAYMENT_REQUIREMENT_INVALID',
  );
  expect((await verify(await kept.exported())).problems).toEqual([]);
});

test('the key is the gateway’s own, is kept for itself, and stays the same [gateway.receipt.signed]', async () => {
  const file = join(kept.dir, 'receipt-key.pem');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain('PRIVATE KEY');
  expect(publicHalf(openReceiptKey(kept.dir))).toBe(publicHalf(openReceiptKey(kept.dir)));
});

test('a line that is dropped, doubled or moved is noticed [gateway.receipt.chained] [gateway.receipt.verify.bad]', async () => {
  const lines = await kept.four();
  for (let n = 0; n < 4; n++) {
    expect(await kindsOf(lines.toSpliced(n, 1))).toEqual(['bad']);
    expect(await kindsOf(lines.toSpliced(n, 0, lines[n] ?? ''))).toEqual(['bad']);
    expect(await kindsOf(lines.toSpliced(n, 1).toSpliced((n + 1) % 4, 0, lines[n] ?? ''))).toEqual(['bad']);
  }
  expect(await kindsOf([...lines, lines[4] ?? ''])).toEqual(['bad']);
});

test('without the head, and without an input, it is incomplete [gateway.receipt.verify.incomplete]', async () => {
  const lines = await kept.four();
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
  await kept.four();
  expect(await kept.exported(now)).toHaveLength(5);
  const later = await kept.exported(now + 1);
  expect(later).toHaveLength(1);
  expect(await kindsOf(later)).toEqual([]);
  const second = (await kept.exported()).slice(1);
  expect(await kindsOf(second)).toEqual(['bad']);
});

test('an export that another key has signed is bad once the right key is named [gateway.receipt.signed]', async () => {
  const lines = await kept.four();
  const right = publicHalf(openReceiptKey(kept.dir));
  expect(await kindsOf(lines, right)).toEqual([]);
  const other = await mkdtemp(join(tmpdir(), 'countersign-other-key-'));
  expect(await kindsOf(lines, publicHalf(openReceiptKey(other)))).toEqual(['bad']);
  await rm(other, { recursive: true });
});

test('a verdict that does not follow is found even when it is signed [gateway.receipt.verify.bad]', async () => {
  const lying: ReceiptsPort = {
    ...kept.port,
    append: (draft, ...rest) =>
      kept.port.append({ ...draft, verdict: { ...draft.verdict, code: 'SUCCESS' } }, ...rest),
  };
  const answers = { ...(await goodAnswers()), payerKyc: { kind: 'not-found' } as const };
  await callAndPay(portsWith(answers, lying), call());
  expect((await verify(await kept.exported())).problems).toEqual([
    {
      line: 1,
      kind: 'bad',
      what: 'receipt 1 says SUCCESS; judged again it is PAYER_KYC_NOT_APPROVED, or for another reason',
    },
  ]);
});

test('a receipt of a payment that an older gateway opened again is made again [gateway.receipt.verify]', async () => {
  const good = await goodAnswers();
  const keyed = call({ idempotencyKey: 'key-of-call' });
  // As for every first payment, the chain is not asked for one of unknown outcome.
  for (const paid of [settled, { kind: 'timeout' } as const]) {
    const older: ReceiptsPort = {
      ...kept.port,
      append(draft, own, report) {
        const inputs = new Map(own);
        const text = canonicalText({ nonce: JSON.parse(inputs.get('nonce')?.text ?? '') as string });
        inputs.set('earlier', { text, hash: sha256(text) });
        inputs.delete('hold');
        const { hold: _, ...hashes } = draft.inputs;
        return kept.port.append(
          { ...draft, inputs: { ...hashes, earlier: sha256(text) } },
          [...inputs],
          report,
        );
      },
    };
    const ports = portsWith({ ...good, paid }, older);
    await callAndPay(ports, keyed);
  }
  const lines = await kept.exported();
  expect(lines).toHaveLength(3);
  expect((await verify(lines)).problems).toEqual([]);
});

test('two stores on one directory make one chain [gateway.receipt.chained]', async () => {
  const other = kept.openOneMore();
  const answers = await goodAnswers();
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      callAndPay(portsWith(answers, n % 2 === 0 ? kept.port : other), call()),
    ),
  );
  const lines = await kept.exported();
  expect(lines.slice(0, -1).map((line) => receiptIn(line).seq)).toEqual(
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  expect((await verify(lines)).problems).toEqual([]);
});
