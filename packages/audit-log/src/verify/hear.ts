import type { AuditRecord } from '@countersign/protocol/vault/audit-record';

/** Is told of each record of a file that can be read, in their order; `line` is where it stands, in a file of lines. */
export type Hear = (record: AuditRecord, line?: number) => void;

export const hearNothing: Hear = () => {};
