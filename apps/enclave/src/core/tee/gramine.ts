import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hkdf, withSecret } from '../keys/hkdf.ts';
import { inTurn } from './in-turn.ts';
import { collateralIn, measuredIn } from './measured.ts';
import type { TeeOptions, TeeProvider } from './provider.ts';

/** Gramine's pseudo-files; they belong to this process alone. */
const device = '/dev/attestation';

/** An SGX enclave under Gramine. The sealing secret is bound to its MRENCLAVE: another build cannot open the vault. */
export function gramineTee({ dir }: TeeOptions, folder = device): TeeProvider {
  // Writing report data and reading the quote are two steps, which must not mix.
  const alone = inTurn();
  const quote = (reportData: Uint8Array) => alone(() => quoteOver(folder, reportData));
  return {
    kind: 'gramine',
    hardware: true,
    quote,
    measurements: async () => ({
      ...measuredIn.sgx(await quote(Buffer.alloc(64))),
      ...(await collateralIn(dir)),
    }),
    sealingSecret: async () => {
      const key = await readFile(join(folder, 'keys/_sgx_mrenclave')).catch(explain);
      if (key.length !== 16) throw new Error('Gramine gave no sealing key of 16 bytes');
      return withSecret(key, (secret) => hkdf(secret, 'countersign-sealing-v1'));
    },
  };
}

async function quoteOver(folder: string, reportData: Uint8Array): Promise<Buffer> {
  const type = (await readFile(join(folder, 'attestation_type'), 'latin1').catch(explain)).trim();
  if (type !== 'dcap')
    throw new Error(`Gramine attests by "${type}": set sgx.remote_attestation = "dcap" in the manifest`);
  await writeFile(join(folder, 'user_report_data'), reportData).catch(explain);
  return readFile(join(folder, 'quote')).catch(explain);
}

function explain(error: NodeJS.ErrnoException): never {
  const why =
    error.code === 'ENOENT' ? 'this is no process under Gramine-SGX' : (error.code ?? error.message);
  throw new Error(`no evidence of gramine: ${why}`, { cause: error });
}
