import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { BudgetBar } from '../ui/budget-bar.tsx';
import { Money } from '../ui/money.tsx';

/** Shows the remaining budget, and what the rest was used for. */
export function Budget({ mandate }: { mandate: Mandate }) {
  const { remainingBudget, totalBudget, usedAmount, heldAmount } = mandate;
  return (
    <div className="px-5 py-5">
      <p className="text-2xl font-medium tracking-tight">
        <Money amount={remainingBudget} />
      </p>
      <p className="mb-4 text-sm text-muted">
        left of <Money amount={totalBudget} />
      </p>
      <BudgetBar {...mandate} />
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-sm">
        <Part name="Used" look="bg-accent" amount={usedAmount} />
        <Part name="Held for payments in progress" look="held" amount={heldAmount} />
      </dl>
    </div>
  );
}

function Part({ name, look, amount }: { name: string; look: string; amount: string }) {
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden="true" className={`size-2.5 rounded-[3px] ${look}`} />
      <dt className="text-muted">{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  );
}
