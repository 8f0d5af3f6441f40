import { setFlagsFromString } from 'node:v8';
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { CedarValue } from './params.ts';

// V8 of Node 20 ends the process ("unreachable code" in its deoptimizer) where hot code that it has merged with a call of
// WebAssembly must be taken back: after some thousand decisions, at the next policy.
setFlagsFromString('--no-turbo-inline-js-wasm-calls');

/** An error in a Cedar text. Lines and columns count from 1, in characters. */
export type CedarProblem = { readonly message: string; readonly line: number; readonly column: number };

/** A statement of a policy. */
export type Statement = {
  /** Its `@id`, else `policy0`, `policy1` … by its place. */
  readonly id: string;
  readonly text: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** The ids that its head names; null: any. */
  readonly users: readonly string[] | null;
  readonly actions: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly json: cedar.PolicyJson;
};

export type CedarRequest = {
  readonly userId: string;
  readonly action: string;
  readonly service: string;
  readonly params: CedarValue;
  readonly hitlConfirmed: boolean;
};

/** `errors`: ids of statements that could not be evaluated. Where there is one, nothing is permitted. */
export type Evaluation = {
  readonly permitted: boolean;
  readonly determining: readonly string[];
  readonly errors: readonly string[];
};

/** Policies in Cedar's canonical form, apart by statement and, with a schema, strictly validated against it. */
export function parsePolicies(
  text: string,
  schema: string | null,
): Result<{ readonly canonical: string; readonly statements: readonly Statement[] }, CedarProblem> {
  const parsed = cedar.checkParsePolicySet({ staticPolicies: text });
  if (parsed.type === 'failure') return fail(problemOf(parsed.errors, text));
  const parts = cedar.policySetTextToParts(text);
  const formatted = cedar.formatPolicies({ policyText: text });
  if (parts.type === 'failure') return fail(problemOf(parts.errors, text));
  if (formatted.type === 'failure') return fail(problemOf(formatted.errors, text));
  if (parts.policies.length === 0)
    return fail({ message: 'has no statements: nothing would ever be permitted', line: 1, column: 1 });
  const statements = parts.policies.map((one, place) => statementOf(one, place));
  const twice = statements.find(({ id }, place) => statements.findIndex((one) => one.id === id) < place);
  if (twice !== undefined)
    return fail({ message: `has two statements with the id ${twice.id}`, ...placeOf(text, twice.text) });
  const invalid = schema === null ? null : validate(statements, schema, text);
  return invalid === null ? ok({ canonical: formatted.formatted_policy, statements }) : fail(invalid);
}

/** The one statement that permits where a condition holds; a refusal where the text is more than a condition. */
export function parseCondition(condition: string): Result<Statement, CedarProblem> {
  const before = 'permit(principal, action, resource) when { ';
  // What follows on a line of its own, so that a comment cannot swallow it.
  const text = `${before}${condition}\n};`;
  const parts = cedar.policySetTextToParts(text);
  const end = placeAt(condition);
  const own = ({ message, line, column }: CedarProblem): CedarProblem => {
    if (line > end.line) return { message, ...end };
    return { message, line, column: line === 1 ? Math.max(1, column - before.length) : column };
  };
  if (parts.type === 'failure') return fail(own(problemOf(parts.errors, text)));
  const json = parts.policies.length === 1 ? cedar.policyToJson(text) : null;
  const [clause, ...more] = json?.type === 'success' ? json.json.conditions : [];
  if (json?.type !== 'success' || more.length > 0 || clause?.kind !== 'when')
    return fail({ message: 'must be a single condition', line: 1, column: 1 });
  const any = { users: null, actions: null, services: null };
  return ok({ id: 'condition', text, annotations: {}, ...any, json: json.json });
}

/** Evaluates requests by statements that were made ready. */
export type Evaluate = (request: CedarRequest) => Evaluation;

/**
 * Makes statements ready, once for as long as the process lives; `key` is theirs alone. Of many only those are looked at
 * whose head names the request's user, action and service, or any: the others could never apply.
 */
export function prepare(key: string, statements: readonly Statement[]): Evaluate {
  const ready = new Set<string>();
  return (request) => {
    const meant = statements.filter(
      ({ users, actions, services }) =>
        names(users, request.userId) && names(actions, request.action) && names(services, request.service),
    );
    const slice = `${key}\n${meant.map(({ id }) => id).join('\n')}`;
    if (!ready.has(slice)) makeReady(slice, meant);
    ready.add(slice);
    return evaluate(slice, request);
  };
}

const names = (named: readonly string[] | null, one: string): boolean =>
  named === null || named.includes(one);

