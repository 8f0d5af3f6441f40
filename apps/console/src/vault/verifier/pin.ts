import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { rememberedPin, rememberPin } from '../../session/memory.ts';
import { vaultUrl } from '../location.ts';
import { enclaveReport } from '../report.ts';

/** The log's size and root (base64), as last seen. */
export type SeenHead = { readonly size: number; readonly root: string };

/** Whose records somebody saw who signed in to the vault under this name. */
type Account = { readonly user: string; readonly tenantId: string };

/**
 * The key of the vault's log that this browser believes in, since when, the newest tree that it has seen signed, and the
 * account of each who signed in here: the log's key signs the records of all accounts.
 */
export type Pin = {
  readonly key: string;
  readonly since: string;
  readonly seen: SeenHead | null;
  readonly accounts: readonly Account[];
};

const listeners = new Set<() => void>();
const place = (): string => vaultUrl() ?? '';

/** Read anew each time: another window may have seen more of the log. Null before the first key. */
function readPin(): Pin | null {
  try {
    const pin = JSON.parse(rememberedPin(place()) ?? 'null') as Partial<Pin> | null;
    if (typeof pin?.key !== 'string' || typeof pin.since !== 'string') return null;
    const { key, since, seen } = pin;
    const isHead = typeof seen?.size === 'number' && typeof seen.root === 'string';
    const accounts = Array.isArray(pin.accounts) ? pin.accounts.filter(isAccount) : [];
    return { key, since, seen: isHead ? { size: seen.size, root: seen.root } : null, accounts };
  } catch {
    return null;
  }
}

const isAccount = (value: Partial<Account> | null): value is Account =>
  typeof value?.user === 'string' && typeof value.tenantId === 'string';

function write(pin: Pin): void {
  rememberPin(place(), JSON.stringify(pin));
  for (const listener of listeners) listener();
}

/** From now on this key, and no other, unless somebody decides so. */
export const pinKey = (key: string, now: Date): void =>
  write({ key, since: now.toISOString(), seen: null, accounts: [] });

/** The account that is known for a user; null before the first record of it was found good. */
export const accountOf = ({ accounts }: Pin, user: string): string | null =>
  accounts.find((account) => account.user === user)?.tenantId ?? null;

/**
 * The result of verifying under a pin. `key` is the key to trust from now on: the pinned one, or one that its
 * endorsements lead to.
 */
export type Found = { readonly key: string; readonly head: SeenHead; readonly account: Account };

/**
 * The log may only grow from here. Several answers were awaited since the pin was read: where another key was pinned
 * meanwhile nothing of this counts, and a larger tree that another window saw stays.
 */
export function pinFound(before: Pin, { key, head: { size, root }, account }: Found): void {
  const pin = readPin();
  if (pin?.key !== before.key) return;
  const seen = pin.seen !== null && pin.seen.size >= size ? pin.seen : { size, root };
  const isKnown = accountOf(pin, account.user) !== null;
  write({ ...pin, key, seen, accounts: isKnown ? pin.accounts : [...pin.accounts, account] });
}

/** The key that is believed in, taken from the first report that holds. */
export function pinnedOr(
  report: { readonly key: string; readonly isBound: boolean } | null,
  now: Date,
): Pin | null {
  const pin = readPin();
  if (pin !== null || report === null || !report.isBound) return pin;
  pinKey(report.key, now);
  return readPin();
}

/** The pin, and the key that the vault tells now; null what is not known yet. */
export function usePin(): { readonly pin: Pin | null; readonly told: string | null } {
  const report = useQuery(enclaveReport).data;
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => rememberedPin(place()),
  );
  const told = report?.report.auditPublicKey ?? null;
  return { pin: text === null ? null : readPin(), told };
}
