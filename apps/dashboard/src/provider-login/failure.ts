import { type Refusal, refusal } from '../refusal.ts';

/**
 * Errors that a provider may answer with: RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), OpenID Connect Core (3.1.2.6), and its
 * unmet_authentication_requirements. Each has words of ours; its own description is shown nowhere.
 */
const words = {
  access_denied: 'you or the provider refused it',
  login_required: 'the provider wants you to log in there first',
  interaction_required: 'the provider wants to ask you something first: try again',
  account_selection_required: 'the provider wants you to choose an account there: try again',
  consent_required: 'the provider wants your consent: try again',
  unmet_authentication_requirements: 'the provider could not check you as it has to',
  temporarily_unavailable: 'the provider is busy: try again later',
  server_error: 'something went wrong at the provider: try again later',
  invalid_grant: 'the provider no longer knows this login: start again',
  invalid_request: 'the provider did not understand the dashboard',
  invalid_client: 'the provider does not know the dashboard by its id and secret',
  unauthorized_client: 'the provider does not let the dashboard ask for logins',
  unsupported_response_type: 'the provider does not answer with codes',
  unsupported_grant_type: 'the provider takes no codes',
  invalid_scope: 'the provider does not know the scopes that were asked for',
  invalid_token: 'the provider does not accept its own token',
  insufficient_scope: 'the provider gives nothing about you for these scopes',
  invalid_request_uri: 'the provider could not read the request',
  invalid_request_object: 'the provider could not read the request',
  request_not_supported: 'the provider does not take such requests',
  request_uri_not_supported: 'the provider does not take such requests',
  registration_not_supported: 'the provider does not take such requests',
  // These are ours.
  unknown_error: 'the provider refused, for a reason unknown here',
  provider_unreachable: 'the provider gave no answer that can be read: try again later',
  untrusted_answer: 'the provider’s answer is not what was asked for, and does not count',
} as const;

export type Failure = keyof typeof words;

/** The code if it is one that specifications name, whatever was sent. */
export const readError = (sent: unknown): Failure =>
  typeof sent === 'string' && Object.hasOwn(words, sent) ? (sent as Failure) : 'unknown_error';

/** Whether whoever runs the dashboard has to put something right. */
const isSetUp: ReadonlySet<Failure> = new Set([
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_response_type',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_token',
  'insufficient_scope',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  'untrusted_answer',
]);

/** A failure as the API tells it: its code as data, its words in ours. */
export function told(error: Failure): { readonly ok: false; readonly error: Refusal } {
  const whom = isSetUp.has(error) ? '; tell whoever runs this dashboard' : '';
  return refusal('AUTHENTICATION_FAILED', `not signed in: ${words[error]}${whom}`, { error });
}
