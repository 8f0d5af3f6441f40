import { formatAmount } from '@countersign/protocol/decimal';
import { Money } from '../ui/money.tsx';
import { balanceProblemText, useBalance } from '../wallet/balance.ts';

type Props = { readonly of: `0x${string}` };

/** Shows a wallet's balance, or why it is unknown. */
export function Balance({ of }: Props) {
  const balance = useBalance(of).data;
  if (balance === undefined) return <span className="text-muted">…</span>;
  if (balance.ok) return <Money amount={formatAmount(balance.value)} />;
  return <span className="text-pretty text-muted">Not shown. {balanceProblemText(balance.error)}</span>;
}

/** The same in a table, where there is no room for the reason. */
export function BriefBalance({ of }: Props) {
  const balance = useBalance(of).data;
  return balance?.ok === true ? (
    <Money amount={formatAmount(balance.value)} />
  ) : (
    <span className="text-muted">–</span>
  );
}

/** Why the table above shows no balances; nothing while it does. */
export function WhyNoBalances({ of }: Props) {
  const balance = useBalance(of).data;
  if (balance === undefined || balance.ok) return null;
  return (
    <p className="border-t border-line px-5 py-3 text-sm text-pretty text-muted max-md:hidden">
      Balances are not shown. {balanceProblemText(balance.error)}
    </p>
  );
}
