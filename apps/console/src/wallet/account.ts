import { useEffect, useState, useSyncExternalStore } from 'react';
import { walletOfSession } from './sign.ts';
import { subscribeToWallets } from './wallets.ts';

/**
 * The account that the session's wallet stands at (EIP-1193, `accountsChanged`); null as long as it tells none, as a
 * locked wallet does. Looks without asking the wallet's user.
 */
export function useWalletAccount(): string | null {
  const provider = useSyncExternalStore(subscribeToWallets, walletOfSession)?.provider;
  const [account, setAccount] = useState<string | null>(null);
  useEffect(() => {
    if (provider === undefined) return;
    const take = (accounts: unknown) => {
      const [first] = Array.isArray(accounts) ? accounts : [];
      setAccount(typeof first === 'string' ? first : null);
    };
    provider.request({ method: 'eth_accounts' }).then(take, () => {});
    provider.on?.('accountsChanged', take);
    return () => provider.removeListener?.('accountsChanged', take);
  }, [provider]);
  return account;
}
