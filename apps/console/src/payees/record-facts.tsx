import type { Payee } from '@countersign/protocol/dashboard/payees';
import { Link } from '@tanstack/react-router';
import { WholeAddress } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { PayeeState } from './state.tsx';

type Version = Omit<NonNullable<Payee['proposal']>, 'firstWord'>;

type Props = {
  /** Null for a proposal, which has no state of its own. */
  readonly payee: Payee | null;
  readonly version: Version;
};

/** Shows the facts of one version of a record. */
export function RecordFacts({ payee, version }: Props) {
  const { legalName, domain, addresses, validUntil, registryNumbers, links, checkedBy, checkedAt } = version;
  return (
    <Facts>
      {payee === null ? (
        <Fact name="Legal name">
          <Verbatim text={nameOf({ legalName })} />
        </Fact>
      ) : (
        <Fact name="State">
          <PayeeState payee={payee} />
        </Fact>
      )}
      <Fact name="Domain">
        <Verbatim text={domain} />
      </Fact>
      {addresses.map(({ address, networks }) => (
        <Fact key={address} name={networks === null ? 'Address' : `Address on ${networks.join(', ')}`}>
          <WholeAddress value={address} name="address" />
        </Fact>
      ))}
      <Fact name="Valid until">
        <Time at={validUntil} />
      </Fact>
      {registryNumbers.map((number) => (
        <Fact key={number} name="Registry number">
          <Verbatim text={number} />
        </Fact>
      ))}
      {links.map((link) => (
        <Fact key={link} name="Link">
          <Outside link={link} />
        </Fact>
      ))}
      <Fact name="Checked by">
        <WholeAddress value={checkedBy} name="operator" />
      </Fact>
      <Fact name="Checked">
        <Time at={checkedAt} />
      </Fact>
      {payee !== null && (
        <Fact name="Decisions">
          <Link
            to="/compliance"
            search={{ view: 'history', payee: payee.id }}
            className="font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            View record history
          </Link>
        </Fact>
      )}
    </Facts>
  );
}

const Outside = ({ link }: { readonly link: string }) => (
  <a
    href={link}
    target="_blank"
    rel="noreferrer noopener"
    className="font-medium text-accent-ink underline-offset-4 hover:underline"
  >
    <Verbatim text={link} />
  </a>
);

/** Returns the name, which may have been erased from a record that never counted. */
export const nameOf = ({ legalName }: { readonly legalName: string }): string =>
  legalName === '' ? 'Name erased' : legalName;
