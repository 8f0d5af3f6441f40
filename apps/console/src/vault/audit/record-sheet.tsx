import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { legible } from '../../ui/legible.ts';
import { JsonText } from '../../ui/json-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { Actor, actorFilter } from '../actor.tsx';
import { useVaultDeed } from '../call.ts';
import { LeftRecordFacts } from './left-record.tsx';
import { eventName } from './names.ts';
import type { AuditRecord } from './record.ts';
import { Verification } from './verification.tsx';

type Props = { readonly record: AuditRecord; readonly onClose: () => void };

/** Shows one record, and whether it verifies. */
export function RecordSheet({ record, onClose }: Props) {
  const { auditId } = record;
  const proof = useVaultDeed('GET /api/v1/audit/logs/:id/proof');
  const save = async () => {
    const text = await proof.run({ params: { id: auditId } });
    if (text !== null) download(text, `${auditId}.tlog-proof`, 'text/plain');
  };
  return (
    <Sheet
      title={eventName(record.eventType)}
      onClose={onClose}
      actions={
        <Button busy={proof.busy} onClick={() => void save()}>
          <Download aria-hidden="true" />
          Download proof
        </Button>
      }
    >
      <Verification record={record} />
      {proof.problem !== null && (
        <div className="mt-4">
          <Notice tone="bad">{proof.problem}</Notice>
        </div>
      )}
      <div className="mt-4">
        <RecordFacts record={record} onClose={onClose} />
      </div>
      {Object.keys(record.detail).length > 0 && (
        <div className="mt-2">
          <JsonText label="Details as JSON" value={record.detail} />
        </div>
      )}
    </Sheet>
  );
}

function RecordFacts({ record, onClose }: Props) {
  const { auditId, tenantId, actor, agentDid, credentialId, sessionId, at } = record;
  const { seq, leafIndex, tee, chainHash } = record;
  return (
    <Facts>
      <Fact name="When">
        <Time at={at} />
      </Fact>
      <Fact name="Who">
        <Actor actor={actor} agent={null} />{' '}
        <Link
          to="/vault/audit"
          search={{ who: actorFilter(actor) }}
          onClick={onClose}
          className="text-accent-ink underline-offset-4 hover:underline"
        >
          Filter by this actor
        </Link>
      </Fact>
      <LeftRecordFacts record={record} />
      {agentDid !== undefined && (
        <Fact name="Agent">
          <span className="font-mono [overflow-wrap:anywhere]">{legible(agentDid)}</span>{' '}
          <Link
            to="/vault/audit"
            search={{ agent: agentDid }}
            onClick={onClose}
            className="text-accent-ink underline-offset-4 hover:underline"
          >
            View all activity
          </Link>
        </Fact>
      )}
      {credentialId !== undefined && (
        <Fact name="Credential">
          <Address value={credentialId} name="credential id" />
        </Fact>
      )}
      {sessionId !== undefined && (
        <Fact name="Session">
          <Address value={sessionId} name="session id" />
        </Fact>
      )}
      <Fact name="Account">
        <span className="[overflow-wrap:anywhere]">{legible(tenantId)}</span>
      </Fact>
      <Fact name="Number in your chain">{seq}</Fact>
      <Fact name="Leaf in the whole log">{leafIndex}</Fact>
      <Fact name="Signed in">
        {tee.kind} {tee.trust === 'simulated' && <Badge tone="warn">SIMULATED</Badge>}
      </Fact>
      <Fact name="Chain hash">
        <Address value={chainHash} name="chain hash" />
      </Fact>
      <Fact name="Id">
        <Address value={auditId} name="audit id" />
      </Fact>
    </Facts>
  );
}
