import { paymentOf, type Reply, type TestDashboard } from './dashboard.ts';

type KeyOwner = { readonly apiKey: string };
type Payer = KeyOwner & { readonly address: string };

let counter = 0;

/** The calls of a gateway that holds before it pays. */
export const holdCalls = (dashboard: Pick<TestDashboard, 'post'>) => ({
  hold: (
    { apiKey }: KeyOwner,
    body: { readonly mandateId: string; readonly [name: string]: unknown },
  ): Promise<Reply> =>
    dashboard.post('/api/mandates/intent/hold', {
      apiKey,
      holdId: `hld_${++counter}`,
      amount: '1',
      ttlSeconds: 60,
      ...body,
    }),

  release: ({ apiKey }: KeyOwner, holdId: string, holder?: string): Promise<Reply> =>
    dashboard.post('/api/mandates/intent/release', { apiKey, holdId, holder }),

  report: (
    { apiKey, address }: Payer,
    mandateId: string,
    { holdId, ...more }: { readonly holdId?: unknown; readonly [name: string]: unknown } = {},
  ): Promise<Reply> =>
    dashboard.post('/api/transactions', {
      apiKey,
      ...paymentOf(address, { amount: '1', intentMandateId: mandateId, metadata: { holdId }, ...more }),
    }),
});