function makeReady(slice: string, statements: readonly Statement[]): void {
  const staticPolicies = Object.fromEntries(statements.map(({ id, text }) => [id, text]));
  const prepared = cedar.preparsePolicySet(slice, { staticPolicies });
  if (prepared.type === 'failure') throw new Error('a policy was stored and does not parse');
}

function evaluate(slice: string, request: CedarRequest): Evaluation {
  const answer = cedar.statefulIsAuthorized({
    principal: { type: 'User', id: request.userId },
    action: { type: 'Action', id: request.action },
    resource: { type: 'Service', id: request.service },
    context: { params: request.params as cedar.CedarValueJson, hitl_confirmed: request.hitlConfirmed },
    preparsedPolicySetId: slice,
    validateRequest: false,
    entities: [],
  });
  if (answer.type === 'failure') return { permitted: false, determining: [], errors: ['request'] };
  const { decision, diagnostics } = answer.response;
  const errors = diagnostics.errors.map(({ policyId }) => policyId);
  // Cedar skips a statement that fails, a `forbid` too: then nobody knows what it would have said.
  return {
    permitted: decision === 'allow' && errors.length === 0,
    determining: diagnostics.reason.toSorted(),
    errors: errors.toSorted(),
  };
}

function statementOf(text: string, place: number): Statement {
  const parsed = cedar.policyToJson(text);
  if (parsed.type === 'failure') throw new Error('a statement was parsed and is none');
  const { annotations = {}, principal, action, resource } = parsed.json;
  return {
    id: annotations['id'] ?? `policy${place}`,
    text,
    annotations,
    users: principal.op === '==' ? idsOf([entityOf(principal)], 'User') : null,
    actions:
      action.op === 'All'
        ? null
        : idsOf('entities' in action ? action.entities : [entityOf(action)], 'Action'),
    services:
      // Nothing is in a service but itself.
      resource.op === '==' || resource.op === 'in' ? idsOf([entityOf(resource)], 'Service') : null,
    json: parsed.json,
  };
}

const entityOf = (constraint: object): cedar.EntityUidJson | null =>
  'entity' in constraint ? (constraint.entity as cedar.EntityUidJson) : null;

/** Null where one is of another type, or not told: then only Cedar knows what is meant. */
function idsOf(entities: readonly (cedar.EntityUidJson | null)[], type: string): string[] | null {
  const uids = entities.map((one) => (one !== null && '__entity' in one ? one.__entity : one));
  return uids.every((uid) => uid?.type === type) ? uids.flatMap((uid) => uid?.id ?? []) : null;
}

function validate(statements: readonly Statement[], schema: string, text: string): CedarProblem | null {
  const read = readSchema(schema);
  const parsed = cedar.checkParseSchema(read);
  if (parsed.type === 'failure') {
    const problem = problemOf(parsed.errors, schema);
    return { ...problem, message: `schema: ${problem.message}` };
  }
  const staticPolicies = Object.fromEntries(statements.map((one) => [one.id, one.text]));
  const answer = cedar.validate({
    schema: read,
    policies: { staticPolicies },
    validationSettings: { mode: 'strict' },
  });
  if (answer.type === 'failure') return problemOf(answer.errors, text);
  // A warning is a statement that can never apply: somebody meant something else.
  const [first] = [...answer.validationErrors, ...answer.validationWarnings];
  if (first === undefined) return null;
  const statement = statements.find(({ id }) => id === first.policyId);
  const begin = Math.max(0, text.indexOf(statement?.text ?? ''));
  return problemAt(first.error, text, begin);
}

/** Cedar's JSON form, where it is that; its own words never begin with a brace. */
function readSchema(schema: string): cedar.Schema {
  if (!schema.trimStart().startsWith('{')) return schema;
  try {
    return JSON.parse(schema) as cedar.SchemaJson<string>;
  } catch {
    return schema;
  }
}

const problemOf = (errors: readonly cedar.DetailedError[], text: string): CedarProblem => {
  const [first] = errors;
  return first === undefined ? { message: 'cannot be read', line: 1, column: 1 } : problemAt(first, text, 0);
};

/** Cedar counts in bytes of UTF-8, from the beginning of what it was given. */
function problemAt({ message, help, sourceLocations }: cedar.DetailedError, text: string, begin: number) {
  const [location] = sourceLocations ?? [];
  const bytes = Buffer.from(text.slice(begin)).subarray(0, location?.start ?? 0);
  const words = [message.replace(/^failed to parse \w+ from string: /, ''), location?.label, help];
  return {
    message: words.filter((word) => word !== null && word !== undefined && word !== '').join('; '),
    ...placeAt(text.slice(0, begin) + bytes.toString()),
  };
}

const placeOf = (text: string, part: string) => placeAt(text.slice(0, Math.max(0, text.indexOf(part))));

function placeAt(before: string): { line: number; column: number } {
  const lines = before.split('\n');
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
