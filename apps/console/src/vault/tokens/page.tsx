import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { askVault } from '../call.ts';
import { VaultPage } from '../vault-page.tsx';
import { NewToken } from './new-token.tsx';
import type { Token } from './state.tsx';
import { TokenSheet } from './token-sheet.tsx';
import { TokenTable } from './token-table.tsx';

const limit = 25;

/** Lists the tokens with which programs authenticate to the vault. */
export function TokensPage() {
  const [making, setMaking] = useState(false);
  const make = () => setMaking(true);
  return (
    <VaultPage
      title="Tokens"
      about="Your agents and programs use tokens to access the vault. Each token can do only what its scopes allow, and expires automatically."
      actions={
        <Button kind="primary" onClick={make}>
          <Plus aria-hidden="true" />
          New token
        </Button>
      }
    >
      <Listed onMake={make} />
      {making && <NewToken onClose={() => setMaking(false)} />}
    </VaultPage>
  );
}

function Listed({ onMake }: { onMake: () => void }) {
  const { page = 1 } = useSearch({ from: '/frame/vault/tokens' });
  const list = useQuery(askVault('GET /api/v1/tokens', { query: { limit, offset: (page - 1) * limit } }));
  const [opened, open] = useState<Token | null>(null);
  return (
    <div className="card min-w-0">
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            <TokenTable tokens={items} onOpen={open} onMake={onMake} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {opened !== null && <TokenSheet token={opened} onClose={() => open(null)} />}
    </div>
  );
}
