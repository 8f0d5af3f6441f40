import { isDeepStrictEqual } from 'node:util';
import { type Attribute, type Draft, type DraftNode, isText, type MaskedPage } from './draft.ts';
import { shownText } from './strings.ts';

/** Changes one document of a copy into another. Places are those of the document. */
export type DocumentChange = {
  /** Place of its first node among those of all documents. */
  readonly first: number;
  /** One character for each place: `1` if it is visible. Null: unchanged. */
  readonly seen: string | null;
  /** Place and text. */
  readonly texts: readonly (readonly [number, string])[];
  /** Place, name and value. */
  readonly attributes: readonly (readonly [number, string, string])[];
  /** Place and what stands in the field. */
  readonly values: readonly (readonly [number, string])[];
};

/**
 * What makes the copy of one look into that of the next: texts, what stands in fields, and attributes that do nothing. Null
 * where anything else is another: then it has to be built anew.
 */
export function changesBetween(before: MaskedPage, now: MaskedPage): readonly DocumentChange[] | null {
  if (before.url !== now.url || before.drafts.length !== now.drafts.length) return null;
  if (!isDeepStrictEqual(before.shown, now.shown)) return null;
  const changes: DocumentChange[] = [];
  let first = 0;
  for (const [i, draft] of now.drafts.entries()) {
    const old = before.drafts[i];
    const change = old === undefined ? null : changeOf(old, draft, first);
    if (change === null) return null;
    if (isAny(change)) changes.push(change);
    first += draft.nodes.length;
  }
  return changes;
}

const isAny = ({ seen, texts, attributes, values }: DocumentChange): boolean =>
  seen !== null || texts.length + attributes.length + values.length > 0;

/** A change of these has the whole document copied anew. */
const compared = ['styles', 'checked', 'selected'] as const;

function changeOf(before: Draft, now: Draft, first: number): DocumentChange | null {
  if (before.nodes.length !== now.nodes.length) return null;
  if (!compared.every((name) => isDeepStrictEqual(before[name], now[name]))) return null;
  const change = {
    first,
    seen: before.seen === now.seen ? null : now.seen,
    texts: [] as [number, string][],
    attributes: [] as [number, string, string][],
    values: [] as [number, string][],
  };
  for (const [place, node] of now.nodes.entries()) {
    const old = before.nodes[place];
    if (old === undefined || !noteNode(change, place, old, node, now.nodes[node.parent])) return null;
  }
  return change;
}

type Noted = { [K in 'texts' | 'attributes' | 'values']: DocumentChange[K][number][] };

/** False where it is another node, or does something else. */
function noteNode(
  { texts, attributes, values }: Noted,
  place: number,
  old: DraftNode,
  node: DraftNode,
  parent: DraftNode | undefined,
): boolean {
  if (old.kind !== node.kind || old.parent !== node.parent) return false;
  if (!noteText(texts, place, old, node, parent)) return false;
  if (!noteAttributes(attributes, place, old.attributes, node.attributes)) return false;
  if (old.value === node.value) return true;
  if (old.value === null || node.value === null) return false;
  values.push([place, shownText(node.value)]);
  return true;
}

/** Changed text in these elements has an effect, so that the document is copied anew. */
const doing = /^(script|style|template|noscript|iframe|object|textarea|option)$/i;

/** False where it is no mere text that is another. */
function noteText(
  texts: Noted['texts'],
  place: number,
  old: DraftNode,
  node: DraftNode,
  parent: DraftNode | undefined,
): boolean {
  if (old.text === node.text) return true;
  if (!isText(node) || parent === undefined || doing.test(parent.text)) return false;
  texts.push([place, shownText(node.text)]);
  return true;
}

/** In a copy these attributes have no effect other than on selectors and text. */
const harmless = /^(class|id|title|alt|placeholder|role|aria-[a-z]+|data-[a-z-]+)$/;

/** False where one is there or not, or does something. */
function noteAttributes(
  attributes: Noted['attributes'],
  place: number,
  old: readonly Attribute[],
  now: readonly Attribute[],
): boolean {
  if (old.length !== now.length) return false;
  for (const [i, [name, value]] of now.entries()) {
    const [oldName, oldValue] = old[i] ?? [];
    if (oldName !== name) return false;
    if (oldValue === value) continue;
    if (!harmless.test(name)) return false;
    attributes.push([place, name, shownText(value)]);
  }
  return true;
}
