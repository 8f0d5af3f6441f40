import type { DiscoveredList } from './discovered-list.ts';
import { verdict } from './free-call-report.ts';
import { number, table } from './table.ts';

const atMostMillis = 30;

/** The table of listing with discovered services, and what it says about our target. */
export const reportDiscoveredList = (measured: readonly DiscoveredList[]): string =>
  [
    '## List with discovered services',
    '',
    '`list_gateway_services` by one caller, with a query that stands in every service that a catalogue lists.',
    '',
    table(
      ['gateway', 'services', 'p50 ms', 'p99 ms', 'failed'],
      measured.map(({ name, services, p50, p99, failed }) => [
        name,
        String(services),
        number(p50),
        number(p99),
        String(failed),
      ]),
    ),
    '',
    ...measured.map(({ name, p50 }) =>
      verdict(p50 <= atMostMillis, `${name}: ${number(p50)} ms p50 (at most ${atMostMillis})`),
    ),
  ].join('\n');
