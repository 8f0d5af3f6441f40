import { classNames } from './class-names.ts';
import { legible } from './legible.ts';

/**
 * A decimal of the API for people: thousands apart, at least two digits after the point, and never rounded, because
 * what is signed and spent is exact.
 */
export function moneyText(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

const longest = 20;

type Props = {
  /** Decimal text, as the API gives it. */
  readonly amount: string;
  readonly currency?: string;
  readonly className?: string;
};

/** An amount with its currency, in figures of equal width. */
export function Money({ amount, currency = 'USDC', className }: Props) {
  const text = moneyText(amount);
  // No amount that anybody has is so long: rather broken than wider than the page.
  const isLong = text.length + currency.length > longest;
  return (
    <span
      className={classNames('figures', isLong ? '[overflow-wrap:anywhere]' : 'whitespace-nowrap', className)}
    >
      {text} <span className="text-[0.86em] font-normal text-muted">{legible(currency)}</span>
    </span>
  );
}
