import { fieldsWithRole, namesAccount } from '@countersign/protocol/vault/field-roles';
import { isInScope } from '../address.ts';
import type { ReviewFacts } from '../facts.ts';
import type { Rule } from './rule.ts';

const usesSecret = ({ operation }: ReviewFacts): boolean => operation.fields.length > 0;
const fillsSecret = (facts: ReviewFacts): boolean => usesSecret(facts) && facts.operation.type === 'fill';

const fillsOnlyNames = ({ operation }: ReviewFacts): boolean =>
  operation.fields.every((field) => namesAccount.has(field));

/** Keys of machines, which people do not type into pages. */
const machineFields = fieldsWithRole('machine');

/** What a placeholder may be used for (spec: vault.review). */
export const credentialRules: readonly Rule[] = [
  {
    id: 'credential.placeholder-malformed',
    verdict: 'deny',
    message:
      'A placeholder is written wrongly: it must be {{CREDENTIAL.<field>}}, like {{CREDENTIAL.password}}.',
    applies: ({ operation }) => operation.placeholders === 'malformed',
  },
  {
    id: 'credential.placeholder-place',
    verdict: 'deny',
    message:
      'A placeholder may stand only in the value of fill and execute_script: never in addresses, selectors or keys.',
    applies: ({ operation }) => operation.placeholders === 'misplaced',
  },
  {
    id: 'credential.unknown-field',
    verdict: 'deny',
    message: 'The credential has no such field. Use the fields of its type.',
    applies: ({ operation }) => operation.placeholders === 'unknown-field',
  },
  {
    id: 'credential.which',
    verdict: 'deny',
    message: 'The session has no credential for this placeholder, or several: name one with credential_id.',
    applies: (facts) => usesSecret(facts) && facts.credential === null,
  },
  {
    id: 'credential.page',
    verdict: 'deny',
    message: 'The credential may not be used on this page: it is outside the allowed_urls of the credential.',
    applies: (facts) => usesSecret(facts) && isElsewhere(facts, facts.target?.frame ?? facts.page),
  },
  {
    id: 'credential.form-action',
    verdict: 'deny',
    message: 'The form sends the credential to an address outside its allowed_urls. Do not use this form.',
    applies: (facts) =>
      fillsSecret(facts) && facts.target?.form != null && isElsewhere(facts, facts.target.form.action),
  },
  {
    id: 'credential.get-form',
    verdict: 'deny',
    message:
      'The form would write the secret into an address (method GET), where logs keep it. Do not use this form.',
    applies: (facts) => fillsSecret(facts) && !fillsOnlyNames(facts) && facts.target?.form?.method === 'GET',
  },
  {
    id: 'credential.hidden-field',
    verdict: 'deny',
    message:
      'The field is hidden or covered, so that nobody would type into it. Choose the one that a person sees.',
    applies: (facts) =>
      fillsSecret(facts) && facts.target !== null && (!facts.target.visible || facts.target.covered),
  },
  {
    id: 'credential.wrong-field',
    verdict: 'deny',
    message: 'A secret may go only into a field that asks for one (a password, a token). Choose that field.',
    applies: (facts) =>
      fillsSecret(facts) &&
      !fillsOnlyNames(facts) &&
      facts.target !== null &&
      !asksFor(facts).includes(facts.target.use),
  },
  {
    // Where a site compares or shows the beginning of what it is sent, text before a secret leaves as much of that as the agent likes.
    id: 'credential.beside',
    verdict: 'ask',
    message:
      'Other text stands beside a secret in this value. Fill in the placeholder alone, or a person must agree.',
    applies: (facts) =>
      fillsSecret(facts) &&
      facts.operation.beside === true &&
      !fillsOnlyNames(facts) &&
      facts.credential?.type !== 'identity_credential',
  },
  {
    id: 'credential.unusual-use',
    verdict: 'ask',
    message: 'Keys and refresh tokens are not typed into pages. A person must agree to this use.',
    applies: ({ operation }) => operation.fields.some((field) => machineFields.has(field)),
  },
];

/** An identity credential goes into the field that an authorised page shows for it, whatever its label calls it. */
const asksFor = ({ credential }: ReviewFacts): readonly string[] =>
  credential?.type === 'identity_credential'
    ? ['secret', 'other', 'one-time-code', 'new-secret']
    : ['secret', 'one-time-code', 'new-secret'];

/** Of one without `allowed_urls` a person is asked: `credential.unbound`. */
function isElsewhere({ credential }: ReviewFacts, at: ReviewFacts['page']): boolean {
  return credential !== null && credential.allowedUrls.length > 0 && !isInScope(at, credential.allowedUrls);
}
