import { useNavigate, useSearch } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { legible } from '../ui/legible.ts';
import { countFilters, readTransactionsSearch, type TransactionsSearch } from './search.ts';
import { whys } from './why.ts';

const resultOptions = [
  ['', 'Any'],
  ['pass', 'Paid'],
  ['reject', 'Refused'],
  ['error', 'Failed'],
] as const;

const periodOptions = [
  ['', 'Any time'],
  ['today', `Today (${Intl.DateTimeFormat().resolvedOptions().timeZone})`],
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
  ['between', 'Custom range'],
] as const;

/** All reasons that we have words for, and whatever else the address names. */
const reasonOptions = (chosen: string | undefined): readonly (readonly [string, string])[] => [
  ['', 'Any reason'],
  ...Object.entries(whys).map(([code, { says }]) => [code, says] as const),
  ...(chosen === undefined || chosen in whys ? [] : [[chosen, legible(chosen)] as const]),
];

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
          'grid grid-cols-2 items-start gap-3 border-b border-line px-5 py-4 md:grid-cols-4',
          !shown && 'max-md:hidden',
        )}
      >
        <Select label="Result" options={resultOptions} {...field('result')} />
        <Select label="When" options={periodOptions} {...field('period')} />
        <Field label="Service" {...text} maxLength={64} {...field('service')} />
        <Field label="Tool" {...text} maxLength={128} {...field('tool')} />
        <Field label="Agent" {...text} maxLength={128} {...field('agent')} />
        <Select label="Why" options={reasonOptions(search.reason)} {...field('reason')} />
        <Field label="Chain" placeholder="base" {...text} maxLength={20} {...field('chain')} />
        <Field label="Transaction hash" placeholder="0x…" {...text} maxLength={128} {...field('hash')} />
        {search.scope === 'all' && (
          <Field
            label="Wallet"
            placeholder="0x…"
            {...text}
            maxLength={42}
            error={notAWallet}
            className="col-span-2"
            {...field('wallet')}
          />
        )}
        <div className="order-last col-span-full flex justify-end gap-1">
          <Button submit className="min-h-10">
            Apply
          </Button>
          {count > 0 && (
            <Button kind="quiet" className="min-h-10" onClick={clear}>
              Clear filters
            </Button>
          )}
        </div>
        {between && (
          <>
            <Field label="Start date" type="date" {...field('from')} />
            <Field label="End date" type="date" error={fault} {...field('to')} />
          </>
        )}
      </form>
    </>
  );
}

const text = { autoComplete: 'off', spellCheck: false } as const;

type Draft = Record<
  'result' | 'period' | 'from' | 'to' | 'service' | 'tool' | 'agent' | 'reason' | 'chain' | 'hash' | 'wallet',
  string
>;

const draftOf = (search: TransactionsSearch): Draft => {
  const { period, from, to } = search;
  const text = (name: Exclude<keyof Draft, 'period'>): string => search[name] ?? '';
  return {
    result: text('result'),
    period: period ?? (from === undefined && to === undefined ? '' : 'between'),
    from: text('from'),
    to: text('to'),
    service: text('service'),
    tool: text('tool'),
    agent: text('agent'),
    reason: text('reason'),
    chain: text('chain'),
    hash: text('hash'),
    wallet: text('wallet'),
  };
};

/** Holds what is typed until it is applied. Other changes of the address, such as Back, replace it. */
function useFilters(search: TransactionsSearch) {
  const navigate = useNavigate({ from: '/transactions' });
  const applied = draftOf(search);
  const key = JSON.stringify(applied);
  const [typed, setTyped] = useState({ over: key, draft: applied });
  if (typed.over !== key) setTyped({ over: key, draft: applied });
  const { from, to, ...others } = typed.draft;
  const between = others.period === 'between';
  const fault =
    between && from !== '' && to !== '' && to < from ? 'The end date is before the start date.' : null;
  const wallet = typed.draft.wallet.trim();
  const notAWallet =
    wallet === '' || /^0x[0-9a-f]{40}$/i.test(wallet)
      ? null
      : 'Enter an address: 0x followed by 40 hex digits.';
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
