import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import { useId } from 'react';
import { Message } from '../ui/message.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { type Answer, Decide } from './decide.tsx';
import { ActionFacts } from './facts.tsx';
import { ActionHeading } from './heading.tsx';
import type { Execution } from './names.ts';
import { Params } from './params.tsx';

type Props = {
  readonly executions: readonly Execution[];
  readonly onAnswer: (answer: Answer) => void;
};

/** Lists what waits for a person, or says that nothing does. */
export function Waiting({ executions, onAnswer }: Props) {
  if (executions.length === 0)
    return (
      <Message icon={CircleCheckBig} title="No actions are waiting">
        When an agent requests something that its policy does not let it do alone, it appears here
        automatically.
      </Message>
    );
  return (
    <ul className="divide-y divide-line">
      {executions.map((execution) => (
        <li key={execution.execution_id}>
          <WaitingAction execution={execution} alone={executions.length === 1} onAnswer={onAnswer} />
        </li>
      ))}
    </ul>
  );
}

type OneProps = Pick<Props, 'onAnswer'> & { readonly execution: Execution; readonly alone: boolean };

function WaitingAction({ execution, alone, onAnswer }: OneProps) {
  const { execution_id: executionId, action } = execution;
  const titleId = useId();
  return (
    <article aria-labelledby={titleId} className="grid gap-4 px-5 py-5">
      <ActionHeading execution={execution}>
        <h2 id={titleId} className="text-lg">
          <Link
            to="/actions/$executionId"
            params={{ executionId }}
            className="underline-offset-4 hover:underline"
          >
            <Verbatim text={action} />
          </Link>
        </h2>
      </ActionHeading>
      <Params executionId={executionId} />
      <ActionFacts execution={execution} />
      <footer className="flex flex-wrap justify-end gap-2">
        <Decide execution={execution} alone={alone} onAnswer={onAnswer} />
      </footer>
    </article>
  );
}
