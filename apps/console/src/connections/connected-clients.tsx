import type { Connection } from '@countersign/protocol/dashboard/oauth';
import { useQuery } from '@tanstack/react-query';
import { useDeed } from '../api/deed.ts';
import { ask } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { returnsToWords } from './returns-to.ts';

/** The clients that act as an agent, each with what cuts it off. Nothing where there is none. */
export function ConnectedClients({ agentId }: { agentId: string }) {
  const list = useQuery(ask('POST /api/oauth/connections/list', { body: { agentId, limit: 100 } }));
  const connections = list.data?.data ?? [];
  if (connections.length === 0) return null;
  return (
    <Section title="Connected clients">
      <ul className="divide-y divide-line">
        {connections.map((connection) => (
          <Item key={connection.connectionId} connection={connection} />
        ))}
      </ul>
    </Section>
  );
}

/** Whoever cut off the wrong one connects it again: no question before it. */
function Item({ connection }: { connection: Connection }) {
  const { connectionId, client, scopes, createdAt, lastUsedAt } = connection;
  const { busy, problem, run } = useDeed('POST /api/oauth/connections/disconnect', '/api/oauth/connections');
  const returnsTo = returnsToWords(client.returnsTo);
  const name = client.name ?? client.verifiedHost ?? returnsTo;
  const cutOff = async () => {
    if ((await run({ body: { connectionId } })) !== null)
      showToast({ tone: 'ok', text: 'Client disconnected.' });
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5 text-sm">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          <Verbatim text={name} />
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">
          <Verbatim text={client.documentUrl ?? returnsTo} />
          {scopes.includes('services:call') ? '' : ', reads only'}, connected{' '}
          <Time at={createdAt} as="relative" />
          {lastUsedAt !== null && (
            <>
              , last used <Time at={lastUsedAt} as="relative" />
            </>
          )}
        </p>
        {problem !== null && (
          <p role="alert" className="mt-1 text-bad">
            {problem}
          </p>
        )}
      </div>
      <Button
        kind="danger"
        busy={busy}
        aria-label={`Disconnect client from ${new Date(createdAt).toLocaleString('en-GB')}`}
        onClick={() => void cutOff()}
      >
        Disconnect
      </Button>
    </li>
  );
}
