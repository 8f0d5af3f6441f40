import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { ask } from '../api/queries.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Message } from '../ui/message.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { BoneRows } from '../ui/skeleton.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { PickAgent } from './pick-agent.tsx';
import type { ConnectionRequest } from './request.ts';
import { returnsToWords } from './returns-to.ts';

/** A client wants to act as an agent: who it is, what it may then do, and the owner's word. OAuth leads here. */
export function ConnectClientPage() {
  const { uid } = useParams({ from: '/frame/connect/$uid' });
  const request = useQuery(ask('GET /oauth/interactions/:uid/request', { params: { uid } }));
  const { error } = request;
  const isOver = error?.problem.kind === 'refused' && error.problem.code === 'BUSINESS_NOT_FOUND';
  return (
    <Page title="Connect a client">
      {isOver ? (
        <Over />
      ) : (
        <Loaded query={request} skeleton={<BoneRows rows={6} />}>
          {(found) => <WholeRequest uid={uid} request={found} />}
        </Loaded>
      )}
    </Page>
  );
}

function Over() {
  return (
    <div className="card">
      <Message icon={Unplug} title="No client is waiting here">
        The request has expired, or was started in another browser. Go back to the client and connect it
        again.
      </Message>
    </div>
  );
}

function WholeRequest({ uid, request }: { uid: string; request: ConnectionRequest }) {
  const { client, resource, scopes } = request;
  return (
    <>
      <Notice tone="warn">
        Connect only a client that you have just set up yourself. Anybody can choose its name: check where you
        are sent back to.
      </Notice>
      <Section title="Client">
        <div className="px-5 py-1">
          <Facts>
            <Fact name="Calls itself">
              {client.name === null ? 'No name that can be shown' : <Verbatim text={client.name} />}
            </Fact>
            <Fact name="You are sent back to">
              <Verbatim text={returnsToWords(client.returnsTo)} />
            </Fact>
            <Fact name="Verified site">
              {client.documentUrl === null ? (
                'None: anybody could use this name'
              ) : (
                <Verbatim text={client.documentUrl} />
              )}
            </Fact>
            <Fact name="Gateway">
              <Verbatim text={resource} />
            </Fact>
            <Fact name="May">
              {scopes.includes('services:call')
                ? 'see services and call their tools, and pay for them as the agent'
                : 'see services and their tools, and call none'}
            </Fact>
          </Facts>
        </div>
      </Section>
      <PickAgent uid={uid} request={request} />
    </>
  );
}
