import type { ReviewFacts } from '../facts.ts';
import { type Instead, insteads } from '../script/acts.ts';
import type { Rule } from './rule.ts';

/** What each operation does that a script would do, in fixed words. */
const described: Readonly<Record<Instead, string>> = {
  click: 'click to press buttons and send forms',
  fill: 'fill to type into fields',
  select: 'select to choose options',
  press: 'press for keys and the focus',
  navigate: 'navigate to go to an address',
  scroll: 'scroll to bring an element into view',
  wait: 'wait for an element or a time',
  extract: 'navigate and extract to read what a request would answer',
};

/** Which operations do what an acting script would do; for what none does, the person is left. */
export function actsMessage({ script }: ReviewFacts): string {
  const acts = script?.kind === 'acts' ? script.acts : [];
  const named = insteads.filter((one) => acts.some(({ instead }) => instead === one));
  const use = named.length === 0 ? '' : ` Use ${named.map((one) => described[one]).join('; ')}.`;
  const rest = acts.some(({ instead }) => instead === null)
    ? ' Reading needs no writing to the page, listeners, storage or messages.'
    : '';
  return `The script acts on the page, and the session has credentials: a person is asked each time.${use}${rest}`;
}

const isIdentity = ({ credential }: ReviewFacts): boolean => credential?.type === 'identity_credential';

/** What a script may do: one that reads runs over a masked copy of the page, where acting does nothing. */
export const scriptRules: readonly Rule[] = [
  {
    id: 'script.unparsable',
    verdict: 'deny',
    message: 'The script is no function body that can be read. Mend its syntax; it may use await and return.',
    applies: ({ script }) => script?.kind === 'unparsable',
  },
  {
    id: 'script.credential',
    verdict: 'deny',
    message:
      'A placeholder may not stand in a script: use fill, which types it into its field. Scripts present identity credentials alone.',
    applies: (facts) =>
      !isIdentity(facts) && (facts.script?.kind === 'placeholder' || facts.script?.kind === 'presents'),
  },
  {
    id: 'script.presents-and-acts',
    verdict: 'deny',
    message:
      'A script that presents an identity credential may otherwise only read the answer and the page. Do the rest by other operations.',
    applies: ({ script }) => script?.kind === 'presents' && script.acts.length > 0,
  },
  {
    id: 'script.acts',
    verdict: 'ask',
    message: actsMessage,
    applies: ({ script, session }) => script?.kind === 'acts' && session.credentials > 0,
  },
];
