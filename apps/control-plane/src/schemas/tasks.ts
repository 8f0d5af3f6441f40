import type { Definition } from '@countersign/protocol/control/connector';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { firstUnreadable, readBodySchema } from './body-schemas.ts';
import { whyNot } from './why-not.ts';

type Document = Definition<'http'>;

/** Schemas are their tenant's, and so is what is done with them here: nothing else may wait for it without a limit. */
export type SchemaTasks = {
  /** The first of these actions of which the schema of the body cannot be read: null for all of them together; undefined where each can be. */
  readonly find: (given: {
    readonly document: Document;
    readonly actions: readonly string[];
  }) => string | null | undefined;
  /** Has the schema of an action ready under a name of the caller's. */
  readonly read: (given: {
    readonly name: string;
    readonly document: Document;
    readonly action: string;
  }) => void;
  /** Why a body does not fit what was read under a name, null where it does; `unread`: nothing is ready under it. */
  readonly check: (given: {
    readonly name: string;
    readonly body: unknown;
  }) => { readonly why: string | null } | 'unread';
};

/** Does these tasks. The schemas that were used last are kept ready, so many. */
export function schemaTasks(maxReady = 128): SchemaTasks {
  const ready = new Map<string, ValidateFunction | null>();
  function keep(name: string, validate: ValidateFunction | null): void {
    ready.delete(name);
    ready.set(name, validate);
    for (const oldest of ready.keys()) if (ready.size > maxReady) ready.delete(oldest);
  }
  return {
    find: ({ document, actions }) => firstUnreadable(document, actions),
    read: ({ name, document, action }) => keep(name, readBodySchema(document, action)),
    check({ name, body }) {
      const validate = ready.get(name);
      if (validate === undefined) return 'unread';
      keep(name, validate);
      const why =
        validate === null
          ? 'params: the schema that the definition has of them cannot be read'
          : whyNot(validate, body);
      return { why };
    },
  };
}
