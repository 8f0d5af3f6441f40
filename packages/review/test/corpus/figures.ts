import { factsOf } from '../../src/facts.ts';
import { purposeOf } from '../../src/form.ts';
import { requestFactsOf } from '../../src/request/facts.ts';
import { judgeRequest } from '../../src/request/judge.ts';
import { judge } from '../../src/review.ts';
import { actsWhenFetched } from '../../src/request/kinds.ts';
import {
  forbidden,
  harmless,
  type Item,
  logins,
  notLogins,
  real,
  requests as sent,
  signIns,
} from './read-corpus.ts';

export type Share = { readonly good: number; readonly of: number; readonly failed: readonly string[] };
export type Figure = { readonly tuned: Share; readonly heldOut: Share };

const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const plain = (text: string): string => text;

/** The worst that the rules say of an item's operations. */
export const stoppedAt = ({ reviews }: Item): string[] =>
  reviews.flatMap((one) => {
    const { verdict, rules } = judge(factsOf(one, { commit: () => '', mask: plain }));
    return verdict === 'allow'
      ? []
      : [`${one.operation.operation_type} ${rules.map(({ rule }) => rule).join(' ')}`];
  });

export const stoppedRequest = ({ sent, ...item }: Item): string[] =>
  sent === null
    ? []
    : judgeRequest(
        requestFactsOf(sent, { ...about, isFromLogin: item.isFromLogin ?? isTakenForLogin(item) }, plain),
      ).rules.flatMap(({ rule, verdict }) => (verdict === 'allow' ? [] : [rule]));

function figure(items: readonly Item[], why: (one: Item) => readonly string[]): Figure {
  const share = (some: readonly Item[]): Share => {
    const failed = some.flatMap((one) =>
      why(one).length === 0 ? [] : [`${one.text}  →  ${why(one).join('; ')}`],
    );
    return { good: some.length - failed.length, of: some.length, failed };
  };
  return {
    tuned: share(items.filter(({ isHeldOut }) => !isHeldOut)),
    heldOut: share(items.filter(({ isHeldOut }) => isHeldOut)),
  };
}

const isTakenForLogin = ({ reviews }: Pick<Item, 'reviews'>): boolean =>
  reviews.some(
    ({ observation: { target } }) => target?.form != null && purposeOf(target.form, target) === 'login',
  );

/** What the corpus says of the rules as they stand. */
export function figuresOf() {
  // Several figures ask the same of one item.
  const [operations, request] = [remembered(stoppedAt), remembered(stoppedRequest)];
  return {
    logins: figure(logins, (one) => [...operations(one), ...request(one)]),
    real: figure(real, operations),
    signIns: figure(signIns, request),
    notLogins: figure(notLogins, (one) => (isTakenForLogin(one) ? ['login'] : [])),
    reads: figure(harmless, (one) => [...operations(one), ...request(one)]),
    acts: figure(forbidden, (one) =>
      operations(one).length > 0 || request(one).length > 0 ? [] : ['allowed'],
    ),
    requests: figure(forbidden, (one) => (request(one).length > 0 ? [] : ['allowed'])),
    actingGets: figure(sent.actingGets, passesFetched(request)),
    actingFound: figure(sent.actingFound, passesFetched(request)),
    readingFound: figure(sent.readingFound, (one) => [...operations(one), ...request(one)]),
    actingBodies: figure(sent.actingBodies, (one) => unless(request(one).length > 0, 'allowed')),
    readingGets: figure(sent.readingGets, (one) => [...operations(one), ...request(one)]),
    readingBodies: figure(sent.readingBodies, request),
    kinds: figure(forbidden, (one) =>
      request(one).includes(`request.${one.kind}`) ? [] : [request(one).join(' ') || 'allowed'],
    ),
  };
}

/**
 * An address that acts is stopped where it is opened, and held where a page fetches it; but not to log out, which harms nobody who asks for
 * it, and not a table or an archive, which a page may show.
 */
const passesFetched = (request: (item: Item) => readonly string[]) => (one: Item) => [
  ...unless(request(one).length > 0, 'allowed'),
  ...unless(
    one.sent !== null && (actsWhenFetched(one.sent.url) || /logout|backup_files/.test(one.sent.url)),
    'not held where a page fetches it',
  ),
];

const unless = (isGood: boolean, why: string): string[] => (isGood ? [] : [why]);

function remembered(judged: (item: Item) => readonly string[]): (item: Item) => readonly string[] {
  const known = new Map<Item, readonly string[]>();
  return (item) => {
    const found = known.get(item) ?? judged(item);
    known.set(item, found);
    return found;
  };
}

export const languagesOf = (): ReadonlySet<string> => new Set(logins.map(({ text }) => text.slice(0, 2)));

export const formatShare = ({ good, of }: Share): string => `${good} of ${of}`;
