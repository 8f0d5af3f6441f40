import type { ExecutionProblem } from '@countersign/protocol/control/execution';

const messages = {
  cancelled: 'Nobody waits for it any more.',
  invalid_params: 'params do not fit the action.',
  credential_unusable:
    'There is no credential that can be used for this. A connector uses an api_key or a username_password, a database also a ' +
    'database_connection: others, such as oauth_token and certificate, open no connector.',
  egress_denied: 'This leads to where the connector may not go.',
  target_unreachable: 'The service cannot be reached.',
  target_error: 'The service answered that it did not do it.',
  not_followed: 'The service answered with a redirect, which is not followed.',
  outcome_unknown:
    'The service answered, but not whether it did it. Ask the service before you ask for it again.',
  connector_timeout: 'The time was up before it was done.',
  connector_oom: 'The connector used more memory than it may.',
  connector_crashed: 'The connector ended before it was done.',
  answer_too_large: 'The service’s response was too large to keep. Ask for less.',
  sandbox_unavailable: 'No sandbox can be had on this machine. The log of the enclave says why.',
} as const satisfies Partial<Record<ExecutionProblem['code'], string>>;

export type BrokerCode = keyof typeof messages;

/** A problem in our own words. */
export const problemOf = (code: BrokerCode, message: string = messages[code]): ExecutionProblem => ({
  code,
  message,
});
