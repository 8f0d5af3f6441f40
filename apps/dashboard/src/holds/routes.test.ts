import { createLogger } from '@countersign/service/logger';
import { expect, test } from 'vitest';
import type { Unavailable } from '../screening/ports.ts';
import { holdHandlers } from './routes.ts';

const held = (paid: boolean | Unavailable) => {
  const { holdMandate } = holdHandlers(null as never, {
    now: () => new Date(0),
    chainId: 1,
    log: createLogger('dashboard', 'silent'),
    tell: () => undefined,
    isPaidOn: async () => paid,
  });
  const body = { mandateId: 'm', payee: `0x${'1'.repeat(40)}` };
  return holdMandate({ body, caller: { kind: 'operator' } } as never);
};

test('a payee whom the vendor cannot be asked about is no payee of other networks: it is no answer', async () => {
  expect(await held(false)).toMatchObject({ ok: false, error: { msg: 'PAYEE_ON_OTHER_NETWORKS' } });
  expect(await held({ kind: 'unavailable', why: 'resting' } as Unavailable)).toMatchObject({
    ok: false,
    error: { code: 'SYSTEM_ERROR', msg: 'the compliance provider is unavailable' },
  });
});
