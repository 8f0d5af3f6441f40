/** `unchecked`: made in a way that cannot be checked here, offline. */
export type ProofState = 'valid' | 'false' | 'unchecked';

export type Proof = Readonly<Record<string, unknown>>;
