import type { Requirement } from '../requirement.ts';

const source = 'issue 14: the agent never sees it';

/** How pages are read: never themselves, and by nothing that could ask about a secret. */
export const vaultReadingRequirements: readonly Requirement[] = [
  {
    id: 'vault.sandbox.read.masked-copy',
    source,
    behaviour:
      'Extracts, exports and reading scripts are given a copy of the page from which secrets were taken before any of them ' +
      'saw it: texts, attributes, fields, frames, shadow roots.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.read.changed-copy',
    source,
    behaviour:
      'Of a page that is another only in texts, fields or attributes that do nothing, the copy is made of the one before: it is ' +
      'what it would be if it were built anew, masked as ever.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.read.selectors',
    source,
    behaviour:
      'Selectors of all operations are answered on the masked copy, so that none tells how a secret begins.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.read.no-effect',
    source,
    behaviour:
      'A reading script has no network, no timers, no storage and no page; what it does in its copy is done to nobody, and ' +
      'the copy is gone with it.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.worker.deadline',
    source,
    behaviour:
      'Review, masking and copies are made in a thread of the session; one that takes too long or too much memory is killed, ' +
      'the operation ends, and the next one is masked as before.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.worker.giant-requests',
    source,
    behaviour:
      'Of a request of many megabytes no text is made where all sessions are served: it is judged by where it goes, and is ' +
      'neither log-in nor search, since the rest of it may say anything.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operation.no-clipboard',
    source,
    behaviour:
      'An agent presses no keys that copy, cut, paste or undo: what is copied outlives the page that it stood in.',
    status: 'tested',
  },
  {
    id: 'vault.credential.addresses.person',
    source,
    behaviour:
      'A log-in of a person alone changes where a credential may be used; no generated token does, whatever its scopes.',
    status: 'tested',
  },
];
