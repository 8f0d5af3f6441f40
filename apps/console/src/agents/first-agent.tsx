import { Bot } from 'lucide-react';
import { Message } from '../ui/message.tsx';
import { SetupSteps } from './setup-steps.tsx';

/** Explains what an agent wallet is and how to get one. */
export function FirstAgent() {
  return (
    <div className="card min-w-0">
      <Message icon={Bot} title="No agents yet">
        An agent wallet is the wallet of one gateway. It holds the money that the agent may spend, and its key
        signs payments. It cannot sign mandates or approvals: those need your own wallet, whose key stays with
        you.
      </Message>
      <div className="border-t border-line px-5 py-6">
        <div className="mx-auto max-w-[520px]">
          <SetupSteps />
        </div>
      </div>
    </div>
  );
}
