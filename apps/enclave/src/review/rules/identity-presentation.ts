import { isInScope } from '../address.ts';
import type { ReviewFacts } from '../facts.ts';
import type { Rule } from './rule.ts';
import { goesWithin, isPresentation } from './scripts.ts';

const presents = ({ operation, credential }: ReviewFacts): boolean =>
  operation.fields.length > 0 && credential?.type === 'identity_credential';

/** The two checks before an identity credential is decrypted: document 3, Execute rules. */
export const identityRules: readonly Rule[] = [
  {
    id: 'identity.authorised-domain',
    verdict: 'deny',
    message:
      'The owner of this identity credential has not authorised its presentation to this site (allowed_urls of the credential).',
    applies: (facts) =>
      presents(facts) &&
      [facts.page, facts.target?.frame ?? facts.page, facts.target?.form?.action ?? facts.page].some(
        (at) => !isInScope(at, facts.credential?.allowedUrls ?? []),
      ),
  },
  {
    id: 'identity.no-leak',
    verdict: 'deny',
    message:
      'The script lets the identity credential go elsewhere than to the site it is presented to: globals, storage, another address or its answer.',
    applies: (facts) =>
      presents(facts) &&
      (facts.script ?? []).some(
        (finding) =>
          finding.carries.includes('credential') &&
          !(
            isPresentation(facts, finding) && goesWithin(facts, finding, facts.credential?.allowedUrls ?? [])
          ),
      ),
  },
];
