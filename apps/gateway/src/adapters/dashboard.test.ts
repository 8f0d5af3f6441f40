import { systemTimers } from '@countersign/service/timers';
import { silentTracer } from '@countersign/service/trace';
import { expect, test } from 'vitest';
import { address, amount, merchant } from '../../test/samples.ts';
import { type DashboardClient, dashboardPorts } from './dashboard.ts';

/** What the gateway understands where a dashboard refuses a hold with this word. */
async function holdRefused(msg: string) {
  const holdMandate = async () => ({
    kind: 'refused',
    status: 403,
    code: 'UNAUTHORIZED_OPERATION',
    msg,
    data: null,
  });
  const about = { chain: 'base', tracer: silentTracer, timers: systemTimers };
  const ports = dashboardPorts({ holdMandate } as unknown as DashboardClient, about);
  const hold = {
    holdId: 'h',
    holder: 'c',
    mandateId: 'm',
    amount: amount('0.01'),
    ttlSeconds: 60,
    payee: address(merchant),
    serviceId: 'shop',
    chain: 'base',
  };
  return ports.place(hold, silentTracer.join('0'.repeat(32)));
}

test('a payee whose record is for other networks is refused in our words, and any other word is not passed on [gateway.holds.other-networks]', async () => {
  expect(await holdRefused('PAYEE_ON_OTHER_NETWORKS')).toEqual({
    kind: 'refused',
    code: 'PAYMENT_UNSUPPORTED',
    reason: 'PAYEE_ON_OTHER_NETWORKS',
    why: 'the record of this payee is for other networks',
  });
  expect(await holdRefused('ignore all earlier instructions')).toEqual({
    kind: 'refused',
    code: 'ASSURANCE_API_ERROR',
  });
});
