import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { problemText } from '../api/problem.ts';
import { Brand } from '../frame/brand.tsx';
import { farewell, sayFarewell } from '../session/farewell.ts';
import { type SignInProblem, signIn } from '../session/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { chainName } from '../wallet/chains.ts';
import { walletProblemText } from '../wallet/problem.ts';
import { switchChain } from '../wallet/requests.ts';
import { knownWallets, subscribeToWallets, type Wallet } from '../wallet/wallets.ts';
import { AsPerson } from './as-person.tsx';
import { NoWallet } from './no-wallet.tsx';
import { WalletButton } from './wallet-button.tsx';

type Failure = { readonly wallet: Wallet; readonly problem: SignInProblem };

/** Sign in with the wallet that owns the money: no account to make, no password. Or as somebody whom its holder invited. */
export function SignInPage() {
  const wallets = useSyncExternalStore(subscribeToWallets, knownWallets);
  const { busy, failure, enter, arrive, changeNetwork, next } = useEntrance();
  const said = farewell();
  useEffect(() => {
    document.title = 'Sign in · Countersign';
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-12">
      <div className="w-full max-w-[400px]">
        <Brand />
        <h1 className="mt-10 text-xl">Sign in with your wallet</h1>
        <p className="mt-1.5 text-pretty text-muted">
          The wallet that pays is your account. You sign one message; it costs nothing and moves no money.
        </p>
        {said !== null && (
          <div className="mt-5">
            <Notice tone="ok">{said}</Notice>
          </div>
        )}
        <div className="mt-7 grid gap-2.5">
          {wallets.length === 0 && <NoWallet />}
          {wallets.map((wallet) => (
            <WalletButton
              key={wallet.id}
              wallet={wallet}
              busy={busy === wallet.id}
              onPress={() => void enter(wallet)}
            />
          ))}
        </div>
        {failure !== null && (
          <div className="mt-4">
            <SignInFailure {...failure} onSwitch={(chainId) => void changeNetwork(failure.wallet, chainId)} />
          </div>
        )}
        <AsPerson next={next ?? null} onDone={arrive} />
        <p className="mt-10 text-sm text-pretty text-muted">
          Countersign lets an AI agent pay within limits that you sign. The agent never holds your keys.
        </p>
      </div>
    </main>
  );
}

function useEntrance() {
  const router = useRouter();
  const queries = useQueryClient();
  const { next } = useSearch({ from: '/sign-in' });
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const arrive = () => {
    sayFarewell(null);
    queries.clear();
    router.history.replace(next ?? '/');
  };
  const enter = async (wallet: Wallet) => {
    setBusy(wallet.id);
    setFailure(null);
    const answer = await signIn(wallet, new Date());
    setBusy(null);
    if (!answer.ok) return setFailure({ wallet, problem: answer.error });
    arrive();
  };
  const changeNetwork = async (wallet: Wallet, chainId: number) => {
    const switched = await switchChain(wallet.provider, chainId);
    if (switched.ok) return enter(wallet);
    setFailure({ wallet, problem: { from: 'wallet', problem: switched.error } });
  };
  return { busy, failure, enter, arrive, changeNetwork, next };
}

function SignInFailure({ problem, onSwitch }: Failure & { onSwitch: (chainId: number) => void }) {
  if (problem.from === 'server') return <Notice tone="bad">{problemText(problem.problem)}</Notice>;
  const { problem: why } = problem;
  if (why.kind !== 'wrong-chain') return <Notice tone="bad">{walletProblemText(why)}</Notice>;
  return (
    <Notice tone="warn">
      <p>{walletProblemText(why)}</p>
      <Button className="mt-2.5" onClick={() => onSwitch(why.wanted)}>
        Switch to {chainName(why.wanted)}
      </Button>
    </Notice>
  );
}
