import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { KeyForm } from './key-form.tsx';
import { NoPart } from '../session/no-part.tsx';
import { Joining } from '../session/joining.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { forgetControlKey, joinControlPlane, useControlSession } from './session.ts';
import { useWaitingTotal } from './waiting-count.ts';

type Props = Omit<ComponentProps<typeof Page>, 'children'> & { readonly children: ReactNode };

/** A page for which an approver's key must be shown. */
export function ControlPage({ actions, children, ...about }: Props) {
  const session = useControlSession();
  const { state } = session;
  const queries = useQueryClient();
  const isOpen = state === 'open';
  useEffect(() => {
    if (!isOpen) forgetAnswers(queries);
  }, [isOpen, queries]);
  return (
    <Page {...about} actions={isOpen ? actions : undefined}>
      {session.state === 'open' ? (
        <>
          <WhoIsIn name={session.name} />
          <Silence />
          {children}
        </>
      ) : session.state === 'asking' || session.state === 'failed' ? (
        <Joining
          problem={session.state === 'failed' ? session.problem : null}
          onAgain={() => void joinControlPlane()}
        />
      ) : (
        <>
          {state === 'stranger' && <NoPart of="control plane" own="If you have an approver key, enter it." />}
          <KeyForm ended={state === 'ended'} />
        </>
      )}
    </Page>
  );
}

function WhoIsIn({ name }: { name: string | null }) {
  const line = '-mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted';
  if (name !== null)
    return (
      <p className={line}>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          Signed in as{' '}
          <span className="font-medium text-ink">
            <Verbatim text={name} />
          </span>
        </span>
      </p>
    );
  return (
    <p className={line}>
      You are using the approver key you entered.
      <button
        type="button"
        onClick={forgetControlKey}
        className="min-h-6 font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        Forget key
      </button>
    </p>
  );
}

/** Says when the control plane answers no longer: what is shown may then be past. */
function Silence() {
  const { data, error } = useWaitingTotal();
  if (data === undefined || error === null) return null;
  return <Notice tone="warn">{error.message} This page shows earlier data.</Notice>;
}

/** Clears the cache. INVARIANT: what was read with one key must not be visible with the next. */
const forgetAnswers = (queries: QueryClient): void =>
  queries.removeQueries({
    predicate: ({ queryKey: [endpoint] }) => String(endpoint).split(' ')[1]?.startsWith('/v1/') ?? false,
  });
