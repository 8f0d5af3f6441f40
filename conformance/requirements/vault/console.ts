import type { Requirement } from '../requirement.ts';

/** The vault's pages in the owner's console. */
export const vaultConsoleRequirements = [
  {
    id: 'vault.console.sign-in',
    source: 'console, vault',
    behaviour:
      'A user of the vault signs in on its pages; tokens stay in the page’s memory, are refreshed before they end, ' +
      'and a session that the vault has ended is told.',
    status: 'tested',
  },
  {
    id: 'vault.console.absent',
    source: 'console, vault',
    behaviour:
      'Without VAULT_URL the console shows no page of a vault and may call no other origin; who follows a link to one is ' +
      'told why.',
    status: 'tested',
  },
  {
    id: 'vault.console.credentials',
    source: 'console, vault',
    behaviour:
      'Credentials of every type are made in a form that tells faults beside their fields, listed with filters by ' +
      'what is known about them, and deleted after being asked once more.',
    status: 'tested',
  },
  {
    id: 'vault.console.decrypt',
    source: 'console, vault',
    behaviour:
      'A person decrypts with a reason; the value comes sealed to a key of the browser, is shown once and hidden ' +
      'after a minute.',
    status: 'tested',
  },
  {
    id: 'vault.console.tokens',
    source: 'console, vault',
    behaviour: 'A token is made with chosen scopes and end, shown once, and revoked.',
    status: 'tested',
  },
  {
    id: 'vault.console.audit',
    source: 'console, vault',
    behaviour:
      'The audit log is filtered; a record is verified in three steps and against the newest root on chain; its ' +
      'proof and the export are downloaded.',
    status: 'tested',
  },
  {
    id: 'vault.console.attestation',
    source: 'console, vault',
    behaviour:
      'The console checks with a fresh nonce that the quote is about the enclave’s keys before it seals to them, ' +
      'and says what of the report nobody has shown.',
    status: 'tested',
  },
  {
    id: 'vault.console.sessions',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour:
      'Browser sessions are listed with task, agent, state, what waits and time left; one that is kept apart less ' +
      'well than it should be is marked, and its page says what holds.',
    status: 'tested',
  },
  {
    id: 'vault.console.session-log-fresh',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour:
      'The log of a session is asked for anew every 5 s, and once more after its end. After an error that may pass it is asked less and less ' +
      'often, up to a minute; after one that will not (401, 403, 404) no more. The page says that it may be out of date and why, with “Try again”.',
    status: 'tested',
  },
  {
    id: 'vault.console.session-live',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour:
      'The page of a session shows what its agent sees as it is now, masked, by the WebSocket of the vault.',
    status: 'tested',
  },
  {
    id: 'vault.console.session-log',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour:
      'Each operation is listed with its element, its placeholders, what the review said and its audit record, ' +
      'which is a link.',
    status: 'tested',
  },
  {
    id: 'vault.console.session-approvals',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour: 'What waits for a person is shown with why, and is approved or rejected there.',
    status: 'tested',
  },
  {
    id: 'vault.console.session-control',
    source: 'console, vault; page 3, Sandbox sessions',
    behaviour: 'A person pauses, resumes and, after being asked once more, closes a session.',
    status: 'tested',
  },
  {
    id: 'vault.console.states',
    source: 'console, vault',
    behaviour: 'Every page of the vault says when it is empty, waits, cannot load or may not show something.',
    status: 'tested',
  },
  {
    id: 'vault.console.uses',
    source: 'issue 14, point 4',
    behaviour:
      'A credential shows where it may be used, addresses and places, each with a button that revokes it.',
    status: 'tested',
  },
  {
    id: 'vault.console.approval-picture',
    source: 'issue 14, point 4',
    behaviour:
      'What waits is shown with the page as it was then, the form outlined, and where a secret would go, in words.',
    status: 'tested',
  },
  {
    id: 'vault.console.left',
    source: 'issue 16, 1',
    behaviour:
      'What left a session stands in its log with how much, and opened with page, size, SHA-256 and salt; ' +
      'the audit log says the same in words.',
    status: 'tested',
  },
  {
    id: 'vault.console.who',
    source: 'issue 16, 2',
    behaviour:
      'Who acted stands in words (person, token, agent) in the log of a session and in the audit log, and both are narrowed to it.',
    status: 'tested',
  },
  {
    id: 'vault.console.token-credentials',
    source: 'issue 16, 3',
    behaviour:
      'The form of a token says in a sentence what each scope means, and binds the token to chosen credentials.',
    status: 'tested',
  },
  {
    id: 'vault.console.verify-here',
    source: 'issue 16, 12',
    behaviour:
      'The console recomputes signature, chain and inclusion of an audit record in the browser, against the key pinned ' +
      'there, and says “Verified in this browser”; what only the vault claims is told as that.',
    status: 'tested',
  },
  {
    id: 'vault.console.verify-here.forged',
    source: 'issue 16, 12',
    behaviour:
      'Whoever answers in the vault’s place with another record, proof, head, chain or key, or with an older log than ' +
      'this browser has seen, is found.',
    status: 'tested',
  },
  {
    id: 'vault.console.pinned-key',
    source: 'issue 16, 12',
    behaviour:
      'The console pins the key of the audit log when it first sees it, shows it, compares it with one from elsewhere, ' +
      'and tells loudly of another until somebody pins that one.',
    status: 'tested',
  },
  {
    id: 'vault.console.pinned-key.seal',
    source: 'issue 16, 12',
    behaviour:
      'The console seals a secret for no enclave but the one whose key it pinned: where the vault answers with another, ' +
      'nothing is sent, and the form and the page say why.',
    status: 'tested',
  },
  {
    id: 'vault.console.verify-here.account',
    source: 'issue 16, 12',
    behaviour:
      'The console keeps, for each who signs in to the vault, whose records were seen, shows it, and refuses those of ' +
      'another account, though the log signed them.',
    status: 'tested',
  },
  {
    id: 'vault.console.verify-here.rotated',
    source: 'issue 16, 12',
    behaviour:
      'After a change of the log’s key, records signed before and after it are found genuine from any pinned key in the ' +
      'endorsed line, and the pin moves along that line.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
