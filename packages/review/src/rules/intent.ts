import { isWeb } from '../address.ts';
import type { ReviewFacts } from '../facts.ts';
import { described, lexicon, type Sensitive, sensitiveKinds } from '../lexicon.ts';
import type { Rule } from './rule.ts';

/**
 * A free-text task is read as strictly as can be: reading and logging in, nothing else. What the task names beyond that is
 * put before a person; what it does not name is against it.
 */
export const intentRules: readonly Rule[] = [
  ...sensitiveKinds.flatMap((kind): Rule[] => [
    {
      id: `intent.${kind}`,
      verdict: lexicon[kind].unnamed,
      message: `This looks like ${described[kind]}, which the task of the session does not name. ${
        lexicon[kind].unnamed === 'deny'
          ? 'Do not do it; or open a session whose task says so, and a person is asked.'
          : 'A person is asked.'
      }`,
      applies: (facts) => isDone(facts, kind) && !facts.session.task.includes(kind),
    },
    {
      id: `sensitive.${kind}`,
      verdict: 'ask',
      message: `This looks like ${described[kind]}. The task names it, so a person is asked.`,
      applies: (facts) => isDone(facts, kind) && facts.session.task.includes(kind),
    },
  ]),
  {
    id: 'intent.address',
    verdict: 'ask',
    message:
      'This address changes something as soon as it is opened, which reading does not need. A person is asked.',
    applies: ({ changes, leads }) => changes === true && leads.length === 0,
  },
  {
    id: 'intent.form',
    verdict: 'ask',
    message:
      'This sends a form that is neither a login nor a search, which reading does not need. A person is asked.',
    applies: ({ operation, target }) => operation.submits && target?.form?.purpose === 'other',
  },
];

/** Hovering, scrolling, waiting and reading do nothing, whatever the element is called. */
function isDone(facts: ReviewFacts, kind: Sensitive): boolean {
  if (kind === 'mass_reading') return readsMuch(facts);
  const { operation, target, destination, leads } = facts;
  if (destination !== null && isWeb(destination) && leads.includes(kind)) return true;
  const acts =
    operation.activates || operation.submits || operation.type === 'fill' || operation.type === 'select';
  return acts && target !== null && target.sensitive.includes(kind) && !isLogin(facts, kind);
}

/** A login's button may say `Continue to checkout`, but a login neither changes nor sends anything else. */
function isLogin({ operation, target }: ReviewFacts, kind: Sensitive): boolean {
  const harmless: readonly Sensitive[] = ['credential_change', 'permission_grant', 'public_post'];
  return (
    (operation.submits || operation.type === 'fill') &&
    target?.form?.purpose === 'login' &&
    harmless.includes(kind)
  );
}

/** More than a person would read on one page. */
const max = { nodes: 500, characters: 50_000 };

const readsMuch = ({ reading, script }: ReviewFacts): boolean =>
  (reading !== null && (reading.nodes > max.nodes || reading.characters > max.characters)) ||
  (script?.kind === 'reads' && script.everything);
