import { buildWithout } from './build-without.ts';
import { type GatewayCommand, ours } from './lab.ts';

export const unguarded = `${ours}, guarantees off`;

/**
 * Builds the gateway without holds, journal, receipts and outbox: the same checks and the same signature, but nothing
 * that outlives a crash or keeps two payments apart. It is there to be compared with; no user can have it.
 */
export async function buildUnguardedGateway(): Promise<GatewayCommand> {
  const program = await buildWithout('gateway');
  return { name: unguarded, command: process.execPath, args: [program, '--http'] };
}
