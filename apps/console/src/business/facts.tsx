import type { Business } from '@countersign/protocol/dashboard/business';
import { verdictWords } from '../payees/domain-says.tsx';
import { WholeAddress } from '../ui/address.tsx';
import { Badge } from '../ui/badge.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';

/** Shows a submission's state, with the record that was made of it. */
export function BusinessState({ business: { state, recordState } }: { business: Business }) {
  if (state === 'waiting' || recordState === 'waiting') return <Badge tone="warn">Waiting</Badge>;
  if (state === 'rejected') return <Badge tone="bad">Rejected</Badge>;
  if (recordState === 'admitted') return <Badge tone="ok">Admitted</Badge>;
  return <Badge tone="bad">{recordState === 'expired' ? 'Expired' : 'Withdrawn'}</Badge>;
}

/** Shows a business's statements about itself, and its domain's about each address. */
export function BusinessFacts({ business }: { business: Business }) {
  const { facts, domainSaid, domainCheckedAt, createdAt, decidedAt, reason, recordReason } = business;
  return (
    <Facts>
      {facts === null ? (
        <Fact name="Submitted">What was submitted was deleted, or is not shown to you.</Fact>
      ) : (
        <>
          <Fact name="Legal name">
            <Verbatim text={facts.legalName} />
          </Fact>
          <Fact name="Domain">
            <Verbatim text={facts.domain} />
          </Fact>
          {facts.registryNumbers.map((number) => (
            <Fact key={number} name="Registry number">
              <Verbatim text={number} />
            </Fact>
          ))}
          {facts.links.map((link) => (
            <Fact key={link} name="Link">
              <Verbatim text={link} />
            </Fact>
          ))}
          {facts.addresses.map(({ address, networks }) => {
            const said = domainSaid.find((each) => each.address === address);
            return (
              <Fact key={address} name={networks === null ? 'Address' : `Address on ${networks.join(', ')}`}>
                <WholeAddress value={address} name="address" />
                {said !== undefined && (
                  <span className="block text-muted">Its domain: {verdictWords[said.verdict]}</span>
                )}
              </Fact>
            );
          })}
        </>
      )}
      {domainCheckedAt !== null && (
        <Fact name="Domain checked">
          <Time at={domainCheckedAt} />
        </Fact>
      )}
      <Fact name="Sent">
        <Time at={createdAt} />
      </Fact>
      {decidedAt !== null && (
        <Fact name="Decided">
          <Time at={decidedAt} />
        </Fact>
      )}
      {[recordReason ?? reason].map((why) =>
        why === null ? null : (
          <Fact key="reason" name="Reason">
            <Verbatim text={why} />
          </Fact>
        ),
      )}
    </Facts>
  );
}
