import { Verbatim } from '../../ui/verbatim.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { AppWindow, ChevronLeft } from 'lucide-react';
import { isMissing } from '../../api/problem.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Message } from '../../ui/message.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { askVault } from '../call.ts';
import { useVaultSession } from '../session.ts';
import { VaultPage } from '../vault-page.tsx';
import { SessionActions } from './actions.tsx';
import { SessionFacts } from './facts.tsx';
import { Isolation } from './isolation.tsx';
import { useLive } from './live.ts';
import { LiveView } from './live-view.tsx';
import { endings, type Session } from './names.ts';
import { OperationLog } from './operation-log.tsx';
import { isOpen, SessionTimeLeft } from './state.tsx';
import { WaitingOperations } from './waiting.tsx';

/** Shows one session: the agent's view, its operations and their reviews, and what waits for a person. */
export function SessionPage() {
  const { sessionId } = useParams({ from: '/frame/vault/sessions/$sessionId' });
  const signedIn = useVaultSession().state === 'open';
  const session = useQuery({
    ...askVault('GET /api/v1/sandbox/sessions/:id', { params: { id: sessionId } }),
    enabled: signedIn,
  });
  const found = session.data;
  return (
    <>
      <Link
        to="/vault/sessions"
        className="mb-3 inline-flex items-center gap-1 text-sm text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
        Sessions
      </Link>
      <VaultPage
        title="Browser session"
        about={found && <Task session={found} />}
        actions={found && isOpen(found) ? <SessionActions session={found} /> : undefined}
      >
        {isMissing(session.error) ? (
          <NoSuchSession />
        ) : (
          <Loaded query={session} skeleton={<BoneRows rows={6} />}>
            {(loaded) => <WholeSession session={loaded} />}
          </Loaded>
        )}
      </VaultPage>
    </>
  );
}

function Task({ session }: { session: Session }) {
  return (
    <>
      <span className="line-clamp-3 [overflow-wrap:anywhere]">
        “<Verbatim text={session.task} />”
      </span>
      {isOpen(session) && (
        <span className="mt-1 block text-sm">
          <SessionTimeLeft session={session} />
        </span>
      )}
    </>
  );
}

function NoSuchSession() {
  return (
    <div className="card">
      <Message icon={AppWindow} title="Session not found">
        It may belong to another user of the vault.
      </Message>
    </div>
  );
}

function WholeSession({ session }: { session: Session }) {
  const live = useLive(session.id, isOpen(session));
  const { closed_reason } = session;
  return (
    <>
      {closed_reason !== undefined && (
        <Notice tone={closed_reason === 'asked' || closed_reason === 'expired' ? 'plain' : 'bad'}>
          {endings[closed_reason]}
        </Notice>
      )}
      {session.pending_approvals.length > 0 && <WaitingOperations session={session} />}
      <LiveView session={session} live={live} />
      <OperationLog session={session} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <SessionFacts session={session} />
        <Isolation isolation={session.isolation} />
      </div>
    </>
  );
}
