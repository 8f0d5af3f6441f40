import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonLook } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { ExpiringKeys } from './expiring-keys.tsx';
import { KeySheet } from './key-sheet.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { keys } from './queries.ts';
import type { ApiKey } from './life.ts';

/** Lists the keys with which this account's gateways authenticate to the dashboard. */
export function KeysPage() {
  const list = useQuery(keys);
  const [making, setMaking] = useState(false);
  const [opened, open] = useState<ApiKey | null>(null);
  const make = () => setMaking(true);
  return (
    <Page
      title="API keys"
      about="Gateways use keys to read your mandate and report payments; accountants use them to read the log. A key can neither sign nor approve."
      actions={
        <>
          <Link to="/keys/connect" className={buttonLook('plain')}>
            Connect a client
          </Link>
          <Button kind="primary" onClick={make}>
            <Plus aria-hidden="true" />
            New key
          </Button>
        </>
      }
    >
      <ExpiringKeys />
      <div className="card min-w-0">
        <Loaded query={list} skeleton={<BoneRows />}>
          {({ data }) => <KeyTable keys={data} onOpen={open} onMake={make} />}
        </Loaded>
      </div>
      {making && <NewKey onClose={() => setMaking(false)} />}
      {opened !== null && <KeySheet apiKey={opened} onClose={() => open(null)} />}
    </Page>
  );
}
