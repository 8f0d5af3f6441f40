/** EIP-1193. */
export type Provider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on?(event: 'accountsChanged', listener: (accounts: unknown) => void): void;
  removeListener?(event: 'accountsChanged', listener: (accounts: unknown) => void): void;
};

/** A wallet in this browser. `id` is its reverse domain name (EIP-6963), the same on every visit. */
export type Wallet = {
  readonly id: string;
  readonly name: string;
  /** A `data:` URL, or null where the wallet gave none that we would show. */
  readonly icon: string | null;
  readonly provider: Provider;
};

type Announcement = {
  readonly info?: { readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown };
  readonly provider?: Provider;
};

declare global {
  interface Window {
    ethereum?: Provider;
  }
}

let found: readonly Wallet[] = [];
const listeners = new Set<() => void>();

/** Begins to listen for wallets and asks them to announce themselves (EIP-6963). Called once, at the start. */
export function discoverWallets(): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {};
    if (provider === undefined || typeof info?.rdns !== 'string' || typeof info.name !== 'string') return;
    add({ id: info.rdns, name: info.name.slice(0, 60), icon: safeIcon(info.icon), provider });
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  // Browsers inside of wallets announce nothing; they only put themselves on the window.
  if (found.length === 0 && window.ethereum !== undefined) {
    add({ id: 'injected', name: 'Browser wallet', icon: null, provider: window.ethereum });
  }
}

function add(wallet: Wallet): void {
  found = [...found.filter(({ id }) => id !== wallet.id && id !== 'injected'), wallet];
  for (const listener of listeners) listener();
}

/** Nothing is loaded for an icon: it stands in the announcement itself. */
const safeIcon = (icon: unknown): string | null =>
  typeof icon === 'string' && /^data:image\/(png|webp|gif|jpeg|svg\+xml)[;,]/.test(icon) ? icon : null;

/** For `useSyncExternalStore`. */
export function subscribeToWallets(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const knownWallets = (): readonly Wallet[] => found;
