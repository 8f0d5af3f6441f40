import type { Address } from '@countersign/protocol/address';
import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { noAddress } from '@countersign/protocol/dashboard/recovery-statement';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';
import { Field } from '../ui/field.tsx';
import { delayText } from './delay-text.ts';
import type { Proof } from './sign-statement.tsx';
import { SignStatement } from './sign-statement.tsx';

/** Names who may recover the account, or nobody any more. */
export function NameAddress({ state: { address, delays } }: { state: Recovery }) {
  const { account } = useSession();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [named, setNamed] = useState<Address | null>(null);
  const complete = async () => {
    // With it come the checks of all that is read: loaded for who names an address, not with every Settings.
    const { parseAddress } = await import('@countersign/protocol/address');
    const parsed = parseAddress(typed.trim());
    setNamed(parsed);
    const isOwn = parsed === account.walletAddress;
    setError(
      parsed === null
        ? 'Enter a complete address: 0x and 40 hex digits.'
        : isOwn
          ? 'This is the wallet that could be lost. Enter another one.'
          : null,
    );
    return parsed === null || isOwn ? null : messageFor(account, parsed);
  };
  const wait = `This counts after ${delayText(delays.changeSeconds)}. Until then, you and the current recovery address can object.`;
  return (
    <div className="grid gap-4">
      <Field
        label={address === null ? 'Recovery address' : 'Another recovery address'}
        hint="A wallet that you keep elsewhere, or that of somebody you trust. A contract wallet works too."
        value={typed}
        spellCheck={false}
        autoComplete="off"
        error={error}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <SignStatement
          label={address === null ? 'Name it' : 'Change it'}
          kind="primary"
          statement="NameRecoveryAddress"
          message={complete}
          send={sendFor(named)}
          done={address === null ? 'Signed.' : 'Signed. The change is in progress.'}
        >
          <p className="text-pretty text-muted">
            If your wallet is lost, this address can close the account and continue in its own account.
            Compare it character by character. {address !== null && wait}
          </p>
        </SignStatement>
        {address !== null && <NameNobody wait={wait} />}
      </div>
    </div>
  );
}

function NameNobody({ wait }: { wait: string }) {
  const { account } = useSession();
  return (
    <SignStatement
      label="Name nobody"
      statement="NameRecoveryAddress"
      message={() => messageFor(account, noAddress)}
      send={sendFor(null)}
      done="Signed. The change is in progress."
    >
      <p className="text-pretty text-muted">Then nobody can recover the account. {wait}</p>
    </SignStatement>
  );
}

const messageFor = (
  { id, walletAddress }: ReturnType<typeof useSession>['account'],
  recoveryAddress: Address,
) => ({ accountId: id, wallet: walletAddress, recoveryAddress });

const sendFor = (recoveryAddress: Address | null) => async (proof: Proof) => {
  const answer = await call('POST /api/recovery/address', { body: { recoveryAddress, ...proof } });
  return answer.ok ? null : answer.error;
};
