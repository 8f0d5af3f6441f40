import type { Business } from '@countersign/protocol/dashboard/business';
import type { Payee } from '@countersign/protocol/dashboard/payees';
import { RecordFacts } from '../payees/record-facts.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { changesOf } from './changes.ts';

type Props = { readonly payee: Payee; readonly facts: NonNullable<Business['facts']> };

/** The record that an admission changes, and what it changes about it. */
export function RenewedRecord({ payee, facts }: Props) {
  const changes = changesOf(payee, facts);
  return (
    <>
      <section aria-label="What it changes">
        <h3 className="text-base">What it changes</h3>
        {changes.length === 0 ? (
          <p className="mt-1 text-sm text-muted">Only the last day.</p>
        ) : (
          <Facts>
            {changes.map(({ name, text }) => (
              <Fact key={`${name} ${text}`} name={name}>
                <Verbatim text={text} />
              </Fact>
            ))}
          </Facts>
        )}
      </section>
      <section aria-label="Its record">
        <h3 className="text-base">Its record</h3>
        {payee.proposal !== null && payee.state !== 'waiting' && (
          <Notice tone="warn">
            A change to it is waiting for a second operator. Admitting this submission discards that change.
          </Notice>
        )}
        <RecordFacts payee={null} version={payee} />
      </section>
    </>
  );
}
