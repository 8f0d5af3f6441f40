import type { RuleFinding } from '@countersign/protocol/vault/review';
import { isInScope } from '../address.ts';
import type { ReviewFacts } from '../facts.ts';
import { judgeRequest } from '../request/judge.ts';
import type { Rule } from './rule.ts';

const presents = ({ operation, credential }: ReviewFacts): boolean =>
  operation.fields.length > 0 && credential?.type === 'identity_credential';

/** The two checks before an identity credential is decrypted. */
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
      'In a script an identity credential may stand only in the literal body of a literal fetch (POST) to the site it is presented to.',
    applies: (facts) => presents(facts) && letsGo(facts),
  },
];

/** Every place but a request that is written out, to where its owner and the session allow. */
function letsGo({ script, credential, session }: ReviewFacts): boolean {
  if (script?.kind !== 'presents') return script?.kind === 'placeholder';
  const allowed = [credential?.allowedUrls ?? [], session.allowedUrls];
  return script.requests.some(({ to }) => allowed.some((urls) => !isInScope(to, urls)));
}

/** What is said of the same request by a page. That it may change something is settled with the place to which it goes. */
export function objectionsToPresented({ script, session }: ReviewFacts): RuleFinding[] {
  if (script?.kind !== 'presents') return [];
  const said = script.requests.flatMap(
    ({ purpose, kinds }) => judgeRequest({ purpose, kinds, session }).rules,
  );
  return [...new Map(said.map((finding) => [finding.rule, finding])).values()].filter(
    ({ rule }) => rule.startsWith('request.') && rule !== 'request.unknown-write',
  );
}
