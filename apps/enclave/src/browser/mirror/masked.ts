import { type Attribute, type Draft, type DraftNode, isText, nodeKinds } from './draft.ts';

/**
 * What stands in nodes, in attributes and in fields, each in the order of the page. Neighbours are masked together, since a
 * secret may be split over them; nodes that only go on with one are left out.
 */
export function masked(draft: Draft, mask: (texts: readonly string[]) => readonly string[]): Draft {
  const { nodes } = draft;
  const texts = maskedTexts(draft, mask);
  const attributes = maskedAttributes(nodes, mask);
  const values = maskedValues(draft, mask);
  const isClean = cleanNames(nodes, mask);
  const own = nodes.map((node) => {
    const value = values.get(node) ?? null;
    return {
      ...node,
      text: isText(node) ? (texts.get(node) ?? '') : isClean(node.text) ? node.text : 'X-MASKED',
      attributes: node.attributes
        // What a field was made with is what stands in it.
        .map((one): Attribute => {
          const isSame = one[0] === 'value' && one[1] === node.value && value !== node.value;
          return [one[0], isSame ? (value ?? '') : (attributes.get(one) ?? '')];
        })
        .filter(([name]) => isClean(name)),
      value,
    };
  });
  const goesOn = own.map((node, place) => isText(node) && node.text === '' && nodes[place]?.text !== '');
  return goesOn.includes(true)
    ? without({ ...draft, nodes: own }, leftOut(own, goesOn))
    : { ...draft, nodes: own };
}

/** Texts of some things, each of which is masked among several of them, in turn. */
function maskedAmong<T>(
  texts: Map<T, string>,
  groups: readonly (readonly T[])[],
  mask: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<T, string> {
  for (const group of groups) {
    const masked = mask(group.map((one) => texts.get(one) ?? ''));
    for (const [i, one] of group.entries()) texts.set(one, masked[i] ?? '');
  }
  return texts;
}

/**
 * Comments apart from texts, and what is in sight once more by itself: templates put comments between two texts, and pages
 * what nobody sees.
 */
function maskedTexts(
  { nodes, seen }: Draft,
  mask: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<DraftNode, string> {
  const all = nodes.filter(isText);
  const isSeen = ({ parent }: DraftNode): boolean => seen.charAt(parent) === '1';
  const [texts, comments] = [all.filter(ofText), all.filter((node) => !ofText(node))];
  // What stands side by side anyway has been masked so.
  const between = texts.slice(texts.findIndex(isSeen), texts.findLastIndex(isSeen) + 1);
  const alone = between.every(isSeen) ? [] : [between.filter(isSeen)];
  return maskedAmong(new Map(all.map((node) => [node, node.text])), [comments, texts, ...alone], mask);
}
const ofText = ({ kind }: DraftNode): boolean => kind === nodeKinds.text;

/** Beside each other, and those of one name by themselves: between the parts of a secret stand `type`, `class` and the like. */
function maskedAttributes(
  nodes: readonly DraftNode[],
  mask: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<Attribute, string> {
  const all = nodes.flatMap(({ attributes }) => attributes);
  const named = new Map<string, Attribute[]>();
  for (const one of all) {
    const same = named.get(one[0]);
    if (same === undefined) named.set(one[0], [one]);
    else same.push(one);
  }
  const groups = [...named.values()].filter(({ length }) => length > 1);
  return maskedAmong(new Map(all.map((one) => [one, one[1]])), [all, ...groups], mask);
}

/** Those in sight once more by themselves: forms put hidden fields between them. */
function maskedValues(
  { nodes, seen }: Draft,
  mask: (texts: readonly string[]) => readonly string[],
): ReadonlyMap<DraftNode, string> {
  const all = new Map(nodes.flatMap((node) => (node.value === null ? [] : [[node, node.value] as const])));
  const inSight = nodes.filter((node, place) => node.value !== null && seen.charAt(place) === '1');
  return maskedAmong(all, [[...all.keys()], inSight], mask);
}

/** Which names of elements and attributes hold no secret: where a site forgets quotes, its words become names. */
function cleanNames(
  nodes: readonly DraftNode[],
  mask: (texts: readonly string[]) => readonly string[],
): (name: string) => boolean {
  const elements = nodes.filter((node) => !isText(node)).map(({ text }) => [text]);
  const attributes = nodes.map((node) => node.attributes.map(([name]) => name));
  // Beside the others of its element, too: a secret may have become several. The same names stand on most elements.
  const together = new Map([...elements, ...attributes].map((names) => [names.join('\n'), names]));
  const found = [...together.values()].flatMap((names) => {
    const masked = mask(names);
    return names.filter((name, i) => masked[i] !== name);
  });
  const dirty = new Set(found);
  return (name) => !dirty.has(name);
}

const inline: ReadonlySet<string> = new Set(
  'A ABBR B BDI BDO CODE EM FONT I KBD MARK S SAMP SMALL SPAN STRONG SUB SUP TT U VAR'.split(' '),
);

/** These nodes, and what only marks them up: the number of it would tell how long a secret is. */
function leftOut(nodes: readonly DraftNode[], goesOn: readonly boolean[]): boolean[] {
  const out = [...goesOn];
  const [all, left] = [new Uint32Array(nodes.length), new Uint32Array(nodes.length)];
  for (const [i, node] of [...nodes.entries()].reverse()) {
    if (node.kind === nodeKinds.element && inline.has(node.text) && (left[i] ?? 0) > 0 && left[i] === all[i])
      out[i] = true;
    if (node.parent < 0) continue;
    all[node.parent] = (all[node.parent] ?? 0) + 1;
    if (out[i] === true) left[node.parent] = (left[node.parent] ?? 0) + 1;
  }
  return out;
}

/** With places of what is there alone. */
function without(draft: Draft, out: readonly boolean[]): Draft {
  let count = 0;
  const places = out.map((isOut) => (isOut ? -1 : count++));
  const isKept = (_: unknown, place: number): boolean => out[place] !== true;
  const placeOf = (place: number): number => places[place] ?? -1;
  const placed = (list: readonly number[]): number[] => list.map(placeOf).filter((place) => place >= 0);
  return {
    nodes: draft.nodes.filter(isKept).map((node) => ({ ...node, parent: placeOf(node.parent) })),
    nodeIds: draft.nodeIds.filter(isKept),
    seen: Array.from(draft.seen).filter(isKept).join(''),
    styles: draft.styles
      .map(([place, property, value]) => [placeOf(place), property, value] as const)
      .filter(([place]) => place >= 0),
    checked: placed(draft.checked),
    selected: placed(draft.selected),
    inner: draft.inner.map(([place, number]) => [placeOf(place), number] as const),
  };
}
