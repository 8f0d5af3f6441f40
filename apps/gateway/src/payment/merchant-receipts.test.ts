import { expect, test } from 'vitest';
import { type About, openBuyer } from '../../test/buying.ts';
import { asJws, merchantKey, offered, offerOf, receiptOf, signed } from '../../test/offers.ts';
import { type Answers, settled } from '../../test/paying-ports.ts';
import { now, stranger } from '../../test/samples.ts';

const { buy, reports } = openBuyer();
const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) });
const settlement = settled.kind === 'result' ? (settled.settlement as object) : {};

const paidWith = (receipt: unknown): Partial<Answers> => ({
  paid: {
    ...settled,
    settlement: {
      ...settlement,
      extensions: { 'offer-receipt': { info: { receipt } } },
    },
  } as Answers['paid'],
});

test.each<[what: string, receipt: () => Promise<unknown>, verdict: object, about?: About]>([
  ['the payee’s receipt', async () => signed(receiptOf()), { kind: 'verified' }],
  [
    'one that names the transaction',
    async () => signed(receiptOf({ transaction: `0x${'AB'.repeat(32)}` })),
    { kind: 'verified' },
  ],
  ['one as a JWS', async () => asJws(receiptOf(), { key: merchantKey }), { kind: 'verified' }],
  [
    'one of a contract',
    async () => ({ ...(await signed(receiptOf())), signature: '0xabcd' }),
    { kind: 'verified' },
    { contract: true },
  ],
  ['none', async () => undefined, { kind: 'missing' }],
  [
    'one for another payer',
    async () => signed(receiptOf({ payer: stranger.address })),
    { kind: 'wrong', why: 'the receipt names another payer' },
  ],
  [
    'one for another resource',
    async () => signed(receiptOf({ resourceUrl: 'mcp://tool/report' })),
    { kind: 'wrong', why: 'the receipt names another resource' },
  ],
  [
    'one for another transaction',
    async () => signed(receiptOf({ transaction: `0x${'cd'.repeat(32)}` })),
    { kind: 'wrong', why: 'the receipt names another transaction' },
  ],
  [
    'one for another network',
    async () => signed(receiptOf({ network: 'eip155:8453' })),
    { kind: 'wrong', why: 'the receipt names another network' },
  ],
  [
    'one of the day before',
    async () => signed(receiptOf({ issuedAt: now / 1000 - 86_400 })),
    { kind: 'wrong', why: 'the receipt names another time' },
  ],
  [
    'one of the day after',
    async () => signed(receiptOf({ issuedAt: now / 1000 + 86_400 })),
    { kind: 'wrong', why: 'the receipt names another time' },
  ],
  [
    'one by somebody else',
    async () => signed(receiptOf(), stranger),
    { kind: 'wrong', why: 'neither the payee nor a key in OFFER_SIGNERS signed the receipt' },
  ],
  [
    'nonsense',
    async () => ({ format: 'eip712', payload: deep(20), signature: '0x' }),
    { kind: 'wrong', why: 'the receipt is malformed' },
  ],
])(
  'after a payment %s is told, kept and verified, and nothing is paid again [gateway.offer.receipt]',
  async (_, receipt, verdict, about) => {
    const { answer, paid, trace, context } = await buy(offered([await signed(offerOf())]), {
      ...about,
      answers: paidWith(await receipt()),
    });
    expect(answer).toMatchObject({ code: 'SUCCESS', detail: { paymentMade: true } });
    expect(paid).toBe(1);
    expect(context?.['merchantReceipt']).toEqual(verdict);
    const { kind } = verdict as { kind: 'verified' | 'missing' | 'wrong' };
    expect(trace.at(-1)).toBe(
      `merchant-receipt ${{ verified: 'pass', missing: 'skip', wrong: 'refuse' }[kind]}`,
    );
    expect(reports()).toMatchObject([{ serviceResult: 'pass', metadata: { merchantReceipt: kind } }]);
  },
);

test('of a payment that did not settle no receipt counts [gateway.offer.receipt]', async () => {
  const { answer, context } = await buy(offered([await signed(offerOf())]), {
    answers: { ...paidWith(await signed(receiptOf())), onChain: 'no' },
  });
  expect(answer.code).toBe('PAYMENT_OUTCOME_UNKNOWN');
  expect(context).not.toHaveProperty('merchantReceipt');
});
