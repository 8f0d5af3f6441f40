import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../api/endpoint.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { providerName } from './names.ts';
import { providerStates } from './queries.ts';
import { ProviderState } from './state.tsx';

type Answer = AnswerOf<'GET /api/compliance/providers'>;
type Row = Answer['kyt'][number] & { readonly checks: string };

const columns: readonly Column<Row>[] = [
  { name: 'Provider', cell: ({ provider }) => providerName(provider) },
  { name: 'Checks', wide: true, cell: ({ checks }) => <span className="text-muted">{checks}</span> },
  { name: 'State', cell: ({ state }) => <ProviderState state={state} /> },
  {
    name: 'List date',
    figures: true,
    cell: ({ listDate }) =>
      listDate === null ? <span className="text-muted">–</span> : <Time at={listDate} as="day" />,
  },
];

const rowsOf = ({ kyc, kyt, kyb }: Answer): readonly Row[] => [
  { ...kyc, listDate: null, checks: 'Identities (KYC)' },
  ...(kyb === null ? [] : [{ ...kyb, listDate: null, checks: 'Businesses (KYB)' }]),
  ...kyt.map((each) => ({ ...each, checks: 'Addresses (KYT)' })),
];

/** Who answers for KYC, KYB and KYT, how they fare, and how old their lists are. */
export function Providers() {
  const providers = useQuery(providerStates);
  return (
    <Section title="Providers">
      <Loaded query={providers} skeleton={<BoneRows rows={2} />}>
        {(answer) => (
          <>
            <Table
              caption="KYC, KYB and KYT providers"
              columns={columns}
              rows={rowsOf(answer)}
              keyOf={({ provider, checks }) => `${checks} ${provider}`}
            />
            <p className="border-t border-line px-5 py-3 text-sm text-pretty text-muted">
              If a check does not respond, the payment is refused. A list is valid for 7 days.
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}
