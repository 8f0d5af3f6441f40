import type { Requirement } from '../requirement.ts';

/** The review engine that every browser operation passes before it runs. */
export const vaultReviewRequirements = [
  {
    id: 'vault.review.before-execution',
    source: 'document 3, What the service does 3',
    behaviour: 'Every operation is reviewed before it runs; a rejected one has no effect on page or network.',
    status: 'tested',
  },
  {
    id: 'vault.review.rejection-recorded',
    source: 'document 3, What the service does 3',
    behaviour: 'A rejection leaves an audit record policy_rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.intent',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour: 'An operation against the declared task or the use of the credential is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.scope',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour: 'An operation outside the authorized URL scope is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.exfiltration',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour:
      'An operation that sends data out (anomalous cross-site navigation, cross-site form action) is ' +
      'rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.taint',
    source: 'page 3, Review engine',
    behaviour:
      'A script that carries a field value or credential_json to storage, network, globals or clipboard is ' +
      'rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.recall',
    source: 'page 3, Review engine',
    behaviour:
      'Of our own corpus of scripts that carry something out at least 95 in 100 are rejected or put before a ' +
      'person; the numbers are in the name of the test.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.false-alarms',
    source: 'page 3, Review engine',
    behaviour: 'Of our own corpus of honest scripts fewer than 2 in 100 are stopped.',
    status: 'tested',
  },
  {
    id: 'vault.review.file-upload',
    source: 'page 3, Review engine',
    behaviour: 'A file upload counts as a sensitive operation.',
    status: 'tested',
  },
  {
    id: 'vault.review.mass-reading',
    source: 'page 3, Review engine',
    behaviour: 'Mass reading of a page counts as a sensitive operation.',
    status: 'tested',
  },
  {
    id: 'vault.review.deterministic',
    source: 'page 3, Review engine',
    behaviour: 'Without REVIEW_MODEL_URL the same operation on the same page always gets the same verdict.',
    status: 'tested',
  },
  {
    id: 'vault.review.replay',
    source: 'page 3, Review engine',
    behaviour: 'From the recorded facts alone anyone can make a verdict again, and it is the same.',
    status: 'tested',
  },
  {
    id: 'vault.review.facts-without-text',
    source: 'page 3, Audit log',
    behaviour: 'The recorded facts of a review hold no text of the page and no query of an address.',
    status: 'tested',
  },
  {
    id: 'vault.review.rule-ids',
    source: 'page 3, Review engine',
    behaviour: 'Each verdict names the ids of its rules, with a message that helps an agent.',
    status: 'tested',
  },
  {
    id: 'vault.review.fast',
    source: 'page 3, Review engine',
    behaviour: 'A review without the second judge takes under 5 ms.',
    status: 'tested',
  },
  {
    id: 'vault.review.model.tightens-only',
    source: 'page 3, Review engine',
    behaviour:
      'A second judge at REVIEW_MODEL_URL with REVIEW_MODEL can reject what the rules pass, never pass ' +
      'what they reject.',
    status: 'tested',
  },
  {
    id: 'vault.review.model.down',
    source: 'page 3, Review engine',
    behaviour: 'When the second judge is down or late, the operation waits for a person or is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.authorised-domain',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'For identity_credential a target URL on a domain not authorized for presentation is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.no-leak',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'For identity_credential a script that writes credential_json to globals, local storage or an ' +
      'unexpected endpoint is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.decrypt-after',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'An identity_credential is decrypted and injected only after both of its checks pass: a rejection ' +
      'leaves no credential_access.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.proof-by-verifier',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'The site that receives an identity_credential receives it whole, with its proof, and can check it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
