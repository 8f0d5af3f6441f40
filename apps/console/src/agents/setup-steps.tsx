import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import { CopyableText } from '../ui/copyable-text.tsx';

const freshKey = 'echo "0x$(openssl rand -hex 32)"';

const environment = (owner: string) => `EVM_PRIVATE_KEY=0x…
OWNER_ADDRESS=${owner}
COMPLIANCE_API_KEY=csk_…`;

/** Explains how to let a gateway pay as an agent of this account, with the owner's address filled in. */
export function SetupSteps() {
  const { account } = useSession();
  return (
    <ol className="grid gap-6 text-sm">
      <Step number={1} title="Create a new key for the agent">
        <p className="text-pretty text-muted">
          On the machine where the gateway runs. Never use your own wallet’s key: whoever has the agent’s key
          can spend the money in the agent’s wallet, but none of yours.
        </p>
        <CopyableText label="Command that creates a key" text={freshKey} copyLabel="Copy command" whole />
      </Step>
      <Step number={2} title="Give it to the gateway">
        <p className="text-pretty text-muted">
          As environment variables, with the new key and an{' '}
          <Link to="/keys" className="font-medium text-accent-ink underline underline-offset-4">
            API key
          </Link>{' '}
          of yours in their places. OWNER_ADDRESS is your wallet’s address.
        </p>
        <CopyableText
          label="Variables of the gateway"
          text={environment(account.walletAddress)}
          copyLabel="Copy variables"
          whole
        />
      </Step>
      <Step number={3} title="Start the gateway">
        <p className="text-pretty text-muted">
          It appears on this page automatically. Compare its address, name it and sign: this costs nothing and
          moves no money.
        </p>
      </Step>
    </ol>
  );
}

type StepProps = { readonly number: number; readonly title: string; readonly children: ReactNode };

const Step = ({ number, title, children }: StepProps) => (
  <li className="flex gap-3">
    <span
      aria-hidden="true"
      className="figures grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-medium text-muted"
    >
      {number}
    </span>
    <div className="grid min-w-0 flex-1 gap-2">
      <p className="pt-0.5 font-medium">{title}</p>
      {children}
    </div>
  </li>
);
