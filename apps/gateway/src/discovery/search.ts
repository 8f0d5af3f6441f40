import type { Proposal } from './proposal.ts';

/** The members that are searched, and the score of a match in each; a whole word scores double. */
const weights = { toolName: 4, name: 4, url: 2, description: 1 } as const;
type Field = keyof typeof weights;
const fields = Object.keys(weights) as readonly Field[];

/** Said with each answer, so that nobody takes the order for a recommendation. */
export const ranking =
  'Ordered by where the words of query stand: in name or tool 4, in the address 2, in the description 1, a whole word twice ' +
  'that; then by address. All words must be there. A catalogue lists whoever asks to be listed.';

export type Ranked = {
  readonly proposal: Proposal;
  readonly score: number;
  readonly matchedIn: readonly Field[];
};

const maxWords = 8;
const maxRanked = 10;

/** Some characters are eighteen once they are folded. */
const maxFoldedChars = 400;

/** A proposal whose texts are ready to be searched. */
export type Searchable = {
  readonly proposal: Proposal;
  readonly texts: readonly (readonly [Field, string])[];
};

export const searchable = (proposal: Proposal): Searchable => ({
  proposal,
  texts: fields.flatMap((field) => {
    const text = proposal[field];
    return text === undefined ? [] : [[field, folded(text).slice(0, maxFoldedChars)] as const];
  }),
});

/** The ten best of those in which every word of the query stands. A query without letters or digits finds nothing. */
export function search(query: string, proposals: Iterable<Searchable>): readonly Ranked[] {
  const words = [...new Set(folded(query).match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, maxWords);
  if (words.length === 0) return [];
  const found: Ranked[] = [];
  for (const one of proposals) {
    const ranked = rank(words, one);
    if (ranked !== null) found.push(ranked);
  }
  return found
    .sort((a, b) => b.score - a.score || (a.proposal.url < b.proposal.url ? -1 : 1))
    .slice(0, maxRanked);
}

function rank(words: readonly string[], { proposal, texts }: Searchable): Ranked | null {
  const matchedIn = new Set<Field>();
  let score = 0;
  for (const word of words) {
    const before = score;
    for (const [field, text] of texts) {
      const counts = weights[field] * standing(word, text);
      if (counts > 0) matchedIn.add(field);
      score += counts;
    }
    if (score === before) return null;
  }
  return { proposal, score, matchedIn: fields.filter((field) => matchedIn.has(field)) };
}

const partOfWord = /[\p{L}\p{N}]/u;

/** 0: not there; 1: as a part of a word; 2: as a word, where it stands first. */
function standing(word: string, text: string): 0 | 1 | 2 {
  const at = text.indexOf(word);
  if (at === -1) return 0;
  const around = [text[at - 1], text[at + word.length]];
  return around.some((character) => character !== undefined && partOfWord.test(character)) ? 1 : 2;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
