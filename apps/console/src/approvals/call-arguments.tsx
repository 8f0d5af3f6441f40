import type { Approval, CallArguments as Told } from '@countersign/protocol/dashboard/approvals';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/queries.ts';
import { JsonText } from '../ui/json-text.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Ticks } from '../ui/ticks.tsx';
import { hashes, shownValue } from './arguments-text.ts';

type Props = { readonly approval: Pick<Approval, 'approvalId' | 'argumentsHash'> };

/** Shows the call's arguments, checked in this browser against the hash that the owner signs. */
export function CallArguments({ approval }: Props) {
  const { approvalId, argumentsHash } = approval;
  const told = useQuery(ask('GET /api/approvals/:approvalId/arguments', { params: { approvalId } }));
  return (
    <Loaded query={told} skeleton={<BoneRows rows={2} />}>
      {(answer) =>
        answer.state === 'kept' ? (
          <Shown text={answer.arguments} argumentsHash={argumentsHash} />
        ) : (
          <p className="text-pretty text-sm text-muted">{why[answer.state]}</p>
        )
      }
    </Loaded>
  );
}

function Shown({ text, argumentsHash }: { text: string; argumentsHash: string }) {
  const holds = hashes(text, argumentsHash);
  return (
    <div className="grid gap-3">
      {!holds && (
        <Notice tone="bad">
          These arguments do not match the hash below. Do not sign: the payment is for a different call.
        </Notice>
      )}
      <JsonText label="Call arguments as JSON" value={shownValue(text)} whole />
      <div role="status" className="text-sm">
        <Ticks ticks={[{ says: 'They match the hash that you sign, computed in this browser', holds }]} />
      </div>
    </div>
  );
}

const why: Readonly<Record<Exclude<Told['state'], 'kept'>, string>> = {
  'hash-only':
    'The gateway sent only the hash of the arguments (APPROVAL_ARGUMENTS=hash, or they are larger than 16 KiB). Ask your agent what the arguments are.',
  'not-kept':
    'This dashboard did not keep the arguments because it has no EVIDENCE_KEY to seal them with. Only their hash is known.',
  over: 'The arguments were deleted a day after the decision. Their hash is kept.',
};
