import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/queries.ts';
import { Fact } from '../ui/facts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';

/** The business that an operator's record names for an address; that there is none is told too. */
export function WhoIsPaid({ address }: { readonly address: string }) {
  const { data } = useQuery(ask('GET /api/payees/name/:address', { params: { address } }));
  if (data === undefined) return null;
  const { business } = data;
  if (business === null)
    return (
      <Fact name="Business">
        <span className="text-muted">No business record names this address</span>
      </Fact>
    );
  return (
    <>
      <Fact name="Business">
        <Verbatim text={business.legalName} />
      </Fact>
      <Fact name="Domain">
        <Verbatim text={business.domain} />
      </Fact>
    </>
  );
}
