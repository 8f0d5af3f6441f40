import type { FirstWord } from '@countersign/protocol/dashboard/compliance';
import type { LooseningDeed } from '@countersign/protocol/dashboard/correction-routes';
import { useDeed } from '../api/deed.ts';
import { shortAddress } from '../ui/address.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';

/** Two operators have to agree, and one has spoken. */
export const FirstWordBadge = () => <Badge tone="warn">1 of 2 operators</Badge>;

/** Who of two operators has spoken, and what they want. */
export const SaidFirst = ({ word: { by, reason, at }, wish }: { word: FirstWord; wish: string }) => (
  <Notice tone="warn">
    <p className="[overflow-wrap:anywhere]">
      Operator {shortAddress(by)} {wish} on <Time at={at} />
      {reason === null ? (
        '.'
      ) : (
        <>
          : “<Verbatim text={reason} />
          ”.
        </>
      )}{' '}
      It takes effect once a second operator agrees.
    </p>
  </Notice>
);

type Props = {
  readonly deed: LooseningDeed;
  readonly subject: string;
  readonly onDone?: () => void;
};

/** Takes the first of two words back: as if it had not been said, but on record. */
export function TakeBack({ deed, subject, onDone }: Props) {
  const { busy, run } = useDeed('POST /api/compliance/first-words/retract', '/api/compliance', '/api/kyc');
  const retract = async () => {
    // Whoever was quicker has decided; the list tells how.
    const done = await run({ body: { deed, subject } });
    showToast(
      done === null
        ? { tone: 'bad', text: 'This could not be retracted. A second operator may already have agreed.' }
        : { tone: 'ok', text: 'Retracted. A second operator is no longer needed.' },
    );
    onDone?.();
  };
  return (
    <Button kind="quiet" busy={busy} onClick={() => void retract()}>
      Retract
    </Button>
  );
}
