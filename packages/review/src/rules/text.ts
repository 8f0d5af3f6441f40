import type { Rule } from './rule.ts';

/** What a text may be made of. */
export const textRules: readonly Rule[] = [
  {
    id: 'text.too-many-words',
    verdict: 'ask',
    message:
      'The session has written more words than can be kept apart from its secrets. Open another session, or have a person agree.',
    applies: ({ operation }) => operation.words === 'too-many',
  },
];
