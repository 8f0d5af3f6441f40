import { type Amount, formatAmount } from '@countersign/protocol/decimal';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Field, focusFirstFault } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { moneyText } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { useBalance } from '../wallet/balance.ts';
import { chainName } from '../wallet/chains.ts';
import { readSent, transferData, usdcText } from '../wallet/usdc.ts';
import { NotSent } from './not-sent.tsx';
import type { SentTransfer, Transfer, TransferState } from './transfer.ts';
import { WalletAddress } from './wallet-address.tsx';

type Props = {
  readonly title: string;
  readonly latest: Exclude<TransferState, SentTransfer> | null;
  readonly way: Pick<Transfer, 'settlement' | 'whyNot'> & { readonly to: `0x${string}` };
  readonly run: (transfer: Transfer) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks for an amount. While the wallet is open, nothing can be changed. */
export function TopUpForm({ title, latest, way, run, onClose }: Props) {
  const from = useSession().account.walletAddress;
  const balance = useBalance(from).data;
  const held = balance?.ok === true ? balance.value : null;
  const [amount, setAmount] = useState(latest === null ? '' : usdcText(latest.units));
  const [tried, setTried] = useState(false);
  const busy = latest?.at === 'asking';
  const read = readSent(amount, held);
  const submit = (form: HTMLFormElement | null) => {
    setTried(true);
    if ('fault' in read) return form === null ? undefined : focusFirstFault(form);
    const { to, ...rest } = way;
    void run({ ...rest, sender: from, units: read.units, data: transferData(to, read.units) });
  };
  return (
    <FormSheet
      title={title}
      onClose={onClose}
      submitLabel={busy ? 'Confirm in your wallet' : 'Send from wallet'}
      leave={busy ? 'Close' : 'Cancel'}
      busy={busy}
      problem={null}
      onSubmit={submit}
    >
      <Field
        label="Amount"
        {...hintOf(held)}
        inputMode="decimal"
        autoComplete="off"
        unit="USDC"
        value={amount}
        readOnly={busy}
        onChange={({ target }) => setAmount(target.value)}
        error={tried && !busy && 'fault' in read ? read.fault : null}
      />
      <Way settlement={way.settlement} to={way.to} from={from} />
      <Caution busy={busy} />
      {latest?.at === 'failed' && <NotSent problem={latest.problem} again={() => submit(null)} />}
    </FormSheet>
  );
}

const hintOf = (held: Amount | null) =>
  held !== null && { hint: `Your wallet holds ${moneyText(formatAmount(held))} USDC.` };

const Caution = ({ busy }: { readonly busy: boolean }) =>
  busy ? (
    <Notice>
      Your wallet is asking you. If it shows no request, check its activity, then reload this page.
    </Notice>
  ) : (
    <p className="text-sm text-pretty text-muted">
      Your wallet asks for confirmation and adds the network fee. Whoever has the agent’s key can move the
      money in its wallet: keep there only what it needs soon.
    </p>
  );

type Parties = Pick<Transfer, 'settlement'> & { readonly to: string; readonly from: string };

/** Shows what the wallet will show as well, for comparison. */
const Way = ({ to, from, settlement }: Parties) => (
  <Facts>
    <Fact name="To the agent’s wallet">
      <WalletAddress value={to} />
    </Fact>
    <Fact name="From your wallet">
      <WalletAddress value={from} />
    </Fact>
    <Fact name="Network">{chainName(settlement.chainId)}</Fact>
    <Fact name="USDC contract">
      <WalletAddress value={settlement.usdc} />
    </Fact>
  </Facts>
);
