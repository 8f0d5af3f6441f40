import { useState } from 'react';
import { useDeed } from '../api/deed.ts';
import { useMay, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Question } from '../ui/question.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { beginningOf } from '../ui/brief.tsx';
import { ChangeRoles } from './change-roles.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { waysOf } from './person-table.tsx';
import type { NewInvitation, Person } from './queries.ts';
import { namesOf, offersOf } from './roles.ts';

type Props = { readonly person: Person; readonly onClose: () => void };
type Doing = 'looking' | 'changing' | 'removing' | NewInvitation;

/** Shows one person and the actions on them. */
export function PersonSheet({ person, onClose }: Props) {
  const [doing, setDoing] = useState<Doing>('looking');
  const back = () => setDoing('looking');
  if (doing === 'changing') return <ChangeRoles person={person} onDone={onClose} onClose={back} />;
  if (doing === 'removing') return <Remove person={person} onDone={onClose} onClose={back} />;
  if (doing !== 'looking') return <InvitationLink made={doing} onClose={onClose} />;
  return <Look person={person} onClose={onClose} onDo={setDoing} />;
}

function Look({ person, onClose, onDo }: Props & { readonly onDo: (doing: Doing) => void }) {
  const renew = useDeed('POST /api/people/:id/invitation', '/api/people');
  const renewing = async () => {
    const made = await renew.run({ params: { id: person.id } });
    if (made !== null) onDo(made);
  };
  const isOfProvider = person.issuer !== null;
  const mayRenew = useMay('renewSignIn') && !person.holder && !isOfProvider;
  const isMine = useIsMine(person);
  return (
    <Sheet
      title={beginningOf(person.name)}
      onClose={onClose}
      actions={
        <>
          {mayRenew && (
            <Button busy={renew.busy} onClick={() => void renewing()}>
              Renew sign-in
            </Button>
          )}
          {isMine && (
            <>
              {!isOfProvider && <Button onClick={() => onDo('changing')}>Change roles</Button>}
              <Button kind="danger" onClick={() => onDo('removing')}>
                Remove
              </Button>
            </>
          )}
        </>
      }
    >
      <Facts>
        <Fact name="Name">
          <Verbatim text={person.name} />
        </Fact>
        <Fact name="Roles">{namesOf(person.roles)}</Fact>
        <Fact name="Signs in with">{waysOf(person)}</Fact>
        {person.userName !== null && (
          <Fact name="User name">
            <span className="font-mono [overflow-wrap:anywhere]">{person.userName}</span>
          </Fact>
        )}
        {person.issuer !== null && (
          <Fact name="Provider">
            <Verbatim text={person.issuer} />
          </Fact>
        )}
        <Fact name="Since">
          <Time at={person.createdAt} />
        </Fact>
      </Facts>
      {isOfProvider && (
        <Notice>Their groups at the provider determine these roles. They are read at each sign-in.</Notice>
      )}
      {renew.problem !== null && <Notice tone="bad">{renew.problem}</Notice>}
    </Sheet>
  );
}

/** Returns whether they are mine to change: nobody is whose roles are higher, nor I myself. */
function useIsMine(person: Person): boolean {
  const { person: me } = useSession();
  const may = useMay('removePerson');
  const offers = offersOf(me.roles).map(([role]) => role);
  return may && !person.holder && person.id !== me.id && person.roles.every((role) => offers.includes(role));
}

function Remove({ person, onDone, onClose }: Props & { readonly onDone: () => void }) {
  const { busy, problem, run } = useDeed('DELETE /api/people/:id', '/api/people', '/api/auth/sessions');
  const remove = async () => {
    if ((await run({ params: { id: person.id } })) === null) return;
    showToast({ tone: 'ok', text: 'Person removed.' });
    onDone();
  };
  return (
    <Question
      title="Remove this person?"
      submitLabel="Remove person"
      busy={busy}
      problem={problem}
      onYes={() => void remove()}
      onClose={onClose}
    >
      <p className="text-pretty [overflow-wrap:anywhere]">
        <Verbatim text={person.name} /> is signed out everywhere immediately, and their open invitations are
        revoked. API keys that they created and clients that they connected end as well.
        {person.issuer !== null && ' They stay out, whatever their groups, until an owner readmits them.'}
      </p>
    </Question>
  );
}
