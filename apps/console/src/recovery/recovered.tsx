import type { Recovery } from '@countersign/protocol/dashboard/recovery';
import { useDeed } from '../api/deed.ts';
import { useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { download } from '../ui/download.ts';
import { Time } from '../ui/time.tsx';

type Recovered = Recovery['recovered'][number];

/** Accounts that this one recovered: closed, and there to be read. */
export function RecoveredAccounts({ recovered }: { recovered: readonly Recovered[] }) {
  return (
    <section aria-label="Accounts that you recovered" className="border-t border-line">
      <h3 className="px-5 pt-4 text-sm font-medium">Accounts that you recovered</h3>
      <ul className="divide-y divide-line">
        {recovered.map((each) => (
          <Item key={each.accountId} {...each} />
        ))}
      </ul>
    </section>
  );
}

function Item({ accountId, walletAddress, closedAt }: Recovered) {
  const { person } = useSession();
  const { busy, problem, run } = useDeed('POST /api/recovery/records');
  const fetchAll = async () => {
    const data = await run({ body: { accountId } });
    if (data !== null) download(JSON.stringify(data, null, 2), `records-of-${walletAddress}.json`);
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5 text-sm">
      <p>
        <Address value={walletAddress} name="wallet" />{' '}
        <span className="text-muted">
          closed <Time at={closedAt} />
        </span>
      </p>
      {person.holder && (
        <Button busy={busy} onClick={() => void fetchAll()}>
          Download its records
        </Button>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </li>
  );
}
