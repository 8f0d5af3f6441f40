import type { Requirement } from '../requirement.ts';

/** How the log is kept: what the enclave may rely on before it acts. */
export const vaultAuditStoreRequirements = [
  {
    id: 'vault.audit.store.crash',
    source: 'page 3, Audit log',
    behaviour:
      'A record that was acknowledged is there after kill -9 at any moment; a torn end is cut off and the ' +
      'chains go on.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.one-writer',
    source: 'page 3, Audit log',
    behaviour:
      'One process writes to a log; a second is refused with AUDIT_LOCKED, and the death of the first frees it.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.full-disk',
    source: 'page 3, Audit log',
    behaviour:
      'On a full disk an append fails with AUDIT_UNAVAILABLE, nothing of the record is kept, and appends ' +
      'succeed again when there is room.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.dead-signer',
    source: 'page 3, Audit log',
    behaviour: 'While the signer fails an append fails with AUDIT_UNAVAILABLE and takes no seq.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.rollback',
    source: 'page 3, Audit log',
    behaviour:
      'A log that is smaller than or different from its own last checkpoint or the last root on chain does ' +
      'not open: AUDIT_ROLLBACK, with the first record that is wrong.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.rotation',
    source: 'page 3, Audit log',
    behaviour:
      'A new key is told in every chain by a record signer_rotated {previousKey, key, endorsement}, signed by ' +
      'the new key and endorsed by the old; records before it verify with the old key.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.rotation-open',
    source: 'page 3, Audit log',
    behaviour:
      'The key of an open log changes between two records, in one flush for all chains; a change that cannot be ' +
      'written leaves the key as it was.',
    status: 'tested',
  },
  {
    id: 'vault.audit.store.interoperates',
    source: 'page 3, Audit log',
    behaviour: 'Checkpoints, proofs and tile paths are read as C2SP specifies them, those of other logs too.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
