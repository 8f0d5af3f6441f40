import type { Agent } from '@countersign/protocol/dashboard/agents';
import { ok, type Result } from '@countersign/protocol/result';
import { useAct } from '../api/deed.ts';
import { call } from '../api/call.ts';
import type { Problem } from '../api/problem.ts';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';
import { outdatedByStop } from './stop-agent.tsx';

type Props = { readonly agents: readonly Agent[]; readonly onClose: () => void };

/** Asks once for all gateways that waited when it was opened; one that was signed for meanwhile stays. */
export function RefuseAll({ agents, onClose }: Props) {
  const { run, ...state } = useAct(refuseEach, ...outdatedByStop);
  const refuse = async () => {
    const refused = await run(agents);
    if (refused === null) return;
    showToast({
      tone: 'ok',
      text: refused === 1 ? '1 gateway is refused.' : `${refused} gateways are refused.`,
    });
    onClose();
  };
  return (
    <Question
      title={`Refuse all ${agents.length} gateways?`}
      submitLabel={`Refuse ${agents.length} gateways`}
      onYes={() => void refuse()}
      onClose={onClose}
      {...state}
    >
      <p className="text-pretty text-muted">
        None of these wallets will ever pay for you, and none can ask again. This cannot be undone: to let one
        of them pay after all, start its gateway with another key. If you do not recognise them, revoke the
        API key that they used; otherwise others can follow.
      </p>
    </Question>
  );
}

/** Refuses the agents that were waiting when it began, and returns how many. */
async function refuseEach(agents: readonly Agent[]): Promise<Result<number, Problem>> {
  let refused = 0;
  const waiting = await call('POST /api/agents/list', { body: { state: 'announced', limit: 100 } });
  if (!waiting.ok) return waiting;
  const still = new Set(waiting.value.data.map(({ agentId }) => agentId));
  for (const { agentId } of agents) {
    if (!still.has(agentId)) continue;
    const answer = await call('POST /api/agents/revoke', { body: { agentId } });
    if (!answer.ok) return answer;
    refused += 1;
  }
  return ok(refused);
}
