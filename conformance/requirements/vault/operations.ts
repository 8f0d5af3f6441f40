import type { Requirement } from '../requirement.ts';

/** Browser sessions: what an operation is, and what it answers. */
export const vaultOperationRequirements = [
  {
    id: 'vault.sandbox.execute.review',
    source: 'page 3, Sandbox sessions',
    behaviour: 'review of an answer is {verdict, rules: [{rule, verdict, message}], duration_ms}.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute.status',
    source: 'page 3, Sandbox sessions',
    behaviour: 'status of an answer is executed, rejected, pending_approval or failed.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute.rejection-is-a-result',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A rejected operation is HTTP 200 with status rejected, not an error.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute.credential-id',
    source: 'page 3, Sandbox sessions',
    behaviour: 'credential_id names which credential of the session a placeholder means.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.navigate',
    source: 'page 3, Sandbox sessions',
    behaviour: 'navigate goes to the URL in value.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.pointer-and-keys',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'click, hover and scroll act on selector, select chooses value in selector, press presses the key in ' +
      'value.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.fill',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour: 'fill fills selector with value.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.wait',
    source: 'page 3, Sandbox sessions',
    behaviour: 'wait waits for selector, or for the milliseconds in value.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.extract',
    source: 'page 3, Sandbox sessions',
    behaviour: 'extract answers the text of selector as result.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.execute-script',
    source: 'document 3, Endpoints A, Execute rules; page 3, Sandbox sessions',
    behaviour: 'execute_script runs value as a function body and answers what it returns as JSON.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.unknown',
    source: 'document 3, Errors',
    behaviour: 'An unknown operation_type is 400 invalid_request.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.placeholder.script',
    source: 'issue 14, 1',
    behaviour:
      'A placeholder in execute_script that is no presentation of an identity credential is rejected, and the answer names fill.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.interrupted',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'An operation whose outcome nobody will learn is failed with error code interrupted within six minutes.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operations.database-killed',
    source: 'issue 14, Shown by',
    behaviour:
      'After the database was killed (kill -9) every operation that was answered is in its session’s log, and one under way is once it is answered.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute.checked',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Members that do not belong to the operation_type, missing ones and wrong placeholders are 400 naming the field.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute.credential-anew',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Each operation uses the credential as it is stored then: deleted 404, expired 422, rotated root unnoticed.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
