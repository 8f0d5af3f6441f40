/**
 * What this browser remembers between visits: no secret, only that somebody is signed in (the cookie itself is out of
 * reach for scripts) and with which wallet. Without storage it remembers for the life of the page.
 */
const fallback = new Map<string, string>();

function read(name: string): string | null {
  try {
    return localStorage.getItem(`countersign.${name}`);
  } catch {
    return fallback.get(name) ?? null;
  }
}

function write(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`countersign.${name}`);
    else localStorage.setItem(`countersign.${name}`, value);
  } catch {
    if (value === null) fallback.delete(name);
    else fallback.set(name, value);
  }
}

/** Returns whether it is worth asking the server who we are. */
export const seemsSignedIn = (now: Date): boolean => Date.parse(read('session') ?? '') > now.getTime();

/** `walletId` null: signed in without a wallet. */
export function rememberSession(expiresAt: string, walletId: string | null): void {
  write('session', expiresAt);
  write('wallet', walletId);
}

export const forgetSession = (): void => write('session', null);

export const rememberedWallet = (): string | null => read('wallet');

/** Returns what this browser has pinned of a vault's log since it first saw it, as text. */
export const rememberedPin = (vault: string): string | null => read(`vault-key.${vault}`);

export const rememberPin = (vault: string, pin: string): void => write(`vault-key.${vault}`, pin);

export const hidesFirstSteps = (accountId: string): boolean => read(`first-steps.${accountId}`) === 'hidden';

export const rememberFirstStepsHidden = (accountId: string): void =>
  write(`first-steps.${accountId}`, 'hidden');

/** Returns the address of the gateway to which clients were last connected; never its token. */
export const rememberedGateway = (): string | null => read('gateway');

export const rememberGateway = (url: string): void => write('gateway', url);

/** Remembers where to go after the provider's redirect. Reading it deletes it. */
export const rememberWayOn = (next: string | null): void => write('way-on', next);

export function forgetWayOn(): string | null {
  const next = read('way-on');
  write('way-on', null);
  return next;
}

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const rememberedTheme = (): Theme => themes.find((theme) => theme === read('theme')) ?? 'system';

export const rememberTheme = (theme: Theme): void => write('theme', theme);

/** Returns whether the owner wants to be told by the browser; the browser's own permission comes on top. */
export const wantsNotifications = (): boolean => read('notifications') === 'on';

export const rememberNotifications = (wanted: boolean): void => write('notifications', wanted ? 'on' : null);
