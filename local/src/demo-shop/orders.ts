import { z } from 'zod';
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

/** Returns one customer's orders, newest first: made up, and always the same for the same name. */
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

const wanted = z.object({ goods: z.string().min(1).max(100), cents: z.int().min(1) });

/** Parses a new order of a customer with this many; null if it is not an order. */
export function newOrder(json: string, orders: number): Order | null {
  try {
    const { goods, cents } = wanted.parse(JSON.parse(json));
    return { number: `LR-${2051 + 3 * (orders - 8)}`, date: '2026-01-15', goods, cents, status: 'Open' };
  } catch {
    return null;
  }
}

/** `1,234.50` */
export const euros = (cents: number): string =>
  (cents / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 });
