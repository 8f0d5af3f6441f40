import { logIdOf } from '@countersign/audit-log/checkpoint';
import { sayWhy } from '@countersign/service/lifecycle';
import type { EnclaveConfig } from './config.ts';
import type { CoreSettings } from '../channel/core.ts';

/** The last root on chain. Rejects when the chain cannot be asked: then nobody knows whether the log is whole. */
export async function anchoredRoot({ anchor, origin }: EnclaveConfig): Promise<CoreSettings['anchored']> {
  if (anchor === null) return null;
  // Whoever asks no chain does not load what speaks to one.
  const { anchorReader } = await import('@countersign/audit-log/anchor/ethereum');
  try {
    const latest = await anchorReader(anchor).latest(logIdOf(origin));
    return latest === null ? null : { size: latest.size, root: latest.root.toString('hex') };
  } catch (error) {
    throw new Error(
      `the audit log cannot be compared with the chain: ${firstLine(sayWhy(error))} (unset AUDIT_ANCHOR_ADDRESS to start without)`,
      { cause: error },
    );
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
