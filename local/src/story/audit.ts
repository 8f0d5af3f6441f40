import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@countersign/sdk/unwrap';
import { connectVault } from '@countersign/sdk/vault';
import { countersign } from '../countersign.ts';
import type { VaultCard } from './behind-login.ts';
import type { Print } from './print.ts';

/** An auditor exports the log and checks it without asking anybody. True when it holds. */
export async function checkAudit({ vaultUrl, vaultUser }: VaultCard, print: Print): Promise<boolean> {
  print('An auditor exports the log of all this and checks it offline.');
  const admin = connectVault({ url: vaultUrl, as: vaultUser });
  const body = { name: 'auditor', scopes: ['audit:read' as const], expires_in: 3600 };
  const { token } = await unwrap(admin.createToken({ body }));
  const auditor = connectVault({ url: vaultUrl, as: { token } });
  const log = await unwrap(auditor.exportAudit({}));
  await Promise.all([admin.close(), auditor.close()]);
  const verified = await verify(log);
  // The last line is no record.
  const records = log.trimEnd().split('\n').length - 1;
  print(`  ${records} records; ${verified.says}`);
  return verified.holds;
}

const meanings: Readonly<Record<number, string>> = {
  0: 'good',
  1: 'BAD: not what the log wrote',
  2: 'incomplete',
  3: 'good, but SIMULATED: no hardware backs it',
};

/** Returns a verifier's result for a file. It runs in a separate process, without network. */
export async function verify(text: string): Promise<{ holds: boolean; says: string }> {
  const code = await exitCode(text);
  const says = `countersign audit verify → exit code ${code}, ${meanings[code] ?? 'not checked'}`;
  return { holds: code === 0 || code === 3, says };
}

async function exitCode(text: string): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
  const file = join(dir, 'audit.json');
  writeFileSync(file, text, { mode: 0o600 });
  const { command, args } = countersign('audit', 'verify', file);
  try {
    return await new Promise((resolve) => {
      execFile(command, args, (error) => resolve(typeof error?.code === 'number' ? error.code : 0));
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
