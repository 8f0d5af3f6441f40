import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptReceipts, kindsOf, verify } from '../../test/kept-receipts.ts';
import { type Answers, asksFor, goodAnswers, settled } from '../../test/paying-ports.ts';
import { amount, now, required, signedCart, signedMandate } from '../../test/samples.ts';
import { canonicalText, readCanonical } from '../canonical.ts';

let kept: KeptReceipts;
beforeEach(async () => {
  kept = await KeptReceipts.open();
});
afterEach(() => kept.close());

const again = (error: string): Answers['paid'] => ({ ...asksFor({ ...required(), error }) });

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

test('whatever byte is changed, verifying says bad [gateway.receipt.verify.bad]', async () => {
  const lines = await kept.four();
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
      codes.add((await kept.run(answers, { idempotencyKey })).code);
    }),
    { numRuns: 300 },
  );
  const lines = await kept.exported();
  expect(lines).toHaveLength(301);
  expect((await verify(lines)).problems).toEqual([]);
  expect(codes.size).toBeGreaterThan(9);
});
