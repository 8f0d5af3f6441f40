import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { QueryOf } from '@countersign/protocol/route';
import type { Pool } from '@countersign/service/sql';
import type { ReadCaller } from '../callers.ts';
import { putOnRecord } from '../compliance/history.ts';
import { isOperatorsEye, type Operators, operatorsOnly } from '../compliance/operators.ts';
import type { Refusal } from '../refusal.ts';
import type { Selection } from './selection.ts';

export type Asked = QueryOf<typeof dashboardRoutes.listTransactions>;

/** Which records are asked for. Those of everybody are for operators. */
export function selectionOf(
  query: Asked,
  { account, person }: ReadCaller,
  operators: Operators,
): Result<Selection, Refusal> {
  const { scope, standing, walletAddress, page: _, limit: __, cursor: ___, format: ____, ...same } = query;
  const filter = { ...same, startDate: momentOf(same.startDate), endDate: momentOf(same.endDate) };
  if (scope !== 'all')
    return walletAddress === undefined
      ? ok({ wallet: account.walletAddress, scope, standing: standing ?? 'counted', filter })
      : fail({ code: 'INVALID_PARAM', msg: 'walletAddress: can be used only with scope all' });
  // A key reads its own account's log, an operator's too.
  if (person === null || !isOperatorsEye(operators, { account, person })) return operatorsOnly();
  // To whom would it count?
  if (standing !== undefined)
    return fail({ code: 'INVALID_PARAM', msg: 'standing: cannot be used with scope all' });
  return ok({ wallet: walletAddress ?? null, scope: 'myAll', standing: 'any', filter });
}

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);

/** Puts it on record that an operator looks at what is not theirs, before they see it. */
export const recordLook = (
  pool: Pool,
  { account: by, person }: ReadCaller,
  { walletAddress, ...asked }: Partial<Asked> & { readonly transactionId?: number },
  now: Date,
): Promise<void> => {
  const detail = person === null || person.holder ? asked : { ...asked, person: person.id };
  return putOnRecord(pool, now, { deed: 'read', by, effective: true, wallet: walletAddress ?? null, detail });
};
