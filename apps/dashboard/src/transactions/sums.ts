import type { Address } from '@countersign/protocol/address';
import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { TransactionSum } from '@countersign/protocol/dashboard/transaction';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { QueryOf } from '@countersign/protocol/route';
import { type Queryable, rows, statement } from '@countersign/service/sql';
import type { Refusal } from '../refusal.ts';
import { type Selection, sqlOf } from './selection.ts';
import { transactionTable } from './table.ts';

type Asked = QueryOf<typeof dashboardRoutes.sumTransactions>;

const maxRangeMs = 366 * 24 * 60 * 60_000;
const maxSums = 10_000;

const invalid = (msg: string) => fail<Refusal>({ code: 'INVALID_PARAM', msg });

/**
 * Totals of the passing transactions that count for a wallet and its agents, by what was asked, in that order; exact.
 * An amount in atomic units is that of USDC, the only token whose decimals are known here.
 */
export async function sumTransactions(
  db: Queryable,
  wallet: Address,
  { scope, by, startDate, endDate, chain }: Asked,
): Promise<Result<readonly TransactionSum[], Refusal>> {
  const [start, end] = [new Date(startDate), new Date(endDate)];
  if (end <= start) return invalid('endDate: must be after startDate');
  if (end.getTime() - start.getTime() > maxRangeMs)
    return invalid('endDate: must be at most 366 days after startDate');
  const filter = { chain, serviceResult: 'pass', startDate: start, endDate: end };
  const sums = await rows(db, ...groupedBy(by, { wallet, scope, standing: 'counted', filter }));
  return sums.length > maxSums
    ? invalid(`by: gives more than ${maxSums} totals in this range; choose a shorter one`)
    : ok(sums);
}

const groups = ['month', 'wallet', 'counterparty'] as const;

function groupedBy(by: string, selection: Selection) {
  const { shape, log, branches, values } = sqlOf(selection);
  const asked = groups.filter((name) => by.split(',').includes(name));
  const [own, other] = selection.scope === 'myPayee' ? ['payee', 'payer'] : ['payer', 'payee'];
  const what = {
    month: `to_char(t.created_at at time zone 'UTC', 'YYYY-MM')`,
    wallet: `t.${own}`,
    counterparty: `t.${other}`,
  };
  const columns = groups.map((name) => `${asked.includes(name) ? what[name] : 'null'} as ${name}`);
  const parts = branches.map(
    (branch) => `select ${columns.join(', ')}, t.token_symbol, t.amount_exact from ${log} where ${branch}`,
  );
  const sum = statement<TransactionSum>(
    `transaction.sums:${shape}:${asked.map(([first]) => first).join('')}`,
    `with part as (${parts.join(' union all ')}), summed as (
       select month, wallet, counterparty, token_symbol, count(*) as transactions, coalesce(sum(amount_exact), 0) as amount
       from part group by month, wallet, counterparty, token_symbol
       order by month, wallet, counterparty, token_symbol limit ${maxSums + 1}
     )
     select month, wallet, counterparty, ${transactionTable.list('tokenSymbol')}, transactions, trim_scale(amount)::text as amount,
       case when token_symbol = 'USDC' and scale(trim_scale(amount)) <= 6 then (amount * 1000000)::numeric(78, 0)::text end
         as "atomicAmount"
     from summed t order by month, wallet, counterparty, token_symbol`,
  );
  return [sum, values] as const;
}
