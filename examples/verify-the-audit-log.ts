// An auditor takes the whole log home and checks it without asking anybody.
import { checkAudit } from '@countersign/sdk/audit';
import { unwrap } from '@countersign/sdk/unwrap';
import { connectVault } from '@countersign/sdk/vault';
import { card, check } from './card.ts';

const admin = connectVault({ url: card.vaultUrl, as: card.vaultUser });
const { token } = await unwrap(
  admin.createToken({ body: { name: 'auditor', scopes: ['audit:read'], expires_in: 600 } }),
);
const auditor = connectVault({ url: card.vaultUrl, as: { token } });
const log = await unwrap(auditor.exportAudit({}));
// From a report that you checked, or that somebody gave you long ago: not from the log itself.
const { report } = await unwrap(auditor.attest());

const { verdict, steps } = await checkAudit(log, [report.auditPublicKey]);
for (const { outcome, what } of steps) console.log(`   ${outcome.padEnd(8)} ${what}`);
check(`the log is ${verdict}`, verdict === 'good' || verdict === 'simulated');

// Nobody can change a word, or drop a record, without being found out.
const changed = log.replace(/"eventType":"\w/, (text) => `${text.slice(0, -1)}x`);
const shorter = log.slice(log.indexOf('\n') + 1);
for (const [what, text] of [
  ['a changed record', changed],
  ['a missing record', shorter],
] as const) {
  const found = await checkAudit(text, [report.auditPublicKey]);
  check(`${what} is found`, text !== log && found.verdict === 'bad');
}
await Promise.all([admin.close(), auditor.close()]);
