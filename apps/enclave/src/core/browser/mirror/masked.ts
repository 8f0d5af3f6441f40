import { type Attribute, type Draft, type DraftNode, isText, nodeKinds } from './draft.ts';

/**
 * What stands in nodes, in attributes and in fields, each in the order of the page. Neighbours are masked together, since a
 * secret may be split over them; nodes that only go on with one are left out.
 */
export function masked(draft: Draft, mask: Mask): Draft {
  const { nodes } = draft;
  const texts = maskedTexts(draft, mask);
  const attributes = maskedAttributes(nodes, mask);
  const values = maskedValues(draft, mask);
  const isClean = cleanNames(nodes, mask);
  let next = 0;
  const own = nodes.map((node, place): DraftNode => {
    const value = node.value === null ? null : (values[place] ?? '');
    const first = next;
    next += node.attributes.length;
    return {
      kind: node.kind,
      parent: node.parent,
      text: isText(node) ? (texts[place] ?? '') : isClean(node.text) ? node.text : 'X-MASKED',
      attributes: node.attributes
        // What a field was made with is what stands in it.
        .map(([name, said], i): Attribute => {
          const isSame = name === 'value' && said === node.value && value !== node.value;
          return [name, isSame ? (value ?? '') : (attributes[first + i] ?? '')];
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

type Mask = (texts: readonly string[]) => readonly string[];

/** Puts masked texts in the place of some, each of which is masked among several of them, in turn. */
function maskAmong(texts: string[], groups: readonly (readonly number[])[], mask: Mask): string[] {
  for (const group of groups) {
    const masked = mask(group.map((place) => texts[place] ?? ''));
    for (let i = 0; i < group.length; i++) texts[group[i] ?? -1] = masked[i] ?? '';
  }
  return texts;
}

const placesWhere = <T>(all: readonly T[], isMeant: (one: T, place: number) => boolean): number[] =>
  all.flatMap((one, place) => (isMeant(one, place) ? place : []));

/**
 * Of each node, comments apart from texts, and what is in sight once more by itself: templates put comments between two
 * texts, and pages what nobody sees.
 */
function maskedTexts({ nodes, seen }: Draft, mask: Mask): readonly string[] {
  const isSeen = (place: number): boolean => seen.charAt(nodes[place]?.parent ?? -1) === '1';
  const texts = placesWhere(nodes, ({ kind }) => kind === nodeKinds.text);
  const comments = placesWhere(nodes, ({ kind }) => kind === nodeKinds.comment);
  // What stands side by side anyway has been masked so.
  const between = texts.slice(texts.findIndex(isSeen), texts.findLastIndex(isSeen) + 1);
  const alone = between.every(isSeen) ? [] : [between.filter(isSeen)];
  return maskAmong(
    nodes.map(({ text }) => text),
    [comments, texts, ...alone],
    mask,
  );
}

/**
 * Of all attributes in order, beside each other, and those of one name by themselves: between the parts of a secret stand
 * `type`, `class` and the like.
 */
function maskedAttributes(nodes: readonly DraftNode[], mask: Mask): readonly string[] {
  const all = nodes.flatMap(({ attributes }) => attributes);
  const named = new Map<string, number[]>();
  for (const [place, [name]] of all.entries()) {
    const same = named.get(name);
    if (same === undefined) named.set(name, [place]);
    else same.push(place);
  }
  const groups = [...named.values()].filter(({ length }) => length > 1);
  return maskAmong(
    all.map(([, said]) => said),
    [[...all.keys()], ...groups],
    mask,
  );
}

/**
 * Masks the value of each field twice: among all fields, and among the visible ones alone, since forms put
 * hidden fields between them.
 */
function maskedValues({ nodes, seen }: Draft, mask: Mask): readonly string[] {
  const fields = placesWhere(nodes, ({ value }) => value !== null);
  const inSight = fields.filter((place) => seen.charAt(place) === '1');
  return maskAmong(
    nodes.map(({ value }) => value ?? ''),
    [fields, inSight],
    mask,
  );
}

/** Which names of elements and attributes hold no secret: where a site forgets quotes, its words become names. */
function cleanNames(nodes: readonly DraftNode[], mask: Mask): (name: string) => boolean {
  // Beside the others of its element, too: a secret may have become several. The same names stand on most elements.
  const together = new Map<string, readonly string[]>();
  for (const node of nodes) {
    if (!isText(node)) together.set(node.text, [node.text]);
    if (node.attributes.length === 0) continue;
    const names = node.attributes.map(([name]) => name);
    together.set(names.join('\n'), names);
  }
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

/** Returns the draft without these nodes, its places renumbered. */
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
