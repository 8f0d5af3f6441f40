import type { ImportFault } from '@countersign/protocol/dashboard/payees';
import { ok } from '@countersign/protocol/result';
import type { DashboardHandlers } from '../callers.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { newId } from '../ids.ts';
import { refusal } from '../refusal.ts';
import { create } from './decide.ts';
import { maxFaults, readImport } from './import.ts';
import { type PayeeParts, showAll, whyNotAdmitted, whyNotInTime } from './answers.ts';
import { claimedByOther, findPayee } from './store.ts';

/** Payees from a file. */
export const importHandlers = ({
  pool,
  fourEyes,
  now,
  random,
  log,
}: PayeeParts): Pick<DashboardHandlers, 'importPayees'> => ({
  async importPayees({ body: { csv }, caller: { account } }) {
    if (!isOperator(fourEyes.operators, account)) return operatorsOnly();
    const read = readImport(csv);
    if (!read.ok) return withFaults(read.error);
    const faults: ImportFault[] = [];
    for (const { row, facts } of read.value) {
      const late = whyNotInTime(facts, now());
      if (late !== null) faults.push({ row, field: 'valid_until', problem: late });
      const claimed = await claimedByOther(pool, facts, null);
      if (claimed !== null) faults.push({ row, field: 'addresses', problem: claimedBy(claimed) });
    }
    if (faults.length > 0) return withFaults(faults.slice(0, maxFaults));
    const all = read.value.map(({ facts }) => ({ id: newId(random, 'pay'), facts }));
    const { decided, at } = await create(pool, all, { by: account, fourEyes, now: now() });
    // Somebody was quicker, or it is the operator's own wallet.
    const refused = whyNotAdmitted(decided);
    if (refused !== null) {
      const problem = decided.kind === 'claimed' ? claimedBy(decided) : refused.error.msg;
      return withFaults([{ row: read.value[at]?.row ?? 1, field: 'addresses', problem }]);
    }
    log.info({ payees: all.length, operator: account.walletAddress }, 'payees were imported');
    const rows = await Promise.all(all.map(({ id }) => findPayee(pool, id, now())));
    return ok({
      payees: await showAll(
        pool,
        fourEyes,
        rows.filter((row) => row !== null),
      ),
    });
  },
});

const claimedBy = ({ address, payeeId }: { address: string; payeeId: string }): string =>
  `ADDRESS_CLAIMED: record ${payeeId} claims ${address}`;

const withFaults = (faults: readonly ImportFault[]) =>
  refusal(
    'INVALID_PARAM',
    `csv: ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}, nothing was imported`,
    {
      faults,
    },
  );
