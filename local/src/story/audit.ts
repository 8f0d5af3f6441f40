import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { countersign } from '../countersign.ts';
import type { VaultCard } from './behind-login.ts';
import type { Print } from './story.ts';
import { vaultAt } from './vault-client.ts';

/** An auditor exports the log and checks it without asking anybody. True when it holds. */
export async function checkAudit({ vaultUrl, vaultUser }: VaultCard, print: Print): Promise<boolean> {
  print('An auditor exports the log of all that, and checks it offline.');
  const { access_token } = await vaultAt(vaultUrl)(vaultRoutes.login, { body: vaultUser });
  const { token } = await vaultAt(vaultUrl, access_token)(vaultRoutes.createToken, {
    body: { name: 'auditor', scopes: ['audit:read'], expires_in: 3600 },
  });
  const log = await vaultAt(vaultUrl, token)(vaultRoutes.exportAudit, {});
  const code = await verify(log);
  // The last line is no record.
  const records = log.trimEnd().split('\n').length - 1;
  print(
    `  ${records} records; countersign audit verify → exit code ${code}, ${meanings[code] ?? 'not checked'}`,
  );
  return code === 0 || code === 3;
}

const meanings: Readonly<Record<number, string>> = {
  0: 'good',
  1: 'BAD: not what the log wrote',
  2: 'incomplete',
  3: 'good, but SIMULATED: no hardware vouches for it',
};

/** Its exit code. */
async function verify(log: string): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
  const file = join(dir, 'audit.jsonl');
  writeFileSync(file, log, { mode: 0o600 });
  const { command, args } = countersign('audit', 'verify', file);
  try {
    return await new Promise((resolve) => {
      execFile(command, args, (error) => resolve(typeof error?.code === 'number' ? error.code : 0));
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
