import { moneyText } from './money.tsx';
import { share } from './share.ts';

type Budget = {
  readonly totalBudget: string;
  readonly usedAmount: string;
  readonly heldAmount: string;
  readonly remainingBudget: string;
};

/** Shows how much of a budget is used, held for payments in progress, and left. */
export function BudgetBar({ totalBudget, usedAmount, heldAmount, remainingBudget }: Budget) {
  const used = share(usedAmount, totalBudget);
  const held = Math.min(share(heldAmount, totalBudget), 1000 - used);
  const text =
    `${moneyText(usedAmount)} of ${moneyText(totalBudget)} USDC used, ` +
    `${moneyText(heldAmount)} held, ${moneyText(remainingBudget)} left`;
  return (
    <div
      role="img"
      aria-label={text}
      className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken outline-1 -outline-offset-1 outline-line"
    >
      {used > 0 && <span className="min-w-1 bg-accent" style={{ width: `${used / 10}%` }} />}
      {held > 0 && <span className="held min-w-1" style={{ width: `${held / 10}%` }} />}
    </div>
  );
}
