import { createPrivateKey } from 'node:crypto';
import { writeSync } from 'node:fs';
import { localSigner } from '../src/keys.ts';
import { openAuditLog } from '../src/store/open.ts';
import { draft, simulated } from './sample-records.ts';
import type { Said } from './writer-process.ts';

/** Known to the tests too, so that any process can take the log over. */
export const testKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${'11'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});

const [dir, callers] = process.argv.slice(2);
if (dir !== undefined && process.argv[1]?.endsWith('writer-program.mjs') === true)
  await appendForEver(dir, Number(callers));

async function appendForEver(dir: string, callers: number): Promise<void> {
  const options = { dir, origin: 'log.example/audit', tee: simulated, signer: localSigner(testKey) };
  const log = await openAuditLog({ ...options, now: Date.now });
  if (!log.ok) {
    say({ refused: log.error.code });
    process.exit(1);
  }
  say({ open: log.value.head.size });
  const caller = async (name: number): Promise<never> => {
    for (let n = 0; ; n += 1) {
      const tenantId = `tnt_${name % 3}`;
      const appended = await log.value.append(draft({ tenantId, detail: { name, n, pad: 'x'.repeat(900) } }));
      if (appended.ok) say({ appended: appended.value.auditId, seq: appended.value.seq });
      else say({ refused: appended.error.reason });
      if (!appended.ok) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, name) => caller(name)));
}

/** Whole and at once: what is said is in the pipe before anything else happens. */
function say(what: Said): void {
  writeSync(1, `${JSON.stringify(what)}\n`);
}
