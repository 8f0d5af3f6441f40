import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Select } from '../../ui/select.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { typedText } from '../../ui/typed-text.ts';
import { askVault } from '../call.ts';
import { VaultPage } from '../vault-page.tsx';
import { KeyWatch } from '../verifier/pinned-key.tsx';
import type { Credential } from './credential.ts';
import { CredentialSheet } from './credential-sheet.tsx';
import { typeNames } from './fields.ts';
import { NewCredential } from './new-credential.tsx';
import { readCredentialsSearch } from './search.ts';
import { CredentialTable } from './table.tsx';

const limit = 25;

/** Secrets of other services that agents use without seeing them. Only what is known about them is listed. */
export function CredentialsPage() {
  const [making, setMaking] = useState(false);
  return (
    <VaultPage
      title="Credentials"
      about="Secrets that your agents can use but never see. They are stored encrypted; only the enclave can open them."
      actions={
        <Button kind="primary" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          New credential
        </Button>
      }
    >
      <KeyWatch />
      <Listed onMake={() => setMaking(true)} />
      {making && <NewCredential onClose={() => setMaking(false)} />}
    </VaultPage>
  );
}

function Listed({ onMake }: { onMake: () => void }) {
  const { type, service, page = 1 } = useSearch({ from: '/frame/vault/credentials' });
  const query = {
    ...(type !== undefined && { credential_type: type }),
    ...(service !== undefined && { service_id: service }),
    limit,
    offset: (page - 1) * limit,
  };
  const list = useQuery(askVault('GET /api/v1/credentials', { query }));
  const [opened, open] = useState<Credential | null>(null);
  const filtered = type !== undefined || service !== undefined;
  return (
    <div className="card min-w-0">
      <Filters key={`${type} ${service}`} />
      <Loaded query={list} skeleton={<BoneRows />}>
        {({ items, total }) => (
          <>
            <CredentialTable credentials={items} filtered={filtered} onOpen={open} onMake={onMake} />
            <Pager page={page} limit={limit} total={total} />
          </>
        )}
      </Loaded>
      {opened !== null && <CredentialSheet credential={opened} onClose={() => open(null)} />}
    </div>
  );
}

const typeOptions = [['', 'Any'] as const, ...Object.entries(typeNames)];

function Filters() {
  const { type, service } = useSearch({ from: '/frame/vault/credentials' });
  const navigate = useNavigate({ from: '/vault/credentials' });
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = (name: string) => typedText(event.currentTarget, name);
    void navigate({ search: readCredentialsSearch({ type: typed('type'), service: typed('service') }) });
  };
  return (
    <form
      aria-label="Filters"
      onSubmit={apply}
      className="flex flex-wrap items-end gap-3 border-b border-line px-5 py-4"
    >
      <Select
        label="Type"
        name="type"
        defaultValue={type ?? ''}
        options={typeOptions}
        className="min-w-0 flex-[1_1_180px]"
      />
      <Field
        label="Service"
        name="service"
        defaultValue={service ?? ''}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        className="min-w-0 flex-[2_1_180px]"
      />
      <Button submit className="min-h-10">
        Apply
      </Button>
    </form>
  );
}
