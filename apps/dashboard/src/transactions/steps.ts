import type { Address } from '@countersign/protocol/address';
import type { PaymentStep } from '@countersign/protocol/dashboard/transaction';
import { type Queryable, rows, statement } from '@countersign/service/sql';

/** A record that was made just now, and the name of the payment that it is a part of. */
export type Step = {
  readonly id: number;
  readonly payment: string;
  readonly reporter: string;
  readonly payer: Address | null;
};

// Nothing of a payment takes longer: older months are not looked through for every record.
const followed = statement<{ n: number }>(
  'transaction.followed',
  `select r.n from json_to_recordset($1::json) as r(n int, id bigint, payment text, reporter text)
   where exists (select from dashboard.transaction_log t
     where t.payment = r.payment and t.reporter = r.reporter and t.id <> r.id
       and t.created_at > $2::timestamptz - interval '31 days')`,
);

const settle = statement<{ wallet: Address }>(
  'transaction.settle-steps',
  'select wallet from dashboard.settle_steps($1, $2, $3)',
);

/**
 * Makes each payment of these records, committed just now, one row to its parties, from its refusal through the
 * owner's approval to its settlement. A record of money that moved is never left out.
 */
export async function settleSteps(db: Queryable, steps: readonly Step[], now: Date): Promise<void> {
  if (steps.length === 0) return;
  const asked = steps.map(({ id, payment, reporter }, n) => ({ n, id, payment, reporter }));
  for (const { n } of await rows(db, followed, [JSON.stringify(asked), now])) {
    const step = steps[n];
    if (step !== undefined) await rows(db, settle, [step.reporter, step.payment, step.payer]);
  }
}

const lastId = statement<{ id: number }>(
  'transaction.steps-last-id',
  'select last_value as id from dashboard.transaction_id',
);

// Of the newest records those whose payment has another row still, and at least one of the two moved no money.
const unsettled = statement<{ reporter: string; payment: string; payer: Address | null }>(
  'transaction.unsettled-steps',
  `select distinct r.reporter, r.payment, r.payer
   from dashboard.transaction_log r join dashboard.transaction_log o using (payment)
   where r.id > $1 and r.created_at > $2::timestamptz - interval '31 days'
     and o.reporter = r.reporter and o.payer is not distinct from r.payer and o.id <> r.id
     and (r.payer_standing, r.payee_standing) <> ('double', 'double')
     and (o.payer_standing, o.payee_standing) <> ('double', 'double')
     and ((r.service_result <> 'pass' and r.tx_hash is null) or (o.service_result <> 'pass' and o.tx_hash is null))`,
);

/** So many of the newest are looked at first, and so many of those looked at before once more: ids commit out of order. */
const [firstLook, nextLook] = [50_000, 2000];

/**
 * Makes good what a process that died between recording and settling, or an error of settling, left behind: payments that
 * are more than one row. Each turn looks at what came since the one before.
 */
export function stepsSettler(db: Queryable): (now: Date) => Promise<void> {
  let seen: number | undefined;
  return async (now) => {
    const last = (await rows(db, lastId, []))[0]?.id ?? 0;
    if (last === seen) return;
    const from = seen === undefined ? last - firstLook : seen - nextLook;
    for (const { reporter, payment, payer } of await rows(db, unsettled, [from, now]))
      await rows(db, settle, [reporter, payment, payer]);
    seen = last;
  };
}

type StepRow = Omit<PaymentStep, 'at'> & { readonly at: Date };

const find = statement<StepRow>(
  'transaction.steps',
  `with shown as (
     select reporter, payer, payment, reported_by from dashboard.transaction_log where id = $1 and payment is not null
   )
   select * from (
     select 'record' as kind, t.service_result as result, t.reason, t.created_at as at
     from shown join dashboard.transaction_log t using (reporter, payment)
     where t.payer is not distinct from shown.payer
     union all
     select case p.state when 'rejected' then 'rejected' else 'approved' end, null, p.reject_reason, p.decided_at
     from shown join dashboard.approval p on p.id = shown.payment and p.payer = shown.payer
     -- Whoever else names an approval learns nothing of it.
     where p.decided_at is not null and shown.reported_by in ('payer', 'operator')
   ) step order by at`,
);

/** What happened to the payment of a record, oldest first: each record of it, and what the owner said. */
export const stepsOf = async (db: Queryable, transactionId: number): Promise<PaymentStep[]> =>
  (await rows(db, find, [transactionId])).map((step) => ({ ...step, at: step.at.toISOString() }));
