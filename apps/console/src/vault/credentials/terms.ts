import { fail, ok, type Result } from '@countersign/protocol/result';
import type { VaultInput } from '../http.ts';
import type { Faults } from './fields.ts';

export type TermsDraft = {
  readonly service: string;
  readonly label: string;
  /** The last day, as `2026-11-21`; empty: for ever. */
  readonly lastDay: string;
  /** One URL per line. */
  readonly urls: string;
  readonly fillMode: FillMode;
};

export type FillMode = NonNullable<Body['fill_mode']>;

/** The label of each fill mode. */
export const fillModes: Readonly<Record<FillMode, string>> = {
  network: 'Only the site receives the secret; the page gets a decoy',
  auto: 'The page receives the secret where a decoy cannot work',
  dom: 'The page receives the secret, for logins that compute with it',
};

export const emptyTerms: TermsDraft = { service: '', label: '', lastDay: '', urls: '', fillMode: 'network' };

type Body = VaultInput<'POST /api/v1/credentials'>['body'];
type Terms = Pick<Body, 'service_id' | 'label' | 'expires_at' | 'allowed_urls' | 'fill_mode'>;

/** An origin, with a wildcard at most as its leftmost label, and perhaps the beginning of a path. */
const scope = /^https?:\/\/(\*\.)?[^\s/*?#@]+(\/[^\s*?#]*\*?)?$/;

export const isAddress = (text: string): boolean => scope.test(text);
export const notAnAddress = (text: string): string =>
  `Not an address such as https://shop.example/account/*: ${text}`;

/**
 * Returns what is stored besides the secret, or an error message for each field. The last day ends at
 * midnight, in the reader's time zone.
 */
export function readTerms(draft: TermsDraft, now: Date): Result<Terms, Faults> {
  const { service, label, lastDay, urls, fillMode } = draft;
  const end = lastDay === '' ? null : midnightAfter(lastDay);
  const lines = urls.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const odd = lines.find((line) => !isAddress(line));
  const faults = {
    ...(service.trim() === '' && { service: 'Enter the service it is for.' }),
    ...(end !== null && end <= now && { lastDay: 'This date is in the past.' }),
    ...(odd !== undefined && { urls: notAnAddress(odd) }),
  };
  if (Object.keys(faults).length > 0) return fail(faults);
  return ok({
    service_id: service.trim(),
    ...(label.trim() !== '' && { label: label.trim() }),
    ...(end !== null && { expires_at: end.toISOString() }),
    ...(lines.length > 0 && { allowed_urls: lines }),
    ...(fillMode !== emptyTerms.fillMode && { fill_mode: fillMode }),
  });
}

function midnightAfter(text: string): Date {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, day + 1);
}
