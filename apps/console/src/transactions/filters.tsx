import { useNavigate, useSearch } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { countFilters, readTransactionsSearch, type TransactionsSearch } from './search.ts';

const resultOptions = [
  ['', 'Any'],
  ['pass', 'Paid'],
  ['reject', 'Refused'],
  ['error', 'Failed'],
] as const;

const periodOptions = [
  ['', 'Any time'],
  ['today', 'Today'],
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
] as const;

/** Narrows the list. What is applied stands in the address, so that it can be kept and sent on. */
export function Filters() {
  const search = useSearch({ from: '/frame/transactions' });
  const [shown, setShown] = useState(false);
  const { field, apply, clear } = useFilters(search);
  const count = countFilters(search);
  return (
    <>
      <div className="border-b border-line px-5 py-3 md:hidden">
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          <SlidersHorizontal aria-hidden="true" />
          {count === 0 ? 'Filters' : `Filters: ${count}`}
        </Button>
      </div>
      <form
        aria-label="Filters"
        onSubmit={apply}
        className={classNames(
          'grid grid-cols-2 items-end gap-3 border-b border-line px-5 py-4 md:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,1.4fr)_auto]',
          !shown && 'max-md:hidden',
        )}
      >
        <Select label="Result" options={resultOptions} {...field('result')} />
        <Select label="When" options={periodOptions} {...field('period')} />
        <Field label="Service" {...text} maxLength={64} {...field('service')} />
        <Field label="Chain" placeholder="base" {...text} maxLength={20} {...field('chain')} />
        <Field label="Transaction hash" placeholder="0x…" {...text} maxLength={128} {...field('hash')} />
        <div className="flex justify-end gap-1">
          <Button submit className="min-h-10">
            Apply
          </Button>
          {count > 0 && (
            <Button kind="quiet" className="min-h-10" onClick={clear}>
              Clear
            </Button>
          )}
        </div>
      </form>
    </>
  );
}

const text = { autoComplete: 'off', spellCheck: false } as const;

type Draft = Record<'result' | 'period' | 'service' | 'chain' | 'hash', string>;

/** What is typed, until it is applied. Whatever else changes the address, such as Back, changes it too. */
function useFilters({ scope, result, period, service, chain, hash }: TransactionsSearch) {
  const navigate = useNavigate({ from: '/transactions' });
  const applied: Draft = {
    result: result ?? '',
    period: period ?? '',
    service: service ?? '',
    chain: chain ?? '',
    hash: hash ?? '',
  };
  const key = JSON.stringify(applied);
  const [typed, setTyped] = useState({ over: key, draft: applied });
  if (typed.over !== key) setTyped({ over: key, draft: applied });
  const goTo = (next: TransactionsSearch) => void navigate({ search: { ...next, ...(scope && { scope }) } });
  return {
    field: (name: keyof Draft) => ({
      value: typed.draft[name],
      onChange: ({ target: { value } }: { target: { value: string } }) =>
        setTyped(({ over, draft }) => ({ over, draft: { ...draft, [name]: value } })),
    }),
    apply: (event: FormEvent) => {
      event.preventDefault();
      goTo(readTransactionsSearch(typed.draft));
    },
    clear: () => goTo({}),
  };
}
