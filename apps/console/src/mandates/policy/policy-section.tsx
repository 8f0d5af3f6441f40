import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import type { MandatePolicy } from '@countersign/protocol/dashboard/policy';
import { type ReactNode, useState } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/page.tsx';
import { PolicySheet } from './policy-sheet.tsx';

/** The rules beside a mandate, and the way to change them while they matter. */
export function PolicySection({ mandate }: { mandate: Mandate }) {
  const [changing, setChanging] = useState(false);
  const living = mandate.status === 'pending' || mandate.status === 'active';
  const change = living && (
    <Button kind="quiet" onClick={() => setChanging(true)}>
      Change rules
    </Button>
  );
  return (
    <Section title="Rules" actions={change}>
      <div className="px-5 py-1">
        <Rules policy={mandate.policy} />
      </div>
      {changing && <PolicySheet mandate={mandate} onClose={() => setChanging(false)} />}
    </Section>
  );
}

const none = <span className="text-muted">no rule</span>;

function Rules({
  policy: { period, approvalThreshold, allowedMerchants, allowedServices, newPayees },
}: {
  policy: MandatePolicy;
}) {
  return (
    <Facts>
      <Fact name="Budget per period">
        {period === null ? (
          none
        ) : (
          <>
            <Money amount={period.budget} /> each {period.every} <span className="text-muted">(UTC)</span>
          </>
        )}
      </Fact>
      <Fact name="Ask me above">
        {approvalThreshold === null ? none : <Money amount={approvalThreshold} />}
      </Fact>
      <Fact name="Allowed payees">
        <Listed entries={allowedMerchants} show={(entry) => <Address value={entry} />} />
      </Fact>
      <Fact name="First payment to a payee">{newPayees === 'ask' ? 'asks you' : none}</Fact>
      <Fact name="Allowed services">
        <Listed entries={allowedServices} show={(entry) => entry} />
      </Fact>
    </Facts>
  );
}

type Props = { readonly entries: readonly string[] | null; readonly show: (entry: string) => ReactNode };

function Listed({ entries, show }: Props) {
  if (entries === null) return none;
  if (entries.length === 0) return <span className="text-warn">none at all</span>;
  return (
    <ul className="grid gap-0.5 text-right">
      {entries.map((entry) => (
        <li key={entry} className="[overflow-wrap:anywhere]">
          {show(entry)}
        </li>
      ))}
    </ul>
  );
}
