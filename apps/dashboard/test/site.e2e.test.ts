import { usdcOn } from '@countersign/protocol/dashboard/usdc';
import { expect, test } from 'vitest';
import { openDashboard } from './dashboard.ts';

test.each([true, false])(
  'anybody is told the chain, whether it is local, and where USDC is on it: %s [dashboard.site] [dashboard.console.transactions.explorer]',
  async (chainIsLocal) => {
    const dashboard = await openDashboard({ chainIsLocal });
    const { data } = await dashboard.request('GET', '/api/site');
    await dashboard.stop();
    expect(data).toEqual({
      publicUrl: dashboard.url,
      chain: `eip155:${dashboard.config.chainId}`,
      chainIsLocal,
      usdc: usdcOn(dashboard.config.chainId),
    });
  },
);
