import { sign, verify } from 'node:crypto';
import { verifyExport } from '@countersign/audit-log/verify/export';
import { verdictOf } from '@countersign/audit-log/verify/report';
import { again, type Cost, costOf, keyPair, medianCost, sampleDraft, withAuditLog } from './audit-sample.ts';

export type VerificationResult = {
  readonly records: number;
  /** Of a record in a whole export, checked in every way. */
  readonly record: Cost;
  /** Of a bare Ed25519 verification. */
  readonly signature: Cost;
};

const records = 10_000;

/** One export checked again and again by one thread, bare signatures in between. */
export async function measureVerification(options: {
  readonly rounds: number;
  readonly dir: string | null;
}): Promise<VerificationResult> {
  const lines = await exported(options.dir);
  const digest = Buffer.alloc(32, 7);
  const signature = sign(null, digest, keyPair.privateKey);
  const bare = () => costOf(() => again(500, () => verify(null, digest, keyPair.publicKey, signature)));
  const whole = () => costOf(() => checked(lines));
  await whole();
  const [wholes, bares]: [Cost[], Cost[]] = [[], [await bare()]];
  for (let round = 0; round < options.rounds; round += 1) {
    wholes.push(await whole());
    bares.push(await bare());
  }
  return { records, record: medianCost(wholes), signature: medianCost(bares) };
}

async function checked(lines: readonly string[]): Promise<number> {
  const each = async function* () {
    yield* lines;
  };
  const report = await verifyExport(each, [keyPair.publicKey]);
  if (verdictOf(report) !== 'simulated') throw new Error('the export is not good');
  return lines.length;
}

/** All records of one tenant. */
function exported(dir: string | null): Promise<string[]> {
  return withAuditLog(dir, async (log) => {
    const draft = { ...sampleDraft(0), tenantId: 'tnt_0' };
    await Promise.all(Array.from({ length: records }, () => log.append(draft)));
    const lines: string[] = [];
    for await (const line of log.exportLines('tnt_0', null)) lines.push(line);
    return lines;
  });
}
