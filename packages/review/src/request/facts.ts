import { z } from 'zod';
import { maskAddress } from '../mask-address.ts';
import { address, addressOf } from '../address.ts';
import { type Sensitive, sensitiveKinds } from '../lexicon.ts';
import { namedInTask } from '../named.ts';
import { wellFormed } from '../well-formed.ts';
import { type Body, bodyOf, bodyShapes, cutBodyOf, type Member } from './body.ts';
import { type Calls, callsIn } from './calls.ts';
import { isLoginRoute } from './login.ts';
import { purposeOf, purposes } from './purpose.ts';
import { goesAstray } from './astray.ts';
import type { SetOff } from './put.ts';
import { kindsOf } from './kinds.ts';
import { type Route, routeOf } from './route.ts';
import type { Seen, SentRequest } from './seen.ts';

const kinds = z.array(z.enum(sensitiveKinds));

/** What a verdict on a request is made of: plain JSON for the audit record, no text of a body and no query of an address. */
export const requestFacts = z.strictObject({
  version: z.literal(1),
  method: z.string().max(20),
  resource: z.string().max(40),
  address,
  page: address,
  body: z.strictObject({
    shape: z.enum(bodyShapes),
    /** What it is written in beyond that. */
    protocol: z.enum(['none', 'graphql', 'rpc']),
    members: z.int().min(0),
    hasFile: z.boolean(),
  }),
  carriesCredential: z.boolean(),
  /** That secret was let in elsewhere than it goes: to log in, or into a field that has become another; absent: not. */
  astray: z.literal(true).optional(),
  /** What it is for, as far as its address and its body's shape say. */
  purpose: z.enum(purposes),
  /** Which kinds of act its method, its address or its body name. */
  kinds,
  session: z.strictObject({ task: kinds, approval: z.enum(['auto', 'human', 'never']) }),
});
export type RequestFacts = z.infer<typeof requestFacts>;

/** GraphQL outside a JSON body: in the address, or the body itself. */
const documentsOf = ({ body, contentType }: SentRequest, { documents }: Route): Member[] => [
  ...documents.map((one) => ({ ...one, depth: 0 })),
  ...(/graphql/i.test(contentType) || /^\s*(mutation|query)\b/.test(body)
    ? [{ name: 'query', value: body, depth: 0 }]
    : []),
];

/** `DynamoDB_20120810.DeleteTable` calls what stands last. */
const withAction = (body: Body, action = ''): Body =>
  action === ''
    ? body
    : {
        ...body,
        members: [{ name: 'action', value: action.split(/[.#:/]/).at(-1) ?? '', depth: 0 }, ...body.members],
      };

/** `/graphql/RegisterCheckQuery`: clients write the name of a query behind the address too, and what runs is its document. */
function withoutOperation(route: Route, { protocol, does, names }: Calls): Route {
  const [before, last] = route.segments.slice(-2).map((words) => words.join(''));
  const isNamed = /^(graphql|gql)$/.test(before ?? '') && names.some((words) => words.join('') === last);
  return isNamed && protocol === 'graphql' && does === 'read'
    ? { ...route, segments: route.segments.slice(0, -1), methods: route.segments.slice(-2, -1) }
    : route;
}

const nothing: SetOff = { isLogin: false, names: [] };

/** A secret goes where it was not let in for. */
function strays({ sent, route, calls }: Seen, setOff = nothing): boolean {
  const isSignIn = isLoginRoute(route) || calls.protocol === 'graphql';
  return (sent.put ?? []).some((put) => goesAstray(put, setOff, { route, isSignIn }));
}

/** Draws the facts out of a request. Linear in its length. */
export function requestFactsOf(
  sent: SentRequest,
  about: {
    readonly task: string;
    readonly approval: 'auto' | 'human' | 'never';
    /** Whether the operation that set it off was at a form that is taken for a log-in. */
    readonly isFromLogin?: boolean;
    readonly setOff?: SetOff;
  },
  mask: (text: string) => string,
): RequestFacts {
  const method = sent.method.slice(0, 20).toUpperCase();
  const route = routeOf(sent.url);
  const body: Body =
    sent.isCut === true ? cutBodyOf(sent.body, sent.contentType) : bodyOf(sent.body, sent.contentType);
  const calls: Calls = callsIn(withAction(body, sent.action), documentsOf(sent, route));
  const seen = {
    sent: { ...sent, method },
    route: withoutOperation(route, calls),
    body,
    calls,
    isFromLogin: about.isFromLogin === true,
  };
  const found: ReadonlySet<Sensitive> = new Set(kindsOf(seen));
  const masked = (url: string) => {
    const at = addressOf(url);
    return { ...at, url: maskAddress(at.url, mask).slice(0, 4096) };
  };
  return wellFormed({
    version: 1 as const,
    method,
    resource: sent.resource.slice(0, 40),
    address: masked(sent.url),
    page: masked(sent.pageUrl),
    body: {
      shape: body.shape,
      protocol: calls.protocol,
      members: body.members.length,
      hasFile: body.hasFile,
    },
    carriesCredential: sent.carriesCredential,
    ...(strays(seen, about.setOff) && { astray: true as const }),
    purpose: purposeOf(seen),
    kinds: sensitiveKinds.filter((kind) => found.has(kind)),
    session: { task: namedInTask(about.task), approval: about.approval },
  });
}
