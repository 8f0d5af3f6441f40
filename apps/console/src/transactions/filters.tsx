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
  ['between', 'Chosen days'],
] as const;

/** Narrows the list. What is applied stands in the address, so that it can be kept and sent on. */
export function Filters() {
  const search = useSearch({ from: '/frame/transactions' });
  const [shown, setShown] = useState(false);
  const { field, fault, notAWallet, between, apply, clear } = useFilters(search);
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
          'grid grid-cols-2 items-start gap-3 border-b border-line px-5 py-4 md:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,1.4fr)_auto]',
          !shown && 'max-md:hidden',
        )}
      >
        <Select label="Result" options={resultOptions} {...field('result')} />
        <Select label="When" options={periodOptions} {...field('period')} />
        <Field label="Service" {...text} maxLength={64} {...field('service')} />
        <Field label="Chain" placeholder="base" {...text} maxLength={20} {...field('chain')} />
        <Field label="Transaction hash" placeholder="0x…" {...text} maxLength={128} {...field('hash')} />
        {search.scope === 'all' && (
          <Field
            label="Wallet"
            placeholder="0x…"
            {...text}
            maxLength={42}
            error={notAWallet}
            className="col-span-2 md:col-span-4"
            {...field('wallet')}
          />
        )}
        <div className="flex justify-end gap-1 self-end max-md:col-span-2 max-md:order-last">
          <Button submit className="min-h-10">
            Apply
          </Button>
          {count > 0 && (
            <Button kind="quiet" className="min-h-10" onClick={clear}>
              Clear
            </Button>
          )}
        </div>
        {between && (
          <>
            <Field label="First day" type="date" {...field('from')} />
            <Field label="Last day" type="date" error={fault} {...field('to')} />
          </>
        )}
      </form>
    </>
  );
}

const text = { autoComplete: 'off', spellCheck: false } as const;

type Draft = Record<'result' | 'period' | 'from' | 'to' | 'service' | 'chain' | 'hash' | 'wallet', string>;

const draftOf = ({ result, period, from, to, service, chain, hash, wallet }: TransactionsSearch): Draft => ({
  result: result ?? '',
  period: period ?? (from === undefined && to === undefined ? '' : 'between'),
  from: from ?? '',
  to: to ?? '',
  service: service ?? '',
  chain: chain ?? '',
  hash: hash ?? '',
  wallet: wallet ?? '',
});

/** What is typed, until it is applied. Whatever else changes the address, such as Back, changes it too. */
function useFilters(search: TransactionsSearch) {
  const navigate = useNavigate({ from: '/transactions' });
  const applied = draftOf(search);
  const key = JSON.stringify(applied);
  const [typed, setTyped] = useState({ over: key, draft: applied });
  if (typed.over !== key) setTyped({ over: key, draft: applied });
  const { from, to, ...others } = typed.draft;
  const between = others.period === 'between';
  const fault = between && from !== '' && to !== '' && to < from ? 'It is before the first day.' : null;
  const wallet = typed.draft.wallet.trim();
  const notAWallet =
    wallet === '' || /^0x[0-9a-f]{40}$/i.test(wallet) ? null : 'Write an address: 0x and 40 hex digits.';
  const goTo = (next: TransactionsSearch) =>
    void navigate({
      search: {
        ...next,
        ...(search.scope && { scope: search.scope }),
        ...(search.standing && { standing: search.standing }),
      },
    });
  return {
    between,
    fault,
    notAWallet,
    field: (name: keyof Draft) => ({
      value: typed.draft[name],
      onChange: ({ target: { value } }: { target: { value: string } }) =>
        setTyped(({ over, draft }) => ({ over, draft: { ...draft, [name]: value } })),
    }),
    apply: (event: FormEvent) => {
      event.preventDefault();
      if (fault !== null || notAWallet !== null) return;
      // What is a filter depends on the scope, which itself stays as it is.
      const draft = { ...(between ? typed.draft : others), scope: search.scope };
      const { scope: _, ...filters } = readTransactionsSearch(draft);
      goTo(filters);
    },
    clear: () => goTo({}),
  };
}
