import type { Agent } from '@countersign/protocol/dashboard/agents';
import { ok, type Result } from '@countersign/protocol/result';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useAct } from '../api/deed.ts';
import type { Problem } from '../api/problem.ts';
import { beginningOf } from '../ui/brief.tsx';
import { Notice } from '../ui/notice.tsx';
import { Question } from '../ui/question.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { useKeysThatEnd } from './agent-keys.tsx';
import { findAgent } from './queries.ts';
import { agentName } from './state.tsx';

type Props = { readonly agent: Agent; readonly onClose: () => void };

/** Questions whose answers change when an agent stops. */
export const outdatedByStop = ['/api/agents', '/api/mandates', '/api/keys', '/api/overview'] as const;

/**
 * Asks once more, because there is no way back from it; what was never signed is refused in the same way. Whether it is
 * signed counts when it is done: where that has changed since the question was read, it is put anew.
 */
export function StopAgent({ agent: opened, onClose }: Props) {
  const [agent, setAgent] = useState(opened);
  const [changed, setChanged] = useState(false);
  const { run, ...state } = useAct(stopUnlessChanged, ...outdatedByStop);
  const isNew = agent.state === 'announced';
  const stop = async () => {
    setChanged(false);
    const answer = await run(agent);
    if (answer === null) return;
    if (!answer.done) {
      setAgent(answer.agent);
      return setChanged(true);
    }
    showToast({ tone: 'ok', text: isNew ? 'Refused.' : `“${beginningOf(agentName(agent))}” is stopped.` });
    onClose();
  };
  return (
    <Question
      title={isNew ? 'Refuse this gateway?' : 'Stop this agent?'}
      submitLabel={isNew ? 'Refuse gateway' : 'Stop agent'}
      onYes={() => void stop()}
      onClose={onClose}
      {...state}
    >
      {changed && <Notice tone="warn">You have signed for this agent since you opened this.</Notice>}
      {isNew ? (
        <p className="text-pretty text-muted">
          This wallet will never pay for you, and cannot ask again. This cannot be undone: to let the gateway
          pay after all, start it with another key. If you do not recognise it, revoke the API key that it
          used.
        </p>
      ) : (
        <WhatStops agent={agent} />
      )}
    </Question>
  );
}

type Stopped = { readonly done: true } | { readonly done: false; readonly agent: Agent };

/** Stops an agent that is as it was shown; otherwise gives it as it is. */
async function stopUnlessChanged(shown: Agent): Promise<Result<Stopped, Problem>> {
  const found = await findAgent(shown.agentId);
  if (!found.ok) return found;
  const isSigned = found.value?.state === 'active' || found.value?.state === 'expired';
  if (shown.state === 'announced' && isSigned) return ok({ done: false, agent: found.value });
  const answer = await call('POST /api/agents/revoke', { body: { agentId: shown.agentId } });
  return answer.ok ? ok({ done: true }) : answer;
}

const WhatStops = ({ agent }: { agent: Agent }) => (
  <>
    <p className="text-pretty text-muted">
      “<Verbatim text={beginningOf(agentName(agent))} />” pays nothing from now on, and its mandate is
      revoked; clients that act as it are disconnected. A payment already in progress may still arrive. This
      cannot be undone: to start again, add an agent with a new key.
    </p>
    <KeysThatEnd agent={agent} />
    <p className="text-pretty text-muted">
      Money left in its wallet stays there until you take it back, which needs the agent’s key.
    </p>
  </>
);

/** A report of the last payments may still be with the gateway, whose key ends. */
function KeysThatEnd({ agent }: { agent: Agent }) {
  const keys = useKeysThatEnd(agent);
  if (keys === null || keys === 0) return null;
  return (
    <p className="text-pretty text-muted">
      {keys === 1 ? 'The API key that is' : `The ${keys} API keys that are`} for this agent alone{' '}
      {keys === 1 ? 'is' : 'are'} revoked too. What its gateway has paid and not reported yet stays out of the
      log until you give that gateway another key.
    </p>
  );
}
