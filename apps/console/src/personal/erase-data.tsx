import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import type { PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { sayFarewell } from '../session/farewell.ts';
import { forgetSession } from '../session/memory.ts';
import { useSession } from '../session/session.ts';
import { type SignInProblem, signMessage } from '../session/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { requireAccount } from '../wallet/requests.ts';
import { walletOfSession } from '../wallet/sign.ts';
import { WalletFailure } from '../wallet/wallet-failure.tsx';

type Props = { readonly kept: readonly PersonalDataSummary[]; readonly onClose: () => void };

/** Says what goes, what stays and why, and takes the wallet's signature: a session alone could be anybody's. */
export function EraseData({ kept, onClose }: Props) {
  const { busy, failure, erase } = useErasure();
  const of = (onErasure: PersonalDataSummary['onErasure']) =>
    kept.filter((each) => each.onErasure === onErasure && each.count !== 0);
  return (
    <Sheet
      title="Erase your data?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={busy} onClick={() => void erase()}>
            {busy ? 'Answer in your wallet' : 'Sign and erase for good'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5 text-sm">
        <Notice tone="warn">
          You are no longer verified, and your agent’s payments stop at once. A payment that is on its way may
          still arrive. There is no way back.
        </Notice>
        <Kinds title="This goes" kinds={of('deleted')} />
        <Kinds title="This ends, and stays as a record" kinds={of('ended')} />
        <Kinds title="This stays" kinds={of('kept')} />
        <p className="text-pretty text-muted">
          What stays says who paid whom, what you allowed, and that it was decided about you, without who you
          are. Laws on accounting and against money laundering ask for it; “What is kept, and why” names them.
          Backups keep what they hold until they are deleted themselves.
        </p>
        {failure?.from === 'wallet' && <WalletFailure problem={failure.problem} again={() => void erase()} />}
        {failure?.from === 'server' && <Notice tone="bad">{problemText(failure.problem)}</Notice>}
      </div>
    </Sheet>
  );
}

function Kinds({ title, kinds }: { title: string; kinds: readonly PersonalDataSummary[] }) {
  if (kinds.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-pretty text-muted">
        {kinds.map(({ kind, what, count }) => (
          <li key={kind}>
            {what}
            {count !== null && ` (${count})`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useErasure() {
  const { account } = useSession();
  const queries = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SignInProblem | null>(null);
  const erase = async () => {
    setBusy(true);
    setFailure(null);
    const refused = await eraseAs(account.walletAddress, new Date());
    setBusy(false);
    if (refused !== null) return setFailure(refused);
    sayFarewell('Your data are erased, and you are signed out everywhere.');
    forgetSession();
    await router.navigate({ to: '/sign-in', search: {} });
    queries.clear();
  };
  return { busy, failure, erase };
}

/** Null when it was done. */
async function eraseAs(address: string, now: Date): Promise<SignInProblem | null> {
  const wallet = walletOfSession();
  if (wallet === null) return { from: 'wallet', problem: { kind: 'no-wallet' } };
  const { provider } = wallet;
  const account = await requireAccount(provider, address);
  if (!account.ok) return { from: 'wallet', problem: account.error };
  const proof = await signMessage({ provider, account: account.value, statement: erasureStatement, now });
  if (!proof.ok) return proof.error;
  const erased = await call('POST /api/personal-data/erase', { body: proof.value });
  return erased.ok ? null : { from: 'server', problem: erased.error };
}
