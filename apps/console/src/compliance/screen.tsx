import { type FormEvent, useState } from 'react';
import { useDeed } from '../api/deed.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import { Address } from '../ui/address.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { Time } from '../ui/time.tsx';
import { typedText } from '../ui/typed-text.ts';
import { providerName } from './names.ts';
import { Risk } from './state.tsx';

type Screening = AnswerOf<'POST /api/compliance/screen'>;

/** Chains that screening knows, by the names that it takes. */
const chains = [
  ['base', 'Base'],
  ['base-sepolia', 'Base Sepolia'],
  ['ETH', 'Ethereum'],
  ['polygon', 'Polygon'],
  ['arbitrum', 'Arbitrum One'],
  ['optimism', 'OP Mainnet'],
] as const;

/** Asks about any address what the gateway asks before every payment. */
export function Screen() {
  const [answer, setAnswer] = useState<Screening | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { busy, problem, run } = useDeed('POST /api/compliance/screen');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const walletAddress = typedText(form, 'address');
    setAnswer(null);
    if (!/^0x[0-9a-f]{40}$/i.test(walletAddress))
      return setFault('Enter an address: 0x followed by 40 hex digits.');
    setFault(null);
    setAnswer(await run({ body: { walletAddress, chain: typedText(form, 'chain') } }));
  };
  return (
    <Section title="Screen an address">
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-wrap items-start gap-4 px-5 py-5"
      >
        <Field
          label="Address"
          name="address"
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          error={fault}
          className="min-w-0 flex-[1_1_320px]"
        />
        <Select label="Chain" name="chain" options={chains} className="flex-[0_1_180px]" />
        <Button submit busy={busy} className="mt-[26px] min-h-10">
          Screen address
        </Button>
      </form>
      {problem !== null && (
        <div className="px-5 pb-5">
          <Notice tone="bad">{problem} This is not a pass.</Notice>
        </div>
      )}
      <div role="status">{answer !== null && <Answer answer={answer} />}</div>
    </Section>
  );
}

function Answer({ answer }: { answer: Screening }) {
  const { address, decision, riskLevel, riskScore, source, listDate, at } = answer;
  return (
    <div className="border-t border-line px-5 py-1">
      <Facts>
        <Fact name="Address">
          <Address value={address} />
        </Fact>
        <Fact name="Result">
          {decision === 'pass' ? <Badge tone="ok">Pass</Badge> : <Badge tone="bad">Refused</Badge>}
        </Fact>
        <Fact name="Risk">
          <Risk level={riskLevel} /> <span className="figures text-muted">{riskScore} out of 100</span>
        </Fact>
        <Fact name="Source">
          {providerName(source)}
          {listDate !== null && (
            <span className="text-muted">
              , list dated <Time at={listDate} as="day" />
            </span>
          )}
        </Fact>
        <Fact name="When">
          <Time at={at} />
        </Fact>
      </Facts>
    </div>
  );
}
