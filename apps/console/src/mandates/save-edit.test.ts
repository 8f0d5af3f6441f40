import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { afterEach, expect, test, vi } from 'vitest';
import { editOf } from './edit.ts';
import { saveEdit } from './save-edit.ts';

afterEach(() => vi.unstubAllGlobals());

test('a name that was kept is not sent: one from before a rule would have the new limit refused [dashboard.console.mandates.edit]', async () => {
  const mandate = { id: 'm', title: 'old\u200b', perTxLimit: '1', totalBudget: '10' } as Mandate;
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Promise.resolve(Response.json({ code: 0, msg: '', data: {} }));
  });
  await saveEdit(mandate, { ...editOf(mandate), perTxLimit: '2' });
  await saveEdit(mandate, { ...editOf(mandate), perTxLimit: '2', title: 'new' });
  const limits = { mandateId: 'm', perTxLimit: '2', totalBudget: '10' };
  expect(sent).toEqual([limits, { ...limits, title: 'new' }]);
});
