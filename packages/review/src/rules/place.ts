import { namesAccount } from '@countersign/protocol/vault/field-roles';
import type { ReviewFacts } from '../facts.ts';
import type { Rule } from './rule.ts';

const lends = ({ operation }: ReviewFacts): boolean => operation.fields.length > 0;

const isKnown = ({ place }: ReviewFacts): boolean => place?.known === true;

/** Where a secret may go is settled before an agent can touch it: the owner's addresses, a log-in as a site made it, or a person. */
export const placeRules: readonly Rule[] = [
  {
    id: 'credential.unbound',
    verdict: 'ask',
    message:
      'The credential names no address where it may be used (allowed_urls). Its owner must name one, or agree to this use.',
    applies: (facts) => lends(facts) && facts.credential?.allowedUrls.length === 0 && !isKnown(facts),
  },
  {
    id: 'credential.new-place',
    verdict: 'ask',
    message: ({ script, place }) =>
      script?.kind === 'presents' && place === null
        ? 'The script presents the credential to several places, or to an address with a query: a person is asked each time. Present it to one address.'
        : 'No secret of this credential went into this place before, and it is no log-in form as its site made it. A person is asked once; then it is remembered.',
    applies: (facts) =>
      lends(facts) &&
      sends(facts) &&
      facts.operation.fields.some((field) => !namesAccount.has(field)) &&
      !isKnown(facts) &&
      !isExpected(facts),
  },
];

/** Into a field, or by a script that says itself where to. */
const sends = ({ operation, target, script }: ReviewFacts): boolean =>
  (operation.type === 'fill' && target !== null) || script?.kind === 'presents';

/** Untouched by the agent, a log-in asks for passwords, and a page of the owner's addresses for an identity credential. */
const isExpected = ({ operation, place, credential }: ReviewFacts): boolean =>
  operation.type === 'fill' &&
  place !== null &&
  !place.touched &&
  (place.looksLikeLogin || credential?.type === 'identity_credential');
