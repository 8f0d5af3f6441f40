import { actions } from './actions.ts';
import { beside } from './beside.ts';
import { descriptions } from './describe.ts';
import { elements } from './elements.ts';
import { filled } from './filled.ts';
import { firstSeen } from './first-seen.ts';
import { fonts } from './fonts.ts';
import { mirrored } from './mirrored.ts';
import { fields } from './fields.ts';
import { reading } from './reading.ts';
import { titles } from './titles.ts';

const library = {
  ...elements,
  ...firstSeen,
  ...descriptions,
  ...beside,
  ...fields,
  ...filled,
  ...titles,
  ...actions,
  ...reading,
  ...mirrored,
  ...fonts,
};

/** The functions of ours in each document, in a world of their own: no script of the page sees or changes them. */
export type InPage = typeof library;

declare global {
  /** Exists in pages only, where the functions call each other through it. */
  const inPage: InPage;
}

const members = Object.entries(library).map(([name, member]) =>
  typeof member === 'function' ? String(member) : `${name}: new ${member.constructor.name}()`,
);

/**
 * Puts them there, once for each document. Builds may have wrapped names of functions into calls of `__name`.
 */
export const librarySource = `globalThis.__name = (named) => named; globalThis.inPage ??= {${members.join(',\n')}};`;
