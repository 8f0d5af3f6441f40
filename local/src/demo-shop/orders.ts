import { drawFrom, pick } from '../sample-services/made-up.ts';

export type Order = {
  readonly number: string;
  /** ISO day. */
  readonly date: string;
  readonly goods: string;
  /** Euro cents. */
  readonly cents: number;
  readonly status: 'Paid' | 'Open' | 'On its way';
};

const coffees = ['Espresso Nera', 'Filter Sidama', 'House Blend', 'Decaf Huila', 'Lot 14 Gesha'] as const;

/** What one customer has ordered, newest first: made up, and the same for the same name. */
export function ordersOf(username: string): readonly Order[] {
  const draw = drawFrom(`orders of ${username}`);
  return Array.from({ length: 8 }, (_, index): Order => {
    const kilos = 4 + 2 * draw(9);
    return {
      number: `LR-${2048 - 3 * index}`,
      date: new Date(Date.UTC(2026, 0, 14 - 12 * index)).toISOString().slice(0, 10),
      goods: `${kilos} kg ${pick(draw, coffees)}`,
      cents: kilos * (1650 + 25 * draw(40)),
      status: index === 0 ? 'On its way' : index === 1 ? 'Open' : 'Paid',
    };
  });
}

/** `1,234.50` */
export const euros = (cents: number): string =>
  (cents / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 });
