import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { shortAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWalletAccount } from './account.ts';

/** Told while the wallet stands at another account than the one signed in: it could not sign for this one. */
export function AccountNotice() {
  const { account, person } = useSession();
  const signOut = useSignOut();
  const chosen = useWalletAccount();
  // Whoever came in without it does not sign with it.
  if (!person.holder || chosen === null) return null;
  if (chosen.toLowerCase() === account.walletAddress.toLowerCase()) return null;
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <p className="font-medium">Your wallet has changed to {shortAddress(chosen)}.</p>
        <p>
          You are signed in as {shortAddress(account.walletAddress)}, and only that account can sign here.
          Switch back to it in your wallet, or sign in with the other account.
        </p>
        <Button className="mt-2.5" onClick={() => void signOut()}>
          Sign in with {shortAddress(chosen)}
        </Button>
      </Notice>
    </div>
  );
}
