import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Address } from '../../ui/address.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { askVault } from '../call.ts';
import { approvalNames, type Session } from './names.ts';
import { SessionTimeLeft } from './state.tsx';

/** What a session was opened for and with. */
export function SessionFacts({ session }: { session: Session }) {
  const { agent_did, approval, created_at, credential_ids, allowed_urls, id } = session;
  return (
    <Section title="Session">
      <div className="px-5 py-1">
        <Facts>
          <Fact name="Time left">
            <SessionTimeLeft session={session} />
          </Fact>
          {agent_did !== null && (
            <Fact name="Agent">
              <span className="font-mono [overflow-wrap:anywhere]">{agent_did}</span>
            </Fact>
          )}
          <Fact name="May reach">
            <ul className="font-mono text-xs leading-6">
              {allowed_urls.map((url) => (
                <li key={url} className="[overflow-wrap:anywhere]">
                  {url}
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
          <Fact name="A person is asked">{approvalNames[approval]}</Fact>
          <Fact name="Opened">
            <Time at={created_at} />
          </Fact>
          <Fact name="On record">
            <Link
              to="/vault/audit"
              search={{ session: id }}
              className="font-medium text-accent-ink underline-offset-4 hover:underline"
            >
              Its audit records
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

/** Its service; or its id, where it was deleted or may not be seen. */
function CredentialName({ id }: { id: string }) {
  const { data } = useQuery(askVault('GET /api/v1/credentials/:id', { params: { id } }));
  return data === undefined ? (
    <Address value={id} name="credential id" />
  ) : (
    <span className="[overflow-wrap:anywhere]">{data.service_id}</span>
  );
}
