import type { PayeeReview } from '@countersign/protocol/dashboard/payees';
import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { RiskNumber } from '../compliance/state.tsx';
import { WithReason } from '../compliance/with-reason.tsx';
import { useSession } from '../session/session.ts';
import { WholeAddress } from '../ui/address.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { AdmitPayee, outdated } from './payee-form.tsx';

type Props = { readonly review: PayeeReview; readonly onClose: () => void };

/** A payee that nobody knows: what a gateway told of it, and the operator's word. */
export function UnknownPayeeSheet({ review, onClose }: Props) {
  const { account } = useSession();
  const [doing, setDoing] = useState<'admit' | 'turn-away' | null>(null);
  const { payee, state } = review;
  if (doing === 'admit') return <AdmitPayee address={payee} onClose={onClose} />;
  if (doing === 'turn-away') return <TurnAway payee={payee} onClose={onClose} />;
  const own = payee === account.walletAddress;
  return (
    <Sheet
      title="Unknown payee"
      onClose={onClose}
      actions={
        own ? undefined : (
          <>
            {state === 'pending' && (
              <Button kind="danger" onClick={() => setDoing('turn-away')}>
                Turn away
              </Button>
            )}
            <Button kind="primary" onClick={() => setDoing('admit')}>
              Admit
            </Button>
          </>
        )
      }
    >
      <Notice tone="warn">
        Whoever reported it chose these texts, including the host; some are the service’s own. Verify who the
        payee is independently before you admit it.
      </Notice>
      <div className="mt-4">
        <Told review={review} />
      </div>
      {own && <Notice>This is your own wallet. Another operator must decide.</Notice>}
    </Sheet>
  );
}

function Told({ review }: { review: PayeeReview }) {
  const { payee, serviceName, toolName, host, chain, amount, tokenSymbol, kytResult, kytRiskLevel } = review;
  const { openedBy, reporters, refusals, openedAt, lastAt, reason } = review;
  const texts = [
    ['Service', serviceName],
    ['Tool', toolName],
    ['Host', host],
    ['Price', amount === null ? null : `${amount} ${tokenSymbol ?? ''}`],
    ['Chain', chain],
    ['Turned away', reason],
  ] as const;
  return (
    <Facts>
      <Fact name="Payee">
        <WholeAddress value={payee} name="payee" />
      </Fact>
      {texts.map(([name, text]) =>
        text === null ? null : (
          <Fact key={name} name={name}>
            <Verbatim text={text} />
          </Fact>
        ),
      )}
      <Fact name="Wallet check">
        {kytResult === 1 ? 'Passed' : 'Not passed'}{' '}
        {kytRiskLevel !== null && <RiskNumber number={kytRiskLevel} />}
      </Fact>
      <Fact name="Reported by">
        <WholeAddress value={openedBy} name="reporter" />
      </Fact>
      <Fact name="Accounts that tried to pay it">{reporters}</Fact>
      <Fact name="Refusals">{refusals}</Fact>
      <Fact name="First">
        <Time at={openedAt} />
      </Fact>
      <Fact name="Last">
        <Time at={lastAt} />
      </Fact>
    </Facts>
  );
}

/** Ends the review; payments to it stay refused. */
function TurnAway({ payee, onClose }: { payee: string; onClose: () => void }) {
  const deed = useDeed('POST /api/payees/reviews/turn-away', ...outdated);
  const turnAway = async (reason: string) => {
    if ((await deed.run({ body: { payee, reason } })) === null) return;
    showToast({ tone: 'ok', text: 'Turned away. Payments to it stay refused.' });
    onClose();
  };
  return (
    <WithReason
      title="Turn this payee away?"
      name="Turn away"
      deed={deed}
      onReason={turnAway}
      onClose={onClose}
    >
      <p className="font-mono text-sm [overflow-wrap:anywhere]">{payee}</p>
      <p className="text-sm text-pretty text-muted">
        It is no longer shown here. You can still admit it later with a record.
      </p>
    </WithReason>
  );
}
