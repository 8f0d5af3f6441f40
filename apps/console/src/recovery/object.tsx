import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';
import type { Proof } from './sign-statement.tsx';
import { SignStatement } from './sign-statement.tsx';

type Props = { readonly id: string; readonly label: string; readonly done: string; readonly why: string };

/** Ends a change of the address, or a recovery, by the signature of the wallet that is signed in. */
export function ObjectTo({ id, label, done, why }: Props) {
  const { account } = useSession();
  const send = async (proof: Proof) => {
    const answer = await call('POST /api/recovery/objections', { body: { id, ...proof } });
    return answer.ok ? null : answer.error;
  };
  return (
    <SignStatement
      label={label}
      kind="danger"
      statement="ObjectToRecovery"
      message={() => ({ id, wallet: account.walletAddress })}
      send={send}
      done={done}
    >
      <p className="text-pretty text-muted">{why} Signing costs nothing and moves no money.</p>
    </SignStatement>
  );
}
