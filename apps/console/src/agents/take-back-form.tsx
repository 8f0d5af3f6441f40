import type { Agent } from '@countersign/protocol/dashboard/agents';
import { readSweep, type SweepAuthorization } from '@countersign/protocol/gateway/sweep';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { CopyableText } from '../ui/copyable-text.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { focusFirstFault, TextArea } from '../ui/field.tsx';
import { FormSheet } from '../ui/form-sheet.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { chainName } from '../wallet/chains.ts';
import { authorizedTransferData, usdcText } from '../wallet/usdc.ts';
import { NotSent } from './not-sent.tsx';
import type { SentTransfer, Transfer, TransferState } from './transfer.ts';
import { WalletAddress } from './wallet-address.tsx';

type Props = {
  readonly title: string;
  readonly agent: Agent;
  readonly settlement: Transfer['settlement'];
  readonly latest: Exclude<TransferState, SentTransfer> | null;
  readonly run: (transfer: Transfer) => Promise<void>;
  readonly onClose: () => void;
};

/** Takes what the agent's key signed, shows what it moves, and has the owner's wallet send it. */
export function TakeBackForm({ title, agent, settlement, latest, run, onClose }: Props) {
  const sender = useSession().account.walletAddress;
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const busy = latest?.at === 'asking';
  const read = readFor(text, { from: agent.agentWallet, to: sender, settlement });
  const submit = (form: HTMLFormElement | null) => {
    setTried(true);
    if ('fault' in read) return form === null ? undefined : focusFirstFault(form);
    const { given } = read;
    const whyNot = () => Promise.resolve(isOver(given) ? ({ from: 'expired' } as const) : null);
    const data = authorizedTransferData(given);
    void run({ settlement, sender, units: BigInt(given.value), data, whyNot });
  };
  return (
    <FormSheet
      title={title}
      onClose={onClose}
      submitLabel={busy ? 'Confirm in your wallet' : 'Take back'}
      leave={busy ? 'Close' : 'Cancel'}
      busy={busy}
      problem={null}
      onSubmit={submit}
    >
      <p className="text-sm text-pretty text-muted">
        Only the agent’s key can move the money in its wallet. On the gateway’s machine, with the gateway’s
        environment, run this and paste its output:
      </p>
      <CopyableText label="Command" text="countersign gateway sweep" copyLabel="Copy command" whole />
      <TextArea
        label="Output of the command"
        autoComplete="off"
        value={text}
        readOnly={busy}
        onChange={({ target }) => setText(target.value)}
        error={(tried || text !== '') && !busy && 'fault' in read ? read.fault : null}
      />
      {'given' in read && <Way given={read.given} />}
      {busy && (
        <Notice>
          Your wallet is asking you. If it shows no request, check its activity, then reload this page.
        </Notice>
      )}
      {latest?.at === 'failed' && <NotSent problem={latest.problem} again={() => submit(null)} />}
    </FormSheet>
  );
}

type Wanted = Pick<Transfer, 'settlement'> & { readonly from: string; readonly to: string };

/** Reads the pasted authorization; returns what is wrong with it. The chain checks the signature. */
function readFor(
  text: string,
  { from, to, settlement }: Wanted,
): { readonly given: SweepAuthorization } | { readonly fault: string } {
  const given = readSweep(text);
  if (given === null) return { fault: 'Paste the whole line that begins with csw_.' };
  if (given.from !== from) return { fault: 'This is for another agent’s wallet.' };
  if (given.to !== to)
    return { fault: 'This goes to a wallet other than yours. Check the gateway’s OWNER_ADDRESS.' };
  if (given.chainId !== settlement.chainId || given.usdc !== settlement.usdc)
    return { fault: 'This is for another network. Check the gateway’s EVM_RPC_URL.' };
  if (isOver(given)) return { fault: 'This has expired. Run the command again.' };
  return { given };
}

const isOver = ({ validBefore }: SweepAuthorization): boolean => Number(validBefore) * 1000 <= Date.now();

const Way = ({ given: { from, to, value, chainId } }: { readonly given: SweepAuthorization }) => (
  <Facts>
    <Fact name="Amount">
      <Money amount={usdcText(BigInt(value))} />
    </Fact>
    <Fact name="From the agent’s wallet">
      <WalletAddress value={from} />
    </Fact>
    <Fact name="To your wallet">
      <WalletAddress value={to} />
    </Fact>
    <Fact name="Network">{chainName(chainId)}</Fact>
  </Facts>
);
