/**
 * Objections that no facts show: what the enclave finds when it opens a credential, when it looks again at what a person agreed to, or when
 * too many wait. Each denies. A record names them apart (`beyondFacts`), because nobody can make them again.
 */
export const beyondFacts = [
  'approval.page-changed',
  'approval.too-many',
  'credential.unknown-field',
  'identity.proof',
] as const;
export type BeyondFacts = (typeof beyondFacts)[number];

/** The same of a request: too many of them wait, nobody may be asked, or its page went elsewhere. */
export const beyondRequest = ['request.too-many', 'approval.never', 'request.gone'] as const;
export type BeyondRequest = (typeof beyondRequest)[number];
