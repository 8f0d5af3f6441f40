import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { Link } from '@tanstack/react-router';
import { Signature } from 'lucide-react';
import { BriefMandate } from '../mandates/brief-mandate.tsx';
import { BriefPayer } from '../mandates/payer.tsx';
import { buttonLook } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

/** Shows what is left of the active mandate, or how to create one. */
export function ActiveMandate({ mandate }: { mandate: Mandate | null }) {
  if (mandate === null) {
    const begin = (
      <Link to="/mandates" className={buttonLook('primary')}>
        Go to mandates
      </Link>
    );
    return (
      <Message icon={Signature} title="No active mandate" action={begin}>
        Your agent cannot pay for anything until you sign one.
      </Message>
    );
  }
  return (
    <BriefMandate mandate={mandate}>
      {mandate.agentWallet != null && (
        <>
          for <BriefPayer mandate={mandate} />,{' '}
        </>
      )}
    </BriefMandate>
  );
}
