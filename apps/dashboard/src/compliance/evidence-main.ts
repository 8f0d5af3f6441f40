import { type Env, exitOnBadConfig } from '@countersign/service/config';
import { createLogger } from '@countersign/service/logger';
import { parseAddress } from '@countersign/protocol/address';
import { readEvidenceConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { openSealer, type Sealer } from './seal.ts';
import { type Evidence, listEvidence } from './screening-store.ts';

const newest = 100;

/** `countersign compliance evidence`: `argv` is what follows these words. What it throws is one sentence to show. */
export async function main(argv: readonly string[], env: Env): Promise<void> {
  const [about] = argv;
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(help);
  } else if (about === undefined || argv.length > 1 || about.startsWith('-')) {
    process.stderr.write(
      'compliance evidence: name one address or account. Try "countersign compliance evidence --help".\n',
    );
    process.exitCode = 2;
  } else {
    const { storage, key } = exitOnBadConfig('compliance evidence', readEvidenceConfig(env));
    const sealer = openSealer(key);
    const database = await openDatabase(storage, createLogger('dashboard', 'warn'));
    try {
      const found = await listEvidence(database.pool, parseAddress(about) ?? about, newest);
      for (const each of found) process.stdout.write(`${JSON.stringify(show(each, sealer))}\n`);
    } finally {
      await database.close();
    }
  }
}

const show = ({ sealed, screenedAt, ...record }: Evidence, sealer: Sealer | null) => ({
  ...record,
  at: screenedAt,
  answer:
    sealed === null ? null : (sealer?.open(sealed, record.id) ?? `sealed under the key ${sealed.keyId}`),
});

const help = `countersign compliance evidence ADDRESS|ACCOUNT

Shows the answers of KYT providers about an address, or of KYC vendors about an account: the newest
${newest} answers, newest first, one JSON object per line, with the exact text that a KYT vendor sent.

Variables:
  DATABASE_URL        the dashboard's PostgreSQL; unset: the private one in DASHBOARD_DATA_DIR
  DASHBOARD_DATA_DIR  default .countersign
  EVIDENCE_KEY        the key under which answers were sealed; unset: the file evidence.key in
                      DASHBOARD_DATA_DIR

Examples:
  countersign compliance evidence 0x7F367cC41522cE07553e823bf3be79A889DEbe1B
  countersign --env .env compliance evidence acc_4f1c9a > answers.jsonl
`;
