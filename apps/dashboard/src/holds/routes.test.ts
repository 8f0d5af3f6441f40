import { createLogger } from '@countersign/service/logger';
import { expect, test } from 'vitest';
import type { Identity, Unavailable } from '../screening/ports.ts';
import { holdHandlers } from './routes.ts';

/** A database that says of every payee that its record is for other networks. */
const elsewhere = { query: async () => ({ rows: [{ outcome: 'other-networks', exceeded: null }] }) };

const held = (found: Identity | Unavailable) => {
  const { holdMandate } = holdHandlers(elsewhere as never, {
    now: () => new Date(0),
    chainId: 1,
    log: createLogger('dashboard', 'silent'),
    tell: () => undefined,
    lookUp: async () => found,
  });
  const body = { holdId: 'h', mandateId: 'm', amount: '1', ttlSeconds: 10, payee: `0x${'1'.repeat(40)}` };
  return holdMandate({ body, caller: { kind: 'operator' } } as never);
};

test('a payee whom the vendor cannot be asked about is no payee of other networks: it is no answer', async () => {
  expect(await held({ kind: 'known', status: 'pending', requestId: null })).toMatchObject({
    ok: false,
    error: { msg: 'PAYEE_ON_OTHER_NETWORKS' },
  });
  expect(await held({ kind: 'unavailable', why: 'resting' } as Unavailable)).toMatchObject({
    ok: false,
    error: { code: 'SYSTEM_ERROR', msg: 'the compliance provider is unavailable' },
  });
});
