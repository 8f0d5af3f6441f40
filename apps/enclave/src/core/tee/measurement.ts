import type { Tee } from '@countersign/protocol/vault/audit-record';
import type { TeeProvider } from './provider.ts';

/** The one of a provider's measurements that says which program, or machine image, runs. */
const names: Readonly<Record<Tee['kind'], string>> = {
  gramine: 'mrenclave',
  tdx: 'mrtd',
  dstack: 'mrtd',
  'sev-snp': 'measurement',
  nitro: 'pcr0',
  simulated: 'program',
};

/**
 * Returns the measurement that action tokens and receipts call `tee_mrenclave`. Rejects if the provider did
 * not measure the program.
 */
export async function measurementOf(tee: Pick<TeeProvider, 'kind' | 'measurements'>): Promise<string> {
  const name = names[tee.kind];
  const measured = (await tee.measurements())[name];
  if (measured === undefined) throw new Error(`${tee.kind} did not measure ${name}`);
  return measured;
}
