import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { usdcText } from '../wallet/usdc.ts';
import { Hash } from '../transactions/hash.tsx';
import { type Outcome, useOutcome } from './outcome.ts';
import type { SentTransfer } from './transfer.ts';
import { WalletAddress } from './wallet-address.tsx';

type Props = {
  readonly title: string;
  readonly transfer: SentTransfer;
  readonly to: string;
  /** Whose wallet that is, in words. */
  readonly where: string;
  readonly onClose: () => void;
};

const told: Readonly<
  Record<Outcome, { readonly tone: 'plain' | 'ok' | 'warn' | 'bad'; readonly text: string }>
> = {
  waiting: {
    tone: 'plain',
    text: 'Sent. Waiting for the network to confirm it. You can close this; the transfer continues.',
  },
  late: {
    tone: 'warn',
    text: 'Not confirmed yet. Your wallet may have replaced it, or may be waiting for other signers: check there before you send again.',
  },
  confirmed: { tone: 'ok', text: 'Confirmed.' },
  reverted: { tone: 'bad', text: 'The network refused this transfer. No USDC was moved.' },
  unknown: {
    tone: 'warn',
    text: 'Sent. Your wallet does not report whether it is confirmed. Look it up before you send again.',
  },
};

/** A transfer that is on its way, and what becomes of it. */
export function Sent({ title, transfer, to, where, onClose }: Props) {
  const outcome = useOutcome(transfer);
  const { tone, text } = told[outcome];
  return (
    <Sheet title={title} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <div className="grid gap-5">
        <Notice tone={tone}>{outcome === 'confirmed' ? `Confirmed. The money is in ${where}.` : text}</Notice>
        <Facts>
          <Fact name="Amount">
            <Money amount={usdcText(transfer.units)} />
          </Fact>
          <Fact name="To">
            <WalletAddress value={to} />
          </Fact>
          <Fact name="Transaction">
            <Hash chain={`eip155:${transfer.chainId}`} hash={transfer.hash} />
          </Fact>
        </Facts>
      </div>
    </Sheet>
  );
}
