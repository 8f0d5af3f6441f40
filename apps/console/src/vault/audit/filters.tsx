import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { type AuditSearch, isNarrowed, readAuditSearch } from './search.ts';

/** Narrows the log. What is applied stands in the address; a change of it makes the form anew. */
export function AuditFilters() {
  const search = useSearch({ from: '/frame/vault/audit' });
  return <Form key={JSON.stringify(search)} search={search} />;
}

const text = { autoComplete: 'off', spellCheck: false, maxLength: 512 } as const;

function Form({ search }: { search: AuditSearch }) {
  const navigate = useNavigate({ from: '/vault/audit' });
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = Object.fromEntries(new FormData(event.currentTarget));
    void navigate({ search: readAuditSearch(typed) });
  };
  const field = (name: 'credential' | 'agent' | 'who' | 'session' | 'from' | 'to') => ({
    name,
    defaultValue: search[name] ?? '',
  });
  return (
    <form
      aria-label="Filters"
      onSubmit={apply}
      className="grid grid-cols-2 items-end gap-3 border-b border-line px-5 py-4 lg:grid-cols-[repeat(6,minmax(0,1fr))_auto]"
    >
      <Field label="Credential" placeholder="credential ID" {...text} {...field('credential')} />
      <Field label="Agent" placeholder="did:…" {...text} {...field('agent')} />
      <Field label="Person or token" placeholder="token:…" {...text} {...field('who')} />
      <Field label="Session" placeholder="session ID" {...text} {...field('session')} />
      <Field label="Start date" type="date" {...field('from')} />
      <Field label="End date" type="date" {...field('to')} />
      <div className="flex justify-end gap-1 max-lg:col-span-2">
        <Button submit className="min-h-10">
          Apply
        </Button>
        {isNarrowed(search) && (
          <Button kind="quiet" className="min-h-10" onClick={() => void navigate({ search: {} })}>
            Clear filters
          </Button>
        )}
      </div>
    </form>
  );
}
