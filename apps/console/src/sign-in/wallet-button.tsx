import { ArrowRight, Wallet as WalletIcon } from 'lucide-react';
import { Spinner } from '../ui/spinner.tsx';
import type { Wallet } from '../wallet/wallets.ts';

type Props = { readonly wallet: Wallet; readonly busy: boolean; readonly onPress: () => void };

/** The button of one wallet of this browser. */
export function WalletButton({ wallet, busy, onPress }: Props) {
  return (
    <button
      type="button"
      disabled={busy}
      onClick={onPress}
      className="card flex min-h-14 w-full items-center gap-3 px-4 text-left font-medium transition-colors hover:border-line-strong"
    >
      {wallet.icon === null ? (
        <WalletIcon aria-hidden="true" className="size-6 text-muted" />
      ) : (
        <img src={wallet.icon} alt="" className="size-7 rounded-sm" />
      )}
      <span className="min-w-0 flex-1 truncate">
        {busy ? `Confirm in ${wallet.name}` : `Continue with ${wallet.name}`}
      </span>
      {busy ? <Spinner /> : <ArrowRight aria-hidden="true" className="size-4 text-muted" />}
    </button>
  );
}
