import { copiedStyles, type SnapshotDocument } from './snapshot.ts';

/** The nodes that are copied: their numbers in the snapshot by place, their places by number (-1: left out), their names. */
export type Kept = {
  readonly kept: readonly number[];
  readonly places: Int32Array;
  readonly names: readonly string[];
};

/** Place, property, value. */
type Style = readonly [place: number, property: string, value: string];

export type Appearance = {
  /** One character for each place: `1` if it is visible. */
  readonly seen: string;
  /** Styles that the mirror sets explicitly, since it has none of the page's style sheets. */
  readonly styles: readonly Style[];
};

/** Returns which nodes are visible, and where the page's own style decides how text is laid out. */
export function appearances(
  document: SnapshotDocument,
  strings: readonly string[],
  { kept, places, names }: Kept,
): Appearance {
  const { nodes } = document;
  const look = looksOf(document, strings);
  const seen = Buffer.alloc(kept.length, '0');
  /** Nothing in it can be seen, whatever it is itself. */
  const isGone = new Uint8Array(kept.length + 1);
  const styles: Style[] = [];
  for (let place = 0; place < kept.length; place++) {
    const node = kept[place] ?? -1;
    if (nodes.nodeType[node] !== 1) continue;
    const parent = nodes.parentIndex[node] ?? -1;
    // Of the document nothing was noted, at the end.
    isGone[place] = isGone[places[parent] ?? kept.length] || look.isClear(node) ? 1 : 0;
    if (isGone[place] === 0 && look.isInSight(node)) seen[place] = inSight;
    addStyles(styles, look, { place, node, parent, name: names[place] ?? '' });
  }
  return { seen: seen.toString('latin1'), styles };
}

const inSight = 0x31;

type Styled = {
  readonly place: number;
  readonly node: number;
  readonly parent: number;
  readonly name: string;
};

function addStyles(
  styles: Style[],
  { style, looksAlike, shownIn }: ReturnType<typeof looksOf>,
  { place, node, parent, name }: Styled,
): void {
  const shown = shownIn(style(node, 'display'), name);
  if (shown !== null) styles.push([place, 'display', shown]);
  // Nearly all are as what they stand in.
  if (looksAlike(node, parent)) return;
  for (const property of inherited) {
    const value = style(node, property);
    const isUsual = value === null || value === (style(parent, property) ?? first[property]);
    const isOfElement = property === 'white-space-collapse' && keepsSpace.test(name);
    if (!isUsual && !isOfElement) styles.push([place, property, value]);
  }
}

type StyleName = (typeof copiedStyles)[number];

function looksOf({ nodes, layout }: SnapshotDocument, strings: readonly string[]) {
  /** For each node its index in the layout; -1 if it has no box. */
  const boxes = new Int32Array(nodes.nodeType.length + 1).fill(-1);
  for (let i = 0; i < layout.nodeIndex.length; i++) boxes[layout.nodeIndex[i] ?? 0] = i;
  const numberOf = (node: number, name: StyleName): number =>
    layout.styles[boxes[node] ?? -1]?.[styleAt[name]] ?? -1;
  /** Null for what has no box. */
  const style = (node: number, name: StyleName): string | null => strings[numberOf(node, name)] ?? null;
  return {
    style,
    shownIn: rememberedShown(),
    /** Compares the inherited styles of node and parent. Equal text has equal numbers. */
    looksAlike: (node: number, parent: number): boolean =>
      numberOf(parent, 'visibility') >= 0 &&
      inherited.every((name) => numberOf(node, name) === numberOf(parent, name)),
    isClear: (node: number): boolean => style(node, 'opacity') === '0',
    isInSight(node: number): boolean {
      const bounds = layout.bounds[boxes[node] ?? -1];
      return (
        bounds !== undefined &&
        (bounds[2] ?? 0) > 1 &&
        (bounds[3] ?? 0) > 1 &&
        style(node, 'visibility') === 'visible'
      );
    },
  };
}

const styleAt = Object.fromEntries(copiedStyles.map((name, i) => [name, i])) as Readonly<
  Record<StyleName, number>
>;

const inherited = ['visibility', 'text-transform', 'white-space-collapse'] as const;
const first = {
  visibility: 'visible',
  'text-transform': 'none',
  'white-space-collapse': 'collapse',
} as const;

const keepsSpace = /^(PRE|TEXTAREA|INPUT|LISTING|XMP)$/;

/** Elements that browsers display as blocks (HTML, Rendering). Elements in no list are `inline`. */
const blocks =
  /^(HTML|BODY|ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|CENTER|DD|DETAILS|DIALOG|DIR|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HGROUP|HR|LEGEND|LI|LISTING|MAIN|MENU|NAV|OL|OPTGROUP|OPTION|P|PLAINTEXT|PRE|SEARCH|SECTION|SUMMARY|UL|XMP)$/;
const boxed = /^(INPUT|SELECT|BUTTON|TEXTAREA|METER|PROGRESS|MARQUEE)$/;
const ofTables = /^(TABLE|CAPTION|COL|COLGROUP|TBODY|THEAD|TFOOT|TR|TD|TH)$/;
/** Not rendered by themselves, so that they have no box; nor is what is no HTML. */
const unshown =
  /^(AREA|BASE|BASEFONT|DATALIST|HEAD|LINK|META|NOEMBED|NOFRAMES|NOSCRIPT|PARAM|RP|SCRIPT|STYLE|TEMPLATE|TITLE|SOURCE|TRACK)$|[a-z]/;

const asBlock = /^(block|flex|grid|flow-root|list-item|-webkit-box)$/;
const asInline = /^(inline|ruby|contents)/;

/** By element name, the `display` that browsers use by default. */
const usual: readonly (readonly [names: RegExp, shown: RegExp])[] = [
  [unshown, /^none$/],
  [blocks, asBlock],
  [ofTables, /^table/],
  [boxed, new RegExp(`${asInline.source}|${asBlock.source}`)],
];

/**
 * Returns the `display` that the mirror must set; null if the browser's default is the same. `found` is null
 * for a node without a box.
 */
function shownAs(found: string | null, name: string): string | null {
  const shown = found ?? 'none';
  const [, expected = asInline] = usual.find(([names]) => names.test(name)) ?? [];
  return expected.test(shown) ? null : shown;
}

/** The same few elements are shown in the same few ways. */
function rememberedShown(): typeof shownAs {
  const known = new Map<string, string | null>();
  return (found, name) => {
    const key = `${name} ${found}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const shown = shownAs(found, name);
    known.set(key, shown);
    return shown;
  };
}
