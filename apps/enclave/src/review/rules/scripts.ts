import { addressOf, isInScope } from '../address.ts';
import type { ReviewFacts } from '../facts.ts';
import type { ScriptFinding, Sink } from '../script/findings.ts';
import type { Rule } from './rule.ts';

const found = (facts: ReviewFacts, ...sinks: Sink[]): ScriptFinding[] =>
  (facts.script ?? []).filter(({ sink }) => sinks.includes(sink));

const carries = ({ carries }: ScriptFinding, ...labels: ScriptFinding['carries']): boolean =>
  carries.some((label) => labels.includes(label));

/** Anything but text of the page, which the site knows already. */
const carriesSecrets = (finding: ScriptFinding): boolean =>
  carries(finding, 'credential', 'secret', 'field', 'stored');

/** A beginning of an address that settles where it goes, whatever follows. */
const settled = /^(https?:\/\/[^/?#\\]+[/?#]|\/[^/\\]|[?#]|\.{1,2}\/|[\w-]+[/?])/i;

/** Where a finding goes, as far as it is known to be within these patterns. */
export function goesWithin(
  facts: ReviewFacts,
  { url }: ScriptFinding,
  allowedUrls: readonly string[],
): boolean {
  return (
    url !== null &&
    (url.whole || settled.test(url.prefix)) &&
    isInScope(addressOf(url.prefix, facts.page.url), allowedUrls)
  );
}

/** An identity credential may be presented by script where its owner allowed it. The identity rules judge that. */
export const isPresentation = (facts: ReviewFacts, finding: ScriptFinding): boolean =>
  facts.credential?.type === 'identity_credential' &&
  finding.sink === 'network' &&
  carries(finding, 'credential') &&
  !carries(finding, 'secret', 'field', 'stored');

const leaves = (facts: ReviewFacts, finding: ScriptFinding): boolean =>
  !goesWithin(facts, finding, facts.session.allowedUrls);

const simply = (sink: Sink, message: string): Rule => ({
  id: `script.${sink}`,
  verdict: 'deny',
  message,
  applies: (facts) => found(facts, sink).length > 0,
});

/** What a script may do: page 3, Review engine. */
export const scriptRules: readonly Rule[] = [
  simply(
    'unparsable',
    'The script is no function body that can be read. Mend its syntax; it may use await and return.',
  ),
  simply(
    'placeholder',
    'A placeholder in a script stands for a whole string literal: write it without quotes around it, and not in comments.',
  ),
  simply(
    'dynamic-code',
    'The script makes or reaches code that cannot be reviewed (eval, Function, import, constructor, with). Write it out.',
  ),
  simply(
    'dynamic-member',
    'The script names a member of window, document or an element by a computed text. Write the name out.',
  ),
  simply(
    'unknown-name',
    'The script uses a name that is neither its own nor the web platform’s. Code of the page may do anything: use the DOM.',
  ),
  simply(
    'forbidden-api',
    'The script uses a way out of the page that scripts may not use. For requests use fetch with an allowed address.',
  ),
  simply('clipboard', 'Scripts may not use the clipboard.'),
  simply('message', 'Scripts may not send messages to other windows or frames.'),
  simply('worker', 'Scripts may not start workers.'),
  simply('global', 'The script writes to window, where the page can read it. Keep values in const or let.'),
  simply(
    'markup',
    'The script writes markup or makes elements that load something. Change text and values instead.',
  ),
  simply('title', 'The script writes a secret or a field’s value into the title.'),
  simply(
    'page-text',
    'The script writes a secret or a field’s value into the page. It may go only into the value of a field.',
  ),
  simply('field-copy', 'The script copies what stands in a field or in storage to another field.'),
  {
    id: 'script.storage',
    verdict: 'deny',
    message: 'The script writes a secret or a field’s value to storage or cookies.',
    applies: (facts) => found(facts, 'storage').some(carriesSecrets),
  },
  {
    id: 'script.network-scope',
    verdict: 'deny',
    message:
      'The script requests an address that is computed or outside the allowed_urls. Begin it with an allowed address as literal text.',
    applies: (facts) => found(facts, 'network').some((finding) => leaves(facts, finding)),
  },
  {
    id: 'script.network',
    verdict: 'deny',
    message:
      'The script sends a secret, a field’s value or a cookie over the network. Use fill, and submit the form.',
    applies: (facts) =>
      found(facts, 'network').some((finding) => carriesSecrets(finding) && !isPresentation(facts, finding)),
  },
  {
    id: 'script.request-method',
    verdict: 'ask',
    message:
      'The script sends a request that may change something. A person is asked; reading needs GET alone.',
    applies: (facts) => found(facts, 'network').some(({ method }) => method !== 'GET' && method !== 'HEAD'),
  },
  {
    id: 'script.navigation',
    verdict: 'deny',
    message:
      'The script navigates to a computed address, out of the allowed_urls, or with data of fields. Use navigate or click.',
    applies: (facts) =>
      found(facts, 'navigation').some((finding) => carriesSecrets(finding) || leaves(facts, finding)),
  },
  {
    id: 'script.form-action',
    verdict: 'deny',
    message: 'The script changes where a form sends to. Leave the form as it is.',
    applies: (facts) => found(facts, 'form-action').length > 0,
  },
  {
    id: 'script.result',
    verdict: 'deny',
    message:
      'The script answers a secret, a password field, a cookie or storage. Answer only what the task needs to read.',
    applies: (facts) =>
      found(facts, 'result').some((finding) => carries(finding, 'credential', 'secret', 'stored')),
  },
];
