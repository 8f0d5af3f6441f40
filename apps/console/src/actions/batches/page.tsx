import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { askControl } from '../call.ts';
import { ControlPage } from '../control-page.tsx';
import { BatchSheet } from './batch-sheet.tsx';
import { BatchTable } from './batch-table.tsx';
import { NewBatch } from './new-batch.tsx';
import type { Batch } from './state.tsx';

const limit = 20;

/** Lists batch approvals, which spare people a decision each time. */
export function BatchesPage() {
  const [making, setMaking] = useState(false);
  const make = () => setMaking(true);
  return (
    <ControlPage
      title="Batch approvals"
      about="Actions that run without asking anyone: up to a number of times, until a set time, where a condition holds."
      actions={
        <Button kind="primary" onClick={make}>
          <Plus aria-hidden="true" />
          New approval
        </Button>
      }
    >
      <Listed onMake={make} />
      {making && <NewBatch onClose={() => setMaking(false)} />}
    </ControlPage>
  );
}

function Listed({ onMake }: { onMake: () => void }) {
  const { page = 1 } = useSearch({ from: '/frame/actions/batches' });
  const query = { limit, offset: (page - 1) * limit };
  const list = useQuery(askControl('GET /v1/batch-authorizations', { query }));
  const [opened, open] = useState<Batch | null>(null);
  return (
    <div className="card min-w-0">
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            <BatchTable batches={items} onOpen={open} onMake={onMake} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {opened !== null && <BatchSheet batch={opened} onClose={() => open(null)} />}
    </div>
  );
}
