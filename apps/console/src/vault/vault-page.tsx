import { Verbatim } from '../ui/verbatim.tsx';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { changesTheVault } from '@countersign/protocol/dashboard/elsewhere';
import { useSession } from '../session/session.ts';
import { Page } from '../ui/page.tsx';
import { NoPart } from '../session/no-part.tsx';
import { Joining } from '../session/joining.tsx';
import { joinVault, signOutOfVault, useVaultSession } from './session.ts';
import { VaultSignIn } from './sign-in.tsx';
import { SimulatedBadge } from './simulated.tsx';

type Props = Omit<ComponentProps<typeof Page>, 'children'> & { readonly children: ReactNode };

/** A page for which somebody must be signed in to the vault, with who that is. */
export function VaultPage({ actions, children, ...about }: Props) {
  const session = useVaultSession();
  const queries = useQueryClient();
  const isOpen = session.state === 'open';
  const { roles } = useSession().person;
  const bySession = session.state === 'open' && session.by === 'session';
  const changes = !bySession || changesTheVault(roles);
  useEffect(() => {
    if (!isOpen) forgetAnswers(queries);
  }, [isOpen, queries]);
  return (
    <Page {...about} actions={isOpen && changes ? actions : undefined}>
      {session.state === 'open' ? (
        <>
          <div className="-mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <SimulatedBadge />
            <p className="min-w-0 [overflow-wrap:anywhere]">
              Signed in to the vault as{' '}
              <span className="font-medium text-ink">
                <Verbatim text={session.username} />
              </span>
            </p>
            {!bySession && (
              <button
                type="button"
                onClick={() => void signOutOfVault()}
                className="min-h-6 font-medium text-accent-ink underline-offset-4 hover:underline"
              >
                Sign out of the vault
              </button>
            )}
          </div>
          {children}
        </>
      ) : session.state === 'asking' || session.state === 'failed' ? (
        <Joining
          problem={session.state === 'failed' ? session.problem : null}
          onAgain={() => void joinVault()}
        />
      ) : (
        <>
          {session.state === 'stranger' && (
            <NoPart of="vault" own="If you have a user of your own there, sign in with it." />
          )}
          <VaultSignIn ended={session.state === 'ended'} />
        </>
      )}
    </Page>
  );
}

/** Clears the cache. INVARIANT: what one user read of the vault must not be visible to the next. */
const forgetAnswers = (queries: QueryClient): void =>
  queries.removeQueries({
    predicate: ({ queryKey: [endpoint] }) => {
      const path = String(endpoint).split(' ')[1] ?? '';
      return path.startsWith('/api/v1/') && path !== '/api/v1/attestation/report';
    },
  });
