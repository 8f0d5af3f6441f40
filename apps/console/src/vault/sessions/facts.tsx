import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Address } from '../../ui/address.tsx';
import { legible } from '../../ui/legible.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Actor } from '../actor.tsx';
import { askVault } from '../call.ts';
import { approvalNames, type Session } from './names.ts';
import { SessionTimeLeft } from './state.tsx';

/** Shows the parameters with which a session was opened. */
export function SessionFacts({ session }: { session: Session }) {
  const { approval, created_at, credential_ids, allowed_urls, id } = session;
  return (
    <Section title="Session">
      <div className="px-5 py-1">
        <Facts>
          <Fact name="Time left">
            <SessionTimeLeft session={session} />
          </Fact>
          <WhoOpened session={session} />
          <Fact name="Allowed sites">
            <ul className="font-mono text-xs leading-6">
              {allowed_urls.map((url) => (
                <li key={url} className="[overflow-wrap:anywhere]">
                  {legible(url)}
                </li>
              ))}
            </ul>
          </Fact>
          <Fact name="Credentials">
            {credential_ids.length === 0 ? (
              <span className="text-muted">none</span>
            ) : (
              <ul>
                {credential_ids.map((each) => (
                  <li key={each}>
                    <CredentialName id={each} />
                  </li>
                ))}
              </ul>
            )}
          </Fact>
          <Fact name="Approval required">{approvalNames[approval]}</Fact>
          <Fact name="Opened">
            <Time at={created_at} />
          </Fact>
          <Fact name="Audit log">
            <Link
              to="/vault/audit"
              search={{ session: id }}
              className="font-medium text-accent-ink underline-offset-4 hover:underline"
            >
              View audit records
            </Link>
          </Fact>
          <Fact name="Id">
            <Address value={id} name="id" />
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}

function WhoOpened({ session: { agent_did, opened_by } }: { session: Session }) {
  return (
    <>
      {agent_did !== null && (
        <Fact name="Agent">
          <span className="font-mono [overflow-wrap:anywhere]">{legible(agent_did)}</span>{' '}
          <Link
            to="/vault/audit"
            search={{ agent: agent_did }}
            className="font-medium whitespace-nowrap text-accent-ink underline-offset-4 hover:underline"
          >
            View all activity
          </Link>
        </Fact>
      )}
      {opened_by !== null && (
        <Fact name="Opened by">
          <Actor actor={opened_by} agent={null} />
        </Fact>
      )}
    </>
  );
}

/** Its service; or its id, where it was deleted or may not be seen. */
export function CredentialName({ id }: { id: string }) {
  const { data } = useQuery(askVault('GET /api/v1/credentials/:id', { params: { id } }));
  return data === undefined ? (
    <Address value={id} name="credential id" />
  ) : (
    <span className="[overflow-wrap:anywhere]">{legible(data.service_id)}</span>
  );
}
