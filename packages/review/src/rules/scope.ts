import { hostOf, isCrossSite, isDowngrade, isInScope, isWeb } from '../address.ts';
import { looksLike } from '../confusable.ts';
import type { ReviewFacts } from '../facts.ts';
import type { Rule } from './rule.ts';

const isAbroad = ({ session }: ReviewFacts, at: ReviewFacts['destination']): boolean =>
  at !== null && isWeb(at) && !at.namesUser && !isInScope(at, session.allowedUrls);

const formOf = (facts: ReviewFacts) => facts.target?.form ?? null;

/** Operations that hand something to the form they act on, or send it. */
const usesForm = ({ operation }: ReviewFacts): boolean =>
  operation.submits || operation.type === 'fill' || operation.type === 'select';

/** More characters of query and fragment than an agent types by hand. */
const longData = 200;

export const scopeRules: readonly Rule[] = [
  {
    id: 'scope.destination',
    verdict: 'deny',
    message:
      'This address is outside the allowed_urls of the session. Stay within them, or open a session that allows it.',
    applies: (facts) => isAbroad(facts, facts.destination),
  },
  {
    id: 'scope.scheme',
    verdict: 'deny',
    message:
      'Only http and https addresses may be opened: no javascript:, data:, blob: or file:. Give a full address.',
    applies: ({ destination }) => destination !== null && !isWeb(destination),
  },
  {
    id: 'scope.user-in-address',
    verdict: 'deny',
    message: 'The address names a user before its host, which hides where it leads. Write it without.',
    applies: ({ destination, target }) => Boolean(destination?.namesUser || target?.form?.action.namesUser),
  },
  {
    id: 'scope.confusable-host',
    verdict: 'deny',
    message: 'This host only looks like one of the session’s. It is another site: do not go there.',
    applies: (facts) =>
      [facts.destination, formOf(facts)?.action ?? null].some(
        (at) =>
          at !== null &&
          facts.session.allowedUrls.some((url) =>
            looksLike(hostOf(at), hostOf({ ...at, url: url.replace('*.', '') })),
          ),
      ),
  },
  {
    id: 'scope.page',
    verdict: 'deny',
    message:
      'The page is outside the allowed_urls of the session. Navigate back to an allowed address first.',
    applies: (facts) =>
      facts.operation.type !== 'navigate' &&
      facts.operation.type !== 'wait' &&
      facts.page.url !== 'about:' &&
      !isInScope(facts.page, facts.session.allowedUrls),
  },
  {
    id: 'scope.frame',
    verdict: 'deny',
    message:
      'The element stands in a frame outside the allowed_urls of the session. Use one of the site itself.',
    applies: (facts) => facts.target !== null && !isInScope(facts.target.frame, facts.session.allowedUrls),
  },
  {
    id: 'scope.downgrade',
    verdict: 'deny',
    message: 'This would leave https for unencrypted http. Use the https address.',
    applies: (facts) => {
      const { page, destination, target } = facts;
      const leads = destination !== null && isDowngrade(page, destination);
      return (
        leads || (target?.form != null && usesForm(facts) && isDowngrade(target.frame, target.form.action))
      );
    },
  },
  {
    id: 'exfiltration.form-action',
    verdict: 'deny',
    message: 'The form sends to an address outside the allowed_urls of the session. Do not use this form.',
    applies: (facts) =>
      usesForm(facts) &&
      formOf(facts) !== null &&
      !isInScope(formOf(facts)?.action ?? facts.page, facts.session.allowedUrls),
  },
  {
    id: 'exfiltration.cross-site-data',
    verdict: 'ask',
    message:
      'The address carries much data to another site. A person must look at it, or navigate without the data.',
    applies: ({ operation, page, destination }) =>
      operation.type === 'navigate' &&
      destination !== null &&
      isWeb(page) &&
      isCrossSite(page, destination) &&
      destination.data > longData,
  },
];
