import type { Requirement } from '../requirement.ts';

/** The audit log, its proofs and its anchor on chain. */
export const vaultAuditRequirements = [
  {
    id: 'vault.audit.event.session-initiated',
    source: 'document 3, Audit record',
    behaviour: 'Creating a session leaves a record session_initiated.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-access',
    source: 'document 3, Audit record',
    behaviour: 'Accessing and decrypting a credential leaves a record credential_access.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.sandbox-operation',
    source: 'document 3, Audit record',
    behaviour: 'An executed browser operation leaves a record sandbox_operation.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.policy-rejected',
    source: 'document 3, Audit record',
    behaviour: 'An operation rejected by policy or review leaves a record policy_rejected.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.human-approval-requested',
    source: 'document 3, Audit record',
    behaviour: 'Asking a person leaves a record human_approval_requested.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.human-approval-received',
    source: 'document 3, Audit record',
    behaviour: 'The decision of a person leaves a record human_approval_received.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.session-closed',
    source: 'document 3, Audit record',
    behaviour: 'Closing a session leaves a record session_closed.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.human-approval-opened',
    source: 'docs/decisions/0012',
    behaviour:
      'Who opens what waits for a person, with the picture of the page, leaves a record human_approval_opened before seeing it; ' +
      'one for each person and operation.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-created',
    source: 'docs/decisions/0012',
    behaviour:
      'Keeping a credential leaves a record credential_created with who did it, type, fingerprint and allowed_urls, without the secret; ' +
      'what cannot be recorded is not kept.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-deleted',
    source: 'docs/decisions/0012',
    behaviour:
      'Deleting a credential leaves one record credential_deleted with who did it, type and fingerprint; what cannot be recorded is not deleted.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-updated',
    source: 'docs/decisions/0012',
    behaviour:
      'Saying allowed_urls anew leaves a record credential_updated with what was added and removed; what cannot be recorded does not change.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-use-allowed',
    source: 'docs/decisions/0012',
    behaviour:
      'A place that is learned for a credential leaves a record credential_use_allowed with the place and who allowed it: a person, or log-in form.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.credential-use-revoked',
    source: 'docs/decisions/0012',
    behaviour:
      'Revoking a place leaves a record credential_use_revoked with the place and who did it; what cannot be recorded is not revoked.',
    status: 'tested',
  },
  {
    id: 'vault.audit.record.fields',
    source: 'page 3, Audit log',
    behaviour:
      'A record has auditId, seq, leafIndex, eventType, tenantId, actor, detail, at, tee {kind, trust}, ' +
      'prevChainHash, chainHash, signature.',
    status: 'tested',
  },
  {
    id: 'vault.audit.record.subject-fields',
    source: 'page 3, Audit log',
    behaviour: 'A record has sessionId, credentialId and agentDid where they apply.',
    status: 'tested',
  },
  {
    id: 'vault.audit.record.no-plaintext',
    source: 'page 3, Audit log',
    behaviour: 'No record holds plaintext, page text or a bare hash of a short secret.',
    status: 'tested',
  },
  {
    id: 'vault.audit.chain.seq',
    source: 'page 3, Audit log',
    behaviour: 'seq of each tenant runs from 1 without gaps.',
    status: 'tested',
  },
  {
    id: 'vault.audit.chain.hash',
    source: 'document 3, Audit record; page 3, Audit log',
    behaviour:
      'chainHash is lower-case hex SHA-256 of UTF-8 countersign-audit-v1, the 32 bytes of prevChainHash ' +
      'and the RFC 8785 text of the record without chainHash and signature.',
    status: 'tested',
  },
  {
    id: 'vault.audit.chain.first',
    source: 'page 3, Audit log',
    behaviour: 'prevChainHash of the first record is 64 zeros, of every other one the chainHash before it.',
    status: 'tested',
  },
  {
    id: 'vault.audit.chain.signature',
    source: 'document 3, Audit record; page 3, Audit log',
    behaviour:
      'signature is base64 of Ed25519 over the 32 bytes of chainHash and verifies with auditPublicKey of ' +
      'the attestation report.',
    status: 'tested',
  },
  {
    id: 'vault.audit.tree.leaf',
    source: 'page 3, Audit log',
    behaviour: 'Leaf data of the tree (RFC 6962) are the RFC 8785 text of the whole record, at leafIndex.',
    status: 'tested',
  },
  {
    id: 'vault.audit.tree.one-per-deployment',
    source: 'page 3, Audit log',
    behaviour: 'All tenants share one tree; a proof of one tenant shows nothing of another but hashes.',
    status: 'tested',
  },
  {
    id: 'vault.audit.checkpoint',
    source: 'page 3, Audit log',
    behaviour: 'GET /api/v1/audit/checkpoint answers the newest checkpoint as a C2SP signed note.',
    status: 'tested',
  },
  {
    id: 'vault.audit.proof',
    source: 'page 3, Audit log',
    behaviour:
      'GET /api/v1/audit/logs/:id/proof answers a C2SP tlog-proof that verifies against a checkpoint.',
    status: 'tested',
  },
  {
    id: 'vault.audit.consistency',
    source: 'page 3, Audit log',
    behaviour:
      'GET /api/v1/audit/consistency?from=&to= answers {from, to, hashes} that prove the smaller tree a ' +
      'prefix of the larger.',
    status: 'tested',
  },
  {
    id: 'vault.audit.durable-first',
    source: 'page 3, Audit log',
    behaviour:
      'A decryption whose record cannot be written does not happen: with a full disk or a dead signer no ' +
      'plaintext is answered.',
    status: 'tested',
  },
  {
    id: 'vault.audit.durable-first.operation',
    source: 'page 3, Audit log',
    behaviour: 'A browser operation whose record cannot be written does not happen.',
    status: 'tested',
  },
  {
    id: 'vault.audit.rollback',
    source: 'page 3, Audit log',
    behaviour:
      'A log smaller than or different from its last own checkpoint or the last root on chain stops the ' +
      'start of the enclave with AUDIT_ROLLBACK.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query',
    source: 'document 3, Endpoints A; page 3, Audit log',
    behaviour: 'GET /api/v1/audit/logs with audit:read answers {items, total, limit, offset}.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query.filters',
    source: 'document 3, Endpoints A',
    behaviour: 'sessionId, agentDid and credentialId each list matching records only.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query.dates',
    source: 'document 3, Endpoints A',
    behaviour: 'from and to (ISO 8601) list records of that time only.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query.limit',
    source: 'document 3, Endpoints A; document 3, Limits 1',
    behaviour: 'limit is 50 if absent; offset skips.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query.own-tenant',
    source: 'document 3, What the service does 5',
    behaviour: 'A tenant sees records of its own only.',
    status: 'tested',
  },
  {
    id: 'vault.audit.verify',
    source: 'document 3, Endpoints A; document 3, Audit record',
    behaviour:
      'POST /api/v1/audit/logs/:id/verify answers auditId, signatureValid, chainHashValid and ' +
      'merklePathValid, all true for an untouched record.',
    status: 'tested',
  },
  {
    id: 'vault.audit.verify.from-storage',
    source: 'document 3, Audit record; page 3, Audit log',
    behaviour:
      'verify recomputes from storage, the path against the newest checkpoint; tampering anywhere makes ' +
      'chainHashValid false for that record and every later one.',
    status: 'tested',
  },
  {
    id: 'vault.audit.verify.signature',
    source: 'document 3, Audit record',
    behaviour: 'A changed signature makes signatureValid false.',
    status: 'tested',
  },
  {
    id: 'vault.audit.export',
    source: 'page 3, Audit log',
    behaviour:
      'GET /api/v1/audit/export with audit:read answers the records of the own tenant as JSON lines.',
    status: 'tested',
  },
  {
    id: 'vault.audit.export.last-line',
    source: 'page 3, Audit log',
    behaviour:
      'The last line of an export is {checkpoint, tenantHead: {tenantId, seq, chainHash, at, signature}, ' +
      'attestation, inclusion, anchor}: the path of the newest record to the checkpoint’s root, and the newest ' +
      'root on chain with the proof that the checkpoint’s tree continues it.',
    status: 'tested',
  },
  {
    id: 'vault.audit.export.dropped-newest',
    source: 'page 3, Audit log',
    behaviour: 'An export whose newest record was dropped does not verify.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.verify',
    source: 'page 3, Audit log',
    behaviour:
      'countersign audit verify FILE [--key BASE64] [--rpc URL --anchor ADDRESS] [--json] checks an export ' +
      'offline, or with the chain.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.rewritten',
    source: 'issue 16',
    behaviour:
      'audit verify finds an export whose records were written anew, also with the log’s own key, beside the ' +
      'genuine checkpoint; without the proof that the records are in the tree it is incomplete.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.stranger',
    source: 'issue 16',
    behaviour:
      'audit verify prints JSON with --json whatever happens, reads standard input as -, and takes as --key a bare key or a ' +
      'C2SP verifier key, which is good for the log that it names alone.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.reviews',
    source: 'issue 17, 1; docs/decisions/0026',
    behaviour:
      'audit verify --reviews makes the verdict of each operation, held request and late request again from its record, by the rules of the build: what ' +
      'was allowed, asked, agreed to or refused, and by which rules. It tells how many are the same, and exits with 1 naming the records that differ.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.reviews.forged',
    source: 'issue 17, 1; docs/decisions/0026',
    behaviour:
      'A verdict that was forged in a log that is signed anew passes audit verify, and audit verify --reviews finds it.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.reviews.not-judged',
    source: 'issue 17, 1; docs/decisions/0026',
    behaviour:
      'audit verify --reviews counts what it does not judge, each with why: an earlier build, other rules, no facts. Where it made no verdict again it exits with 64.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.verify-proof',
    source: 'page 3, Audit log',
    behaviour: 'audit verify checks a tlog-proof whose record stands in its extra line.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.exit-codes',
    source: 'page 3, Audit log',
    behaviour:
      'audit verify exits with 0 good, 1 bad, 2 incomplete, 3 good but from a simulated TEE, and 64 where nothing ' +
      'was judged: the call is wrong or the file cannot be read.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.change-found',
    source: 'page 3, Audit log',
    behaviour: 'audit verify names the line at which a record was changed, dropped, doubled or moved.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cli.rotated',
    source: 'page 3, Audit log',
    behaviour: 'An export over a change of the log’s key verifies with the older key as with the newer.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.interval',
    source: 'document 3, What the service does 4; document 3, Limits 3; page 3, Audit log',
    behaviour:
      'Every 10 minutes, or ANCHOR_INTERVAL_SECONDS, the newest root and size are published to AuditAnchor.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.publish',
    source: 'page 3, Audit log',
    behaviour:
      'AuditAnchor has publish(bytes32 logId, uint64 size, bytes32 root, bytes32 prevRoot, uint8 flags) ' +
      'and latest(logId).',
    status: 'tested',
  },
  {
    id: 'vault.anchor.publisher-only',
    source: 'page 3, Audit log',
    behaviour: 'publish by another address than the registered publisher reverts.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.size-grows',
    source: 'page 3, Audit log',
    behaviour: 'publish with a size not larger than the stored one reverts.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.prev-root',
    source: 'page 3, Audit log',
    behaviour: 'publish with a prevRoot other than the stored root reverts.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.simulated-flag',
    source: 'page 3, Audit log',
    behaviour: 'Bit 0 of flags is set when the TEE is simulated.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.event',
    source: 'page 3, Audit log',
    behaviour: 'publish emits RootPublished(bytes32 indexed logId, uint64 size, bytes32 root, uint8 flags).',
    status: 'tested',
  },
  {
    id: 'vault.anchor.one-publisher',
    source: 'page 3, Audit log',
    behaviour: 'However many nodes run, one publishes at a time.',
    status: 'tested',
  },
  {
    id: 'vault.anchor.outage',
    source: 'page 3, Audit log',
    behaviour: 'A chain outage is retried and told in /ready; nothing is lost.',
    status: 'tested',
  },
  {
    id: 'vault.audit.event.content-left',
    source: 'issue 16, 1; docs/decisions/0021',
    behaviour:
      'What leaves a session leaves a record content_left before it is answered, with what, page, media type, bytes, and SHA-256 over the salt ' +
      'and the bytes: without the salt, which no record has, the log tells nobody whether a guess at the content is right.',
    status: 'tested',
  },
  {
    id: 'vault.audit.record.who',
    source: 'issue 16, 2; docs/decisions/0021',
    behaviour:
      'A record’s actor is who acted, also where another opened the session; its agentDid is the agent that acted, that an operation was decided ' +
      'for, or, where the opener of a session acts or the page by itself, the agent of that session. A person who joins an agent’s session acts as no agent.',
    status: 'tested',
  },
  {
    id: 'vault.audit.query.actor',
    source: 'issue 16, 2',
    behaviour: 'actor lists the records of a person who logged in (user:NAME) or of a token (token:ID) only.',
    status: 'tested',
  },
  {
    id: 'vault.audit.independent-verifier',
    source: 'issue 16, Done means',
    behaviour:
      'A verifier in Python, written from docs/spec/audit-log.md alone, gives the verdict and exit code of countersign audit verify for the vectors, for ' +
      'an export, a tlog-proof and a bundle of a log whose key was changed, and for each tampered or differently spelled file.',
    status: 'tested',
  },
  {
    id: 'vault.audit.independent-verifier.real-files',
    source: 'issue 16, Done means',
    behaviour:
      'The verifier in Python reads what a vault exports over its API and the bundles of a control plane as countersign audit verify does, and so it does ' +
      'with a byte, a line or a member of them changed.',
    status: 'tested',
  },
  {
    id: 'vault.audit.cases',
    source: 'issue 16, Done means',
    behaviour:
      'docs/spec/vectors has files that the log’s own key signed, right and wrong, each with the verdict that both verifiers give: an inclusion of no ' +
      'record, names by their length in characters, a receipt with each member of another type, changes of the key that are none, a checkpoint that one of two keys signed ' +
      'wrongly, and files without a key, of which all but signatures is judged.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
