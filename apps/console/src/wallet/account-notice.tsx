import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { shortAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useWalletAccount } from './account.ts';

/** Told while the wallet stands at another account than the one signed in: it could not sign for this one. */
export function AccountNotice() {
  const { account } = useSession();
  const signOut = useSignOut();
  const chosen = useWalletAccount();
  if (chosen === null || chosen.toLowerCase() === account.walletAddress.toLowerCase()) return null;
  return (
    <div className="mb-6">
      <Notice tone="warn">
        <p className="font-medium">Your wallet has changed to {shortAddress(chosen)}.</p>
        <p>
          You are signed in as {shortAddress(account.walletAddress)}, and only that account can sign here.
          Choose it again in your wallet, or sign in with the other one.
        </p>
        <Button className="mt-2.5" onClick={() => void signOut()}>
          Sign in with {shortAddress(chosen)}
        </Button>
      </Notice>
    </div>
  );
}
