import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { beginningOf } from '../ui/brief.tsx';
import { Time } from '../ui/time.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { NewAgent } from './new-agent.tsx';
import { RefuseAll } from './refuse-all.tsx';
import { StopAgent } from './stop-agent.tsx';
import { WalletAddress } from './wallet-address.tsx';

type Work =
  | { readonly kind: 'sign' | 'refuse'; readonly agent: Agent }
  | { readonly kind: 'refuse-all'; readonly agents: readonly Agent[] };

/** Gateways that wait for the owner's word; nothing while none does. */
export function Announced({ agents }: { agents: readonly Agent[] }) {
  const [work, setWork] = useState<Work | null>(null);
  const close = () => setWork(null);
  return (
    <>
      {agents.length > 0 && (
        <section aria-label="Waiting for your signature" className="card min-w-0">
          <Asked agents={agents} onWork={setWork} />
        </section>
      )}
      {work?.kind === 'sign' && <NewAgent agent={work.agent} onClose={close} />}
      {work?.kind === 'refuse' && <StopAgent agent={work.agent} onClose={close} />}
      {work?.kind === 'refuse-all' && <RefuseAll agents={work.agents} onClose={close} />}
    </>
  );
}

const shownAtFirst = 10;

type AskedProps = { readonly agents: readonly Agent[]; readonly onWork: (work: Work) => void };

function Asked({ agents, onWork }: AskedProps) {
  const [all, setAll] = useState(false);
  const shown = all ? agents : agents.slice(0, shownAtFirst);
  const more = agents.length - shown.length;
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((agent) => (
          <li key={agent.agentId}>
            <Asking
              agent={agent}
              onSign={() => onWork({ kind: 'sign', agent })}
              onRefuse={() => onWork({ kind: 'refuse', agent })}
            />
          </li>
        ))}
      </ul>
      {agents.length > 1 && (
        <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
          {more > 0 && <Button onClick={() => setAll(true)}>Show {more} more</Button>}
          <Button kind="danger" onClick={() => onWork({ kind: 'refuse-all', agents })}>
            Refuse all {agents.length}
          </Button>
        </div>
      )}
    </>
  );
}

type Props = { readonly agent: Agent; readonly onSign: () => void; readonly onRefuse: () => void };

function Asking({ agent, onSign, onRefuse }: Props) {
  const { agentWallet, createdAt } = agent;
  const titleId = useId();
  const addressId = useId();
  return (
    <article aria-labelledby={titleId} className="grid gap-4 px-5 py-5">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={titleId} className="text-lg">
          A gateway wants to pay as your agent
        </h2>
        <p className="text-sm text-muted">
          <Time at={createdAt} as="relative" />
        </p>
      </header>
      <div className="rounded-md border border-line bg-sunken px-4 py-3">
        <p className="text-xs text-muted">Its wallet address</p>
        <WalletAddress value={agentWallet} id={addressId} />
      </div>
      <p className="max-w-[70ch] text-sm text-pretty text-muted">
        It used <ByKey agent={agent} />. Compare the whole address, group by group, with the one that your
        gateway shows when it starts, and sign only if they are equal. If you have not started a gateway,
        refuse it and revoke that key.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="danger" aria-describedby={addressId} onClick={onRefuse}>
          Refuse
        </Button>
        <Button kind="primary" aria-describedby={addressId} onClick={onSign}>
          Review and sign
        </Button>
      </div>
    </article>
  );
}

/** A dashboard of before does not tell which. */
function ByKey({ agent: { announcedBy } }: Pick<Props, 'agent'>) {
  if (!announcedBy) return 'one of your API keys';
  return (
    <>
      your API key “<Verbatim text={beginningOf(announcedBy.name)} />” (
      <code className="font-mono">{announcedBy.prefix}…</code>)
    </>
  );
}
