import type { Requirement } from '../requirement.ts';

/** One HTTP request with a credential in its headers. */
export const vaultRequestRequirements = [
  {
    id: 'vault.request.sends',
    source: 'issue 19, 3; decision 0041',
    behaviour:
      'POST /api/v1/credentials/:id/requests with credential:send sends one HTTP request, in whose credential_headers the enclave puts fields of the credential once credential_access is on record.',
    status: 'tested',
  },
  {
    id: 'vault.request.templates',
    source: 'issue 19, 3; decision 0041',
    behaviour:
      'A placeholder in the URL, the body or the other headers is text, and no other header takes the place of one with the credential.',
    status: 'tested',
  },
  {
    id: 'vault.request.masked',
    source: 'issue 19, 3; decision 0041',
    behaviour:
      'The answer has the credential in none of its forms; of a text that was cut, what could be the beginning of one is left out; a body that is no text and holds one is left out whole.',
    status: 'tested',
  },
  {
    id: 'vault.request.bounds',
    source: 'decision 0041',
    behaviour:
      'Of an answer 4 MiB are read, 64 KiB of headers, and as much as came in time, 120 s at most, 10 s of them to connect; nothing packed is told; no_answer says that the request was sent. 32 requests are under way at once, 8 of a tenant, the next is 429; one ends when its caller hangs up; two answers are masked at a time.',
    status: 'tested',
  },
  {
    id: 'vault.request.redirects',
    source: 'issue 19, 3; decision 0041',
    behaviour: 'No redirect is followed: it is the answer.',
    status: 'tested',
  },
  {
    id: 'vault.request.allowed-urls',
    source: 'issue 19, 3; decision 0041',
    behaviour:
      'Outside of allowed_urls of the credential, or where it has none, it is not opened, nothing is sent, and policy_rejected is on record.',
    status: 'tested',
  },
  {
    id: 'vault.request.unusable',
    source: 'decision 0041',
    behaviour:
      'A secret too short to be masked, or that can be no part of a header, and a field that the credential lacks, are not sent.',
    status: 'tested',
  },
  {
    id: 'vault.request.private',
    source: 'decision 0041',
    behaviour: 'Private addresses are refused unless SANDBOX_ALLOW_PRIVATE of the enclave names them.',
    status: 'tested',
  },
  {
    id: 'vault.request.machines',
    source: 'decision 0041',
    behaviour:
      'A credential of which a person may have chosen a secret, by its type or by its value, is not sent: credential_guessable, and policy_rejected is on record.',
    status: 'tested',
  },
  {
    id: 'vault.request.headers',
    source: 'decision 0041',
    behaviour:
      'Headers of the connection, of the message and of how it is passed on are refused, and those of a payment as a place of a credential; each credential header holds a placeholder, and no header is named twice.',
    status: 'tested',
  },
  {
    id: 'vault.request.told',
    source: 'decision 0041',
    behaviour:
      'What came of a request is on record before it is told: method, origin, path, names of headers, SHA-256 of the body, and the status or why there is none.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
