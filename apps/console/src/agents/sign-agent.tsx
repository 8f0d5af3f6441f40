import type { Agent } from '@countersign/protocol/dashboard/agents';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import type { Problem } from '../api/problem.ts';
import { refresh } from '../api/queries.ts';
import { showToast } from '../ui/toasts.tsx';
import { SigningSheet } from '../wallet/signing-sheet.tsx';

export type ToSign = AnswerOf<'POST /api/agents/prepare-sign'>;

const words = {
  agentId: 'Agent',
  accountId: 'Account',
  owner: 'Your wallet',
  agentWallet: 'Paying wallet',
  name: 'Name',
  networks: 'May pay on',
  expiresAt: 'Valid until (UTC)',
};

type Props = {
  readonly toSign: ToSign;
  readonly onSigned: (agent: Agent) => void;
  readonly onClose: () => void;
};

/** The signature that makes a wallet one's agent. */
export function SignAgent({ toSign: { agentId, typedData }, onSigned, onClose }: Props) {
  const queries = useQueryClient();
  const send = async (signature: string): Promise<Problem | null> => {
    const answer = await call('POST /api/agents/sign', { body: { agentId, signature } });
    if (!answer.ok) return answer.error;
    showToast({ tone: 'ok', text: `“${answer.value.agent.name}” is your agent.` });
    void refresh(queries, '/api/agents', '/api/overview');
    onSigned(answer.value.agent);
    return null;
  };
  return (
    <SigningSheet typedData={typedData} words={words} send={send} onClose={onClose}>
      <p className="text-pretty text-muted">
        This wallet then pays as your agent, within a mandate that you sign for it. Until there is one, it
        pays nothing. Your wallet shows the same fields. Signing costs nothing and moves no money.
      </p>
    </SigningSheet>
  );
}
