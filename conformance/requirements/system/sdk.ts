import type { Requirement } from '../requirement.ts';

/** The client for programs of one's own, and the programs that show it. */
export const systemSdkRequirements = [
  {
    id: 'system.examples.check-themselves',
    source: 'page 0, Layout',
    behaviour:
      'Each program of examples runs against a started system, checks what it got, and ends with 0; where something ' +
      'else came than it expects it ends with 1.',
    status: 'tested',
  },
  {
    id: 'system.sdk.sealed',
    source: 'page 3, Two processes',
    behaviour:
      'Through the SDK a credential travels sealed in both directions by default: its plaintext is in nothing that ' +
      'passes between the client and the API of vault or control plane.',
    status: 'tested',
  },
  {
    id: 'system.sdk.attested',
    source: 'page 3, Two processes',
    behaviour:
      'The SDK seals to a key only after a fresh report binds it to an enclave that the caller accepts; without ' +
      'hardware or with an unknown program nothing is sent unless the caller said so.',
    status: 'tested',
  },
  {
    id: 'system.sdk.logs-in-again',
    source: 'page 3, Users and tokens',
    behaviour:
      'When the access token of an SDK client has ended it is renewed once for all calls that met its end, and each ' +
      'of them is made again.',
    status: 'tested',
  },
  {
    id: 'system.sdk.action-tokens',
    source: 'issue 16, line 5',
    behaviour:
      'For services the SDK asks about action tokens (valid once, for this service alone; no answer is a refusal) and checks statements ' +
      'offline against a pinned key.',
    status: 'tested',
  },
  {
    id: 'system.sdk.execution-once',
    source: 'page 3, Part B, Executions',
    behaviour:
      'Each execution asked for through the SDK gets an Idempotency-Key of its own, which comes with every answer; ' +
      'asked for again with it, the same execution is answered.',
    status: 'tested',
  },
  {
    id: 'system.sdk.signs-what-was-asked',
    source: 'page 2, Mandates (session)',
    behaviour:
      'The SDK signs a mandate or a payment only when the data to sign say what was asked for and shown; otherwise ' +
      'nothing is signed.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
