import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Time } from '../ui/time.tsx';
import { delayText } from './delay-text.ts';
import { ObjectTo } from './object.tsx';
import { type Proof, SignStatement } from './sign-statement.tsx';

type Named = Recovery['namedBy'][number];

/** Accounts that name this wallet: what is under way there, and recovering them. */
export function NamedBy({ state: { namedBy, delays } }: { state: Recovery }) {
  return (
    <section aria-label="Accounts that you may recover" className="border-t border-line">
      <h3 className="px-5 pt-4 text-sm font-medium">Accounts that you may recover</h3>
      <ul className="divide-y divide-line">
        {namedBy.map((named) => (
          <Item key={named.walletAddress} named={named} wait={delayText(delays.claimSeconds)} />
        ))}
      </ul>
    </section>
  );
}

function Item({ named, wait }: { named: Named; wait: string }) {
  const { walletAddress, since, change, claim } = named;
  const { person } = useSession();
  return (
    <li className="grid gap-3 px-5 py-3.5 text-sm">
      <p>
        <Address value={walletAddress} name="wallet" />{' '}
        <span className="text-muted">
          names you since <Time at={since} as="day" />
        </span>
      </p>
      {change !== null && (
        <p className="text-pretty">
          Its wallet requested another recovery address, which takes effect <Time at={change.countsFrom} />.
          If this was not the owner, stop it.
        </p>
      )}
      {claim !== null && (
        <p>
          You are recovering it. It closes on <Time at={claim.dueAt} />, unless its wallet objects.
        </p>
      )}
      {person.holder && (
        <div className="flex flex-wrap gap-2">
          {change !== null && (
            <ObjectTo
              id={change.id}
              label="Stop the change"
              done="The change was stopped."
              why="You stay the recovery address of that account."
            />
          )}
          {claim === null ? (
            <Recover walletAddress={walletAddress} wait={wait} />
          ) : (
            <ObjectTo
              id={claim.id}
              label="Withdraw the recovery"
              done="The recovery was withdrawn."
              why="The account stays open."
            />
          )}
        </div>
      )}
    </li>
  );
}

function Recover({ walletAddress, wait }: { walletAddress: Named['walletAddress']; wait: string }) {
  const { account } = useSession();
  const send = async (proof: Proof) => {
    const answer = await call('POST /api/recovery/claims', { body: { walletAddress, ...proof } });
    return answer.ok ? null : answer.error;
  };
  return (
    <SignStatement
      label="Recover this account"
      statement="RecoverAccount"
      message={() => ({
        wallet: walletAddress,
        recoveryAddress: account.walletAddress,
        recoveringAccountId: account.id,
      })}
      send={send}
      done={`Signed. The account closes in ${wait}, unless its wallet objects.`}
    >
      <p className="text-pretty text-muted">
        In {wait} the account of that wallet is closed for good: its mandates, agents, keys and sessions end.
        You get its records, and may sign its agents’ wallets as yours. Until then its wallet can object.
      </p>
    </SignStatement>
  );
}
