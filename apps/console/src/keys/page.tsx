import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { KeySheet } from './key-sheet.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import type { ApiKey } from './state.tsx';

const keys = ask('GET /api/keys', {});

/** What gateways of this account show to the dashboard. */
export function KeysPage() {
  const list = useQuery(keys);
  const [making, setMaking] = useState(false);
  const [opened, open] = useState<ApiKey | null>(null);
  const make = () => setMaking(true);
  return (
    <Page
      title="API keys"
      about="Your gateway shows a key when it asks for your mandate and reports what it paid. A key can neither sign nor approve."
      actions={
        <Button kind="primary" onClick={make}>
          <Plus aria-hidden="true" />
          New key
        </Button>
      }
    >
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
