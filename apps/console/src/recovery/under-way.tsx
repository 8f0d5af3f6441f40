import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { ObjectTo } from './object.tsx';

/** Shows pending changes to which somebody may have to object, equally in Settings and above every page. */
export function UnderWay({ state: { change, claim } }: { state: Pick<Recovery, 'change' | 'claim'> }) {
  const { person } = useSession();
  return (
    <>
      {claim !== null && (
        <Notice tone="bad">
          <p className="font-medium">
            This account is being recovered. It closes on <Time at={claim.dueAt} />, for good.
          </p>
          <p>
            <Address value={claim.walletAddress} name="recovery address" /> asked for it{' '}
            <Time at={claim.askedAt} />. If you still have your wallet, object before{' '}
            <Time at={claim.dueAt} />. If the wallet was stolen, do not: have operators put it on the deny
            list.
          </p>
          {person.holder && (
            <div className="mt-2.5">
              <ObjectTo
                id={claim.id}
                label="Object with your wallet"
                done="The recovery was stopped."
                why="The recovery ends, and the account stays yours. Object only if nobody else has your wallet."
              />
            </div>
          )}
        </Notice>
      )}
      {change !== null && (
        <Notice tone="warn">
          <p className="font-medium">
            The recovery address changes on <Time at={change.countsFrom} />
            {change.to === null ? ': nobody will be named.' : '.'}
          </p>
          <p>
            {change.to !== null && (
              <>
                Then it is <Address value={change.to} name="next recovery address" />.{' '}
              </>
            )}
            Was it not you who asked for it <Time at={change.askedAt} />? Then somebody else has your wallet.
          </p>
          {person.holder && (
            <div className="mt-2.5">
              <ObjectTo
                id={change.id}
                label="Stop the change"
                done="The change was stopped."
                why="The recovery address does not change."
              />
            </div>
          )}
        </Notice>
      )}
    </>
  );
}
