import type { Requirement } from '../requirement.ts';

/** What an execution is told to have come to, what is looked at before it, and how it is found again. */
export const controlPlaneOutcomeRequirements = [
  {
    id: 'control-plane.execution.outcome',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'completed is a 2xx that came whole. A 3xx is failed (not_followed); 4xx but 408 and 429, 501 and 505 are failed. 408, 429, ' +
      'other 5xx, and an answer that is broken or cut short are outcome_unknown, unless the request changes nothing by its method or ' +
      'its operation is x-countersign-idempotent: then failed. The service is asked once, and the data are its answer.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.outcome.attempts',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'After an attempt that was cut off (safe_to_retry) an execution ends completed or outcome_unknown, in reply and receipt, also where ' +
      'the next attempt fails, its connector, credential, policy or key says no, or somebody cancels it.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.outcome.answered',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'What was answered, were it by a status alone, is not sent again, whatever safe_to_retry says.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.outcome.database',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'An error of PostgreSQL says that nothing was done, but for SQLSTATEs of class 08, 40003 and 57P01 to 57P03, and but for any error ' +
      'of a statement that begins with CALL or DO, which may have committed before: then outcome_unknown.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.outcome.mcp',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'A JSON-RPC error of an MCP server from -32700 to -32600, but -32603, is failed; any other (-32603, -32099 to -32000, and codes of ' +
      'its own) is outcome_unknown.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.outcome.documented',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'A 429 or 503 with a Retry-After, where the definition documents that header of that status, and a status from 400 that it ' +
      'marks x-countersign-not-done, say that nothing was done: failed.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.target-status',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'target_status of a reply and of its signed receipt is the HTTP status that the service answered with, also where the rest of the ' +
      'answer did not come; null where no head could be read.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.body-schema',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'params that do not fill the path or fit the JSON schema of the body are 400 by their path, before a policy, a person or the ' +
      'service is asked, and are held against it once more before the run where this process has not done so lately. A schema that cannot be read, or leads out of the definition, makes no connector; ' +
      'one that takes its time is given up after 0.2 s of processor time.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.schema-time',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'All body schemas of a definition together are read in 5 s of processor time, or it makes no connector and says so; a busy machine ' +
      'reads as much, and answers others meanwhile. What a schema takes too long for is kept by nobody as unreadable, and memory that ' +
      'other schemas take is no fault of it.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.schema-turns',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'Tenants take turns where schemas are read and applied, so that one whose schemas take their time holds up the others for one turn ' +
      'each. Beyond 100 that wait, a tenant is 429 (rate_limited). Nothing holds a connection to the database meanwhile; what changed meanwhile ' +
      'is looked at once more, and is then 409 (conflict).',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.schema-named',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'Where the schema of a body cannot be read, the refusal names that action; where schemas cannot be read together alone, none. A ' +
      'body may have an $id.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.schema-reached',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'Whatever a reference of a body reaches is itself held against JSON Schema 2020-12, wherever it stands (components, a list, an ' +
      'unknown keyword, an enum): what is no schema there makes no connector, and lets nothing pass.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.schema-time',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'What waits to run while its schema takes too long is looked at again every 30 s, while the schemas of its tenant are busy every 2 s, ' +
      'and is failed 5 minutes after it was first put off: schema_check_unavailable, which says nothing of its params; nothing was sent.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.schema-worker',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'No worker (EXECUTION_CONCURRENCY) waits for the schemas of its own tenant: an execution whose turn is not next is put off by 2 s, and ' +
      'what fitted lately is run without a turn. So a tenant whose schemas take all their turns keeps none from the executions of others.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.credential-type',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'A connector with a credential that cannot open it is 400: http and mcp-tool take api_key and username_password, postgres ' +
      'api_key and database_connection, browser any.',
    status: 'tested',
  },
  {
    id: 'control-plane.connector.cannot-work',
    source: 'issue 16, Control plane, line 4',
    behaviour:
      'An http connector of which no action can ever be done (mutualTLS, http schemes but bearer and basic, two schemes together, ' +
      'bodies that are no JSON) is 400; of one that can do others, an execution of such an action is.',
    status: 'tested',
  },
  {
    id: 'control-plane.query.unknown',
    source: 'issue 16, Control plane, line 6',
    behaviour:
      'On every route a query parameter that it does not have, or that is given twice, is 400 and named, with the nearest that it has.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.filters',
    source: 'issue 16, Control plane, line 6',
    behaviour:
      'GET /v1/executions filters by status, execution_id, policy_id, user_id, service and event_type (those that have such a record).',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.records.filters',
    source: 'issue 16, Control plane, line 6',
    behaviour:
      'GET /v1/audit/records filters by execution_id, policy_id, user_id, service and event_type besides; records of an execution, ' +
      'that of its credential too, hold its id, and those about its request and its approval its user.',
    status: 'tested',
  },
  {
    id: 'control-plane.execution.audit-refs',
    source: 'issue 16, Control plane, line 6',
    behaviour: 'audit_refs of an execution are the auditIds of all its records, oldest first.',
    status: 'tested',
  },
  {
    id: 'control-plane.audit.proof-bundle.execution',
    source: 'issue 16, Control plane, line 6',
    behaviour:
      'POST /v1/audit/proof-bundles {execution_id} answers a bundle of all records of that execution.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
