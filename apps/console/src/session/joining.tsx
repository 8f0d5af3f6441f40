import { CloudOff } from 'lucide-react';
import { type Problem, problemText } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { BoneRows } from '../ui/skeleton.tsx';

type Props = { readonly problem: Problem | null; readonly onAgain: () => void };

/** Stands where another part’s page will, while it lets in who is signed in here; or says why it did not. */
export function Joining({ problem, onAgain }: Props) {
  if (problem === null)
    return (
      <div aria-busy="true">
        <span className="sr-only" role="status">
          Signing you in
        </span>
        <BoneRows rows={6} />
      </div>
    );
  return (
    <div role="alert" className="card">
      <Message
        icon={CloudOff}
        title="Could not sign you in"
        action={<Button onClick={onAgain}>Try again</Button>}
      >
        {problemText(problem)}
      </Message>
    </div>
  );
}
