import type { ControlCode } from '@countersign/protocol/control/codes';
import type { Address } from '@countersign/protocol/address';
import type { Role } from '@countersign/protocol/control/dialect';
import type { controlRoutes } from '@countersign/protocol/control/routes';
import type { Callers, Handlers } from '@countersign/service/http';

/** Whoever shows a key. */
export type Caller = {
  readonly keyId: string;
  readonly tenantId: string;
  /** `reader`: a person who only looks. */
  readonly role: Role | 'reader';
  readonly name: string;
  /** Whom a dashboard signed in, of which account and in which of its sessions; left out for a key. */
  readonly person?: { readonly account: Address; readonly session: string | null };
};

export type ControlCallers = Callers<{ readonly key: Caller }>;
export type ControlHandlers = Handlers<typeof controlRoutes, ControlCallers, ControlCode>;

/** Returns the caller's name in audit records. */
export const actorOf = ({ role, name }: Caller): string => `key:${role}:${name}`;
