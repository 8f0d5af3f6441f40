import type { Sensitive } from '../lexicon.ts';
import { namedByVerbs } from './verbs.ts';
import { among } from './words.ts';

/** Verbs with which a call begins that does what it is called. */
const begins = among(
  'approve|accept|sign|execute|complete|finish|authorize|authorise|assign|pay|buy|purchase|checkout|transfer|withdraw|donate|refund|charge|redeem|send|publish|tweet|retweet|repost|broadcast|announce|reply|comment|forward|invite|grant|share|promote|impersonate|upload|import|attach|place|confirm|submit|create|add|make|set|change|update|reset|rotate|generate|enable|disable',
);
/** Of these, verbs that are no nouns. */
const settles = among(
  'approve|accept|execute|complete|finish|authorize|authorise|assign|place|confirm|submit',
);
/** What there is of these acts, and is read: `transferLimits`, `inviteCode`, `purchaseOrder`, `postById`. */
const isOfThem = among(
  'by|code|link|order|request|url|token|box|price|button|option|page|type|rate|plan|sheet|level|capital|class|thread|status|history|list|limit|method|count|info|detail|summary|preview|template|fee|date|day|slip|stub|period|grade|intent|offer|power|store|card|credit|guide|form|settings|state|total|report|log|draft|box|address|amount',
);
/** Things that are many and given away all the same. */
const given = among('funds|money|points|coins|tokens|credits|shares|access|members|users|permissions');

/** What a query that is believed to read does all the same, by the name of its field. */
export function namedByField(words: readonly string[]): Sensitive[] {
  if (words.length < 2) return [];
  const named = namedByVerbs(words);
  const [first, last] = [words[0], words.at(-1) ?? ''];
  // `confirmOrder` does it to that order; `purchaseOrder` is one.
  const isThing = words.slice(settles(first) ? 2 : 1).some(isOfThem) || (last.endsWith('s') && !given(last));
  return begins(first) && !isThing ? named : named.filter((kind) => kind === 'delete');
}
