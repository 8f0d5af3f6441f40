import type { DashboardClient } from '@countersign/gateway/adapters/dashboard';
import type { Dashboard } from './dashboard.ts';
import type { Network } from './network.ts';
import type { Reply } from './reply.ts';
import type { Life } from './schedule.ts';

const timeoutMs = 3000;

/** What is not about money takes no time: each step would cost one, and show nothing. */
const atOnce: ReadonlySet<string> = new Set(['kycCheck', 'kytCheck', 'publicKey', 'site']);

/** The wire between the dashboard and one gateway process. */
export function connectDashboard(dashboard: Dashboard, network: Network, life: Life): DashboardClient {
  const ask = (what: string, serve: (body: object) => Reply) => async (input: { readonly body?: object }) => {
    const body = input.body ?? {};
    if (atOnce.has(what)) return { ...serve(body), asked: what };
    const answer = await network.ask<Reply>({
      life,
      what,
      timeoutMs,
      serve: () => (dashboard.isAway ? { kind: 'failed', why: 'unreachable' } : serve(body)),
      failed: { kind: 'failed', why: 'timeout' },
    });
    return { ...answer, asked: what };
  };
  const answers = Object.entries(dashboard.answers as Record<string, (body: object) => Reply>);
  return Object.fromEntries(
    answers.map(([what, serve]) => [what, ask(what, serve)]),
  ) as unknown as DashboardClient;
}
