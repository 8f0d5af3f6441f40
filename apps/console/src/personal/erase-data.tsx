import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import type { PersonalDataSummary } from '@countersign/protocol/dashboard/personal-data';
import { fail, type Result } from '@countersign/protocol/result';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { quietly } from '../api/quiet.ts';
import { sayFarewell } from '../session/farewell.ts';
import { forgetSession } from '../session/memory.ts';
import { useSession } from '../session/session.ts';
import { type SignInProblem, signMessage, type SignedMessage } from '../session/sign-in.ts';
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
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={busy} onClick={() => void erase()}>
            {busy ? 'Confirm in your wallet' : 'Sign and erase data'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5 text-sm">
        <Notice tone="warn">
          You will no longer be verified, and your agent’s payments stop immediately. A payment already in
          progress may still arrive. This cannot be undone.
        </Notice>
        <Kinds title="Erased" kinds={of('deleted')} />
        <Kinds title="Ended, but kept as a record" kinds={of('ended')} />
        <Kinds title="Kept" kinds={of('kept')} />
        <p className="text-pretty text-muted">
          The data that is kept shows who paid whom, what you allowed, and that decisions were made about you,
          but not who you are. Accounting and anti-money-laundering laws require it; “What is kept, and why”
          names them. Backups keep their contents until they are deleted themselves.
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
    const proof = await signErasure(account.walletAddress, new Date());
    const refused = proof.ok ? await quietly(queries, () => eraseAndLeave(proof.value)) : proof.error;
    setBusy(false);
    if (refused !== null) setFailure(refused);
  };
  /** Null when it was done. */
  const eraseAndLeave = async (body: SignedMessage): Promise<SignInProblem | null> => {
    const erased = await call('POST /api/personal-data/erase', { body });
    if (!erased.ok) return { from: 'server', problem: erased.error };
    sayFarewell('Your data has been erased, and you are signed out everywhere.');
    forgetSession();
    await router.navigate({ to: '/sign-in', search: {} });
    queries.clear();
    return null;
  };
  return { busy, failure, erase };
}

async function signErasure(address: string, now: Date): Promise<Result<SignedMessage, SignInProblem>> {
  const wallet = walletOfSession();
  if (wallet === null) return fail({ from: 'wallet', problem: { kind: 'no-wallet' } });
  const { provider } = wallet;
  const account = await requireAccount(provider, address);
  if (!account.ok) return fail({ from: 'wallet', problem: account.error });
  return signMessage({ provider, account: account.value, statement: erasureStatement, now });
}
