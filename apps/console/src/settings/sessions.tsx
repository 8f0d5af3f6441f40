import { useQuery } from '@tanstack/react-query';
import { useDeed } from '../api/deed.ts';
import type { AnswerOf } from '../api/endpoint.ts';
import { ask } from '../api/queries.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { beginningOf } from '../ui/brief.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { showToast } from '../ui/toasts.tsx';

type Session = AnswerOf<'GET /api/auth/sessions'>['data'][number];

const sessions = ask('GET /api/auth/sessions', {});

/** Lists the account's sessions that one may see. The list is never empty: it includes one's own. */
export function Sessions() {
  const list = useQuery(sessions);
  return (
    <Section title="Sessions">
      <Loaded query={list} skeleton={<BoneRows rows={2} />}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function SessionItem({ session }: { session: Session }) {
  const { createdAt, lastSeenAt, expiresAt, current, person } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5 text-sm">
      <div>
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span>
            Signed in <Time at={createdAt} />
          </span>
          {person.id !== 'holder' && (
            <span className="font-medium">
              <Verbatim text={beginningOf(person.name)} />
            </span>
          )}
          {current && <Badge tone="accent">This browser</Badge>}
        </p>
        <p className="text-muted">
          last seen <Time at={lastSeenAt} as="relative" />, expires <Time at={expiresAt} as="relative" />
        </p>
      </div>
      {current ? <SignOut /> : <End session={session} />}
    </li>
  );
}

function SignOut() {
  const signOut = useSignOut();
  return <Button onClick={() => void signOut()}>Sign out</Button>;
}

/** Whoever ended the wrong one signs in again: no question before it. */
function End({ session: { id, createdAt } }: { session: Session }) {
  const { busy, problem, run } = useDeed('DELETE /api/auth/sessions/:id', '/api/auth/sessions');
  const end = async () => {
    if ((await run({ params: { id } })) !== null) showToast({ tone: 'ok', text: 'Session ended.' });
  };
  return (
    <div className="text-right">
      <Button
        kind="danger"
        busy={busy}
        aria-label={`End session from ${new Date(createdAt).toLocaleString('en-GB')}`}
        onClick={() => void end()}
      >
        End session
      </Button>
      {problem !== null && (
        <p role="alert" className="mt-1 text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
