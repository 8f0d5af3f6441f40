import { factsOf } from '../facts.ts';
import { purposeOf } from '../form.ts';
import { requestFactsOf } from '../request/facts.ts';
import { judgeRequest } from '../request/judge.ts';
import { judge } from '../review.ts';
import { forbidden, harmless, type Item, logins, notLogins, signIns } from './read-corpus.ts';

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
export const figuresOf = () => ({
  logins: figure(logins, (one) => [...stoppedAt(one), ...stoppedRequest(one)]),
  signIns: figure(signIns, stoppedRequest),
  notLogins: figure(notLogins, (one) => (isTakenForLogin(one) ? ['login'] : [])),
  reads: figure(harmless, (one) => [...stoppedAt(one), ...stoppedRequest(one)]),
  acts: figure(forbidden, (one) =>
    stoppedAt(one).length > 0 || stoppedRequest(one).length > 0 ? [] : ['allowed'],
  ),
  requests: figure(forbidden, (one) => (stoppedRequest(one).length > 0 ? [] : ['allowed'])),
  kinds: figure(forbidden, (one) =>
    stoppedRequest(one).includes(`request.${one.kind}`) ? [] : [stoppedRequest(one).join(' ') || 'allowed'],
  ),
});

export const languagesOf = (): ReadonlySet<string> => new Set(logins.map(({ text }) => text.slice(0, 2)));

export const formatShare = ({ good, of }: Share): string => `${good} of ${of}`;
