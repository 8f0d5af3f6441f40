import type { Hitl } from '@countersign/protocol/control/policy';
import { parseAddress } from '@countersign/protocol/address';
import { isWallet } from '../approvals/approvers.ts';
import type { Statement } from './cedar.ts';
import { anyApprover, namesConfirmation, namesIn } from './decide.ts';

/** Whom a tenant can ask, and where its executions can lead, just now. */
export type Surroundings = {
  /** Names of the keys of approvers. */
  readonly approvers: ReadonlySet<string>;
  /** Those with a connector. */
  readonly services: ReadonlySet<string>;
};

/** Why nobody could ever satisfy a policy, or one of its permits, as things are; null where somebody could. */
export function whyUnsatisfiable(
  statements: readonly Statement[],
  hitl: Hitl | null,
  around: Surroundings,
): string | null {
  const permits = statements.filter(({ json }) => json.effect === 'permit');
  return (
    firstOf(permits, (permit) => unknownService(permit, around)) ??
    unknownApprover('hitl.approvers', hitl?.approvers ?? [], around) ??
    firstOf(permits, (permit) => unknownApprover(`cedar: ${permit.id}`, approversOf(permit), around)) ??
    firstOf(permits, (permit) => tooFew(permit, hitl, around))
  );
}

function firstOf(permits: readonly Statement[], why: (permit: Statement) => string | null): string | null {
  for (const permit of permits) {
    const found = why(permit);
    if (found !== null) return found;
  }
  return null;
}

function unknownService({ id, services, json }: Statement, around: Surroundings): string | null {
  const isKnown = (service: string): boolean => around.services.has(service);
  const named = services?.find((service) => !isKnown(service));
  if (named !== undefined) return `cedar: ${id}: there is no connector for the service ${named}`;
  return json.conditions.every(({ kind, body }) => kind !== 'when' || mayHold(body, isKnown))
    ? null
    : `cedar: ${id}: there is no connector for the service that its condition names`;
}

/** Deeper nothing is looked at: it may hold. */
const maxDepth = 64;

/** False where a condition holds for services alone that are not there: `resource == Service::"…"`, joined by `&&` and `||`. */
function mayHold(condition: unknown, isKnown: (service: string) => boolean, depth = 0): boolean {
  const expression = condition as Expression;
  const within = ({ left, right }: Sides) =>
    [left, right].map((side) => depth > maxDepth || mayHold(side, isKnown, depth + 1));
  if (expression['&&'] !== undefined) return within(expression['&&']).every(Boolean);
  if (expression['||'] !== undefined) return within(expression['||']).some(Boolean);
  const service = expression['=='] === undefined ? null : serviceIn(expression['==']);
  return service === null || isKnown(service);
}

type Side = { readonly Var?: unknown; readonly Value?: { readonly __entity?: Uid } | null };
type Uid = { readonly type?: unknown; readonly id?: unknown };
type Sides = { readonly left: Side; readonly right: Side };
/** A Cedar expression in JSON, as far as it is inspected. */
type Expression = { readonly [operator in '&&' | '||' | '==']?: Sides };

/** The service that the resource is compared with; null for any other comparison. */
function serviceIn({ left, right }: Sides): string | null {
  const other = left.Var === 'resource' ? right : right.Var === 'resource' ? left : null;
  const { type, id } = other?.Value?.__entity ?? {};
  return type === 'Service' && typeof id === 'string' ? id : null;
}

const approversOf = ({ annotations: { approvers } }: Statement): readonly string[] =>
  approvers === undefined ? [] : namesIn(approvers);

function unknownApprover(where: string, approvers: readonly string[], around: Surroundings): string | null {
  const unknown = approvers.find(
    (name) => name !== anyApprover && !isWallet(name) && !around.approvers.has(name),
  );
  const mistyped = approvers.find((name) => isWallet(name) && parseAddress(name) === null);
  if (mistyped !== undefined)
    return `${where}: ${mistyped} is not an address: its checksum (EIP-55) is wrong`;
  return unknown === undefined ? null : `${where}: there is no approver key named ${unknown}`;
}

/**
 * Judges a permit on its own: others that decide together with it may name more approvers, or require more.
 */
function tooFew(permit: Statement, hitl: Hitl | null, around: Surroundings): string | null {
  if (hitl === null && !namesConfirmation(permit)) return null;
  const own = approversOf(permit);
  const approvers = own.length > 0 ? own : (hitl?.approvers ?? [anyApprover]);
  const wanted = Math.max(1, hitl?.quorum ?? 1, Number(permit.annotations['quorum'] ?? 1) || 1);
  const there = countOf(approvers, around);
  return wanted <= there ? null : `cedar: ${permit.id}: ${wanted} must approve, and ${there} can`;
}

/** Returns how many can approve, counting each key once and each wallet once, through an approver's key. */
function countOf(approvers: readonly string[], { approvers: keys }: Surroundings): number {
  if (approvers.includes(anyApprover)) return keys.size;
  const named = new Set(approvers.filter((name) => keys.has(name)));
  const wallets = new Set(approvers.filter(isWallet).map((address) => address.toLowerCase()));
  return named.size + Math.min(wallets.size, keys.size - named.size);
}
