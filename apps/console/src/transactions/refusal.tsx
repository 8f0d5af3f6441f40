import type { WholeTransaction } from '@countersign/protocol/dashboard/transaction';
import { Link } from '@tanstack/react-router';
import { Notice } from '../ui/notice.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { unknownReason, type Why, whys } from './why.ts';

type Refused = Pick<
  WholeTransaction,
  'serviceResult' | 'reason' | 'metadata' | 'intentMandateId' | 'agent' | 'toolName'
>;

/** Why it was refused or failed, in a sentence, and the way out. `own`: the reader is the one who can take it. */
export function Refusal({ transaction, own }: { transaction: Refused; own: boolean }) {
  const { serviceResult, reason, metadata } = transaction;
  if (serviceResult === 'pass' || reason === null) return null;
  const why = whys[reason];
  if (why === undefined) {
    return (
      <Notice tone="warn">
        {unknownReason(serviceResult)} <Verbatim text={reason} />
      </Notice>
    );
  }
  const detail = metadata?.['why'];
  return (
    <Notice tone="warn">
      {!own && 'The payer sees: '}
      <span className="font-medium">{why.says}</span>
      {typeof detail === 'string' && (
        <>
          {' '}
          (<Verbatim text={detail} />)
        </>
      )}
      . {why.wayOut} {own && <WayOut why={why} transaction={transaction} />}
    </Notice>
  );
}

const look = 'font-medium underline underline-offset-4';

function WayOut({ why: { place }, transaction }: { why: Why; transaction: Refused }) {
  const { metadata, intentMandateId: mandateId } = transaction;
  switch (place) {
    case 'approval': {
      const approvalId = metadata?.['approvalId'];
      return typeof approvalId === 'string' ? (
        <Link to="/approvals/$approvalId" params={{ approvalId }} className={look}>
          View request
        </Link>
      ) : (
        <Link to="/approvals" className={look}>
          View approvals
        </Link>
      );
    }
    case 'mandates':
      return mandateId === null ? (
        <Link to="/mandates" className={look}>
          View mandates
        </Link>
      ) : (
        <Link to="/mandates/$mandateId" params={{ mandateId }} className={look}>
          View mandate
        </Link>
      );
    case 'compliance':
      return (
        <Link to="/compliance" className={look}>
          View checks
        </Link>
      );
    case null:
      return null;
  }
}
