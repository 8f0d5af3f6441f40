import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import type { Definition } from '@countersign/protocol/control/connector';
import { fill } from '@countersign/protocol/control/openapi/fill';
import { operationOf } from '@countersign/protocol/control/openapi/operation';
import { refusal, refusalForNow } from '../refusal.ts';
import type { Done, RunTask, Schemas } from '../schemas/run-task.ts';
import type { Patience } from '../schemas/turns.ts';
import { actionsOf } from './actions.ts';
import type { StoredConnector } from './store.ts';

type Connector = Pick<StoredConnector, 'id' | 'tenantId' | 'type' | 'definition'>;
type Params = Readonly<Record<string, unknown>>;

/**
 * Why params are not taken: they do not fit (`misfit`); they were given up (`slow`), or nobody began with them, because too much of their
 * tenant waits (`busy`): neither says anything of the params, which may pass another time.
 */
export type Misfit = { readonly kind: 'misfit' | 'slow' | 'busy'; readonly why: string };

/**
 * What is wrong with the params of an action, before anybody is asked about them; null where nothing is. Who is not to wait for others of
 * its tenant has the patience `alone`.
 */
export type CheckParams = (
  connector: Connector,
  action: string,
  params: Params,
  patience?: Patience,
) => Promise<Misfit | null>;

/** Processor time: all schemas of 256 KiB take half of the first to be read, and no body much of the second. */
const [maxReadMs, maxCheckMs] = [5_000, 200];
/** A thread may lose what it has read with itself: by what others had it keep, or by its own end. */
const maxReads = 3;
/** Maximum number of schemas that fit, at 100 bytes each. */
const maxFitting = 10_000;

/**
 * Checks params of `http` actions: path and parameters can be filled, and the JSON body fits its schema. A connector never changes, so
 * what fitted lately is not asked about again.
 */
export function createCheckParams(schemas: Schemas): CheckParams {
  const fitting = recent(maxFitting);
  return async (connector, action, params, patience) => {
    if (connector.type !== 'http') return null;
    const document = connector.definition as Definition<'http'>;
    const filled = fill(document, action, params);
    if (!filled.ok) return misfit(filled.error);
    if (operationOf(document, action)?.bodySchema === undefined) return null;
    // No name of an action holds a newline.
    const name = `${connector.id}\n${action}`;
    const body: unknown = JSON.parse(filled.value.body ?? 'null');
    const key = hash('sha256', `${name}\n${canonicalText(body)}`, 'base64');
    if (fitting.has(key)) return null;
    const named = { name, document, action };
    const checked = await schemas(connector.tenantId, (run) => check(run, named, body), patience);
    if (checked === null) return busy;
    if (checked.value === null) fitting.add(key);
    return checked.value;
  };
}

type Named = { readonly name: string; readonly document: Definition<'http'>; readonly action: string };

async function check(run: RunTask, named: Named, body: unknown): Promise<Misfit | null> {
  for (let reads = 0; reads < maxReads; reads++) {
    const checked = await run('check', { name: named.name, body }, maxCheckMs);
    if (checked === null) return slow('checking them against the schema of the definition takes too long');
    if (checked.done !== 'unread') return checked.done.why === null ? null : misfit(checked.done.why);
    if ((await run('read', named, maxReadMs)) === null)
      return slow('reading their schema in the definition takes too long');
  }
  throw new Error('the thread that reads schemas loses what it has read');
}

/** The last of what was added, so many. */
function recent(max: number): { has: (key: string) => boolean; add: (key: string) => void } {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      keys.add(key);
      for (const oldest of keys) if (keys.size > max) keys.delete(oldest);
    },
  };
}

/** Why the schemas of a definition's bodies cannot be held against anything; null where they can. */
export async function unreadableSchema(
  schemas: Schemas,
  { tenantId, type, definition }: Omit<Connector, 'id'>,
): Promise<Misfit | null> {
  if (type !== 'http') return null;
  const document = definition as Definition<'http'>;
  const found = await schemas(tenantId, (run) =>
    run('find', { document, actions: actionsOf(type, definition) }, maxReadMs),
  );
  if (found === null) return busy;
  const why = whyUnreadable(found.value);
  return why === null ? null : misfit(why);
}

function whyUnreadable(found: { readonly done: Done<'find'> } | null): string | null {
  if (found === null)
    return `definition.paths: the JSON schemas of all bodies together take more than ${maxReadMs / 1000} s of processor time to be read`;
  const { done: action } = found;
  if (action === undefined) return null;
  return action === null
    ? 'definition: its JSON schemas cannot be read together: two of them have one $id or $anchor'
    : `definition.paths: the JSON schema of the body of ${action} cannot be read: its references must lead into the definition`;
}

const misfit = (why: string): Misfit => ({ kind: 'misfit', why });
const slow = (why: string): Misfit => ({ kind: 'slow', why: `params: ${why}` });
const busy: Misfit = {
  kind: 'busy',
  why: 'too many schemas of this tenant are waiting to be read or applied: try again later',
};

/** Refuses params that do not fit, or asks to come back with them. */
export const refuseMisfit = ({ kind, why }: Misfit, code: 'invalid_request' | 'conflict') =>
  kind === 'busy' ? refusalForNow('rate_limited', why) : refusal(code, why);
