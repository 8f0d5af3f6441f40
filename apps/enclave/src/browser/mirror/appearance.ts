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
  /** One sign a place: `1` is in sight. */
  readonly seen: string;
  /** What the mirror must be told, since it has none of the page's style sheets. */
  readonly styles: readonly Style[];
};

/** What is in sight, and where a page's own style decides about its text. */
export function appearances(
  document: SnapshotDocument,
  strings: readonly string[],
  { kept, places, names }: Kept,
): Appearance {
  const { nodes } = document;
  const look = looksOf(document, strings);
  const seen = new Uint8Array(kept.length);
  /** Nothing in it can be seen, whatever it is itself. */
  const isGone = new Uint8Array(kept.length + 1);
  const styles: Style[] = [];
  for (const [place, node] of kept.entries()) {
    if (nodes.nodeType[node] !== 1) continue;
    const parent = nodes.parentIndex[node] ?? -1;
    // Of the document nothing was noted, at the end.
    isGone[place] = isGone[places[parent] ?? kept.length] || look.isClear(node) ? 1 : 0;
    seen[place] = look.isInSight(node) && isGone[place] === 0 ? 1 : 0;
    styles.push(...stylesOf(look, { place, node, parent, name: names[place] ?? '' }));
  }
  return { seen: Array.from(seen, String).join(''), styles };
}

type Styled = {
  readonly place: number;
  readonly node: number;
  readonly parent: number;
  readonly name: string;
};

function stylesOf({ style }: ReturnType<typeof looksOf>, { place, node, parent, name }: Styled): Style[] {
  const shown = shownAs(style(node, 'display'), name);
  const own = inherited.flatMap((property): Style[] => {
    const value = style(node, property);
    const isUsual = value === null || value === (style(parent, property) ?? first[property]);
    const isOfElement = property === 'white-space-collapse' && keepsSpace.test(name);
    return isUsual || isOfElement ? [] : [[place, property, value]];
  });
  return shown === null ? own : [[place, 'display', shown], ...own];
}

type StyleName = (typeof copiedStyles)[number];

function looksOf({ layout }: SnapshotDocument, strings: readonly string[]) {
  const boxes = new Map(layout.nodeIndex.map((node, i) => [node, i]));
  /** Null for what has no box. */
  const style = (node: number, name: StyleName): string | null => {
    const values = layout.styles[boxes.get(node) ?? -1];
    return values === undefined ? null : (strings[values[copiedStyles.indexOf(name)] ?? -1] ?? null);
  };
  return {
    style,
    isClear: (node: number): boolean => style(node, 'opacity') === '0',
    isInSight(node: number): boolean {
      const [, , width = 0, height = 0] = layout.bounds[boxes.get(node) ?? -1] ?? [];
      return width > 1 && height > 1 && style(node, 'visibility') === 'visible';
    },
  };
}

const inherited = ['visibility', 'text-transform', 'white-space-collapse'] as const;
const first = {
  visibility: 'visible',
  'text-transform': 'none',
  'white-space-collapse': 'collapse',
} as const;

const keepsSpace = /^(PRE|TEXTAREA|INPUT|LISTING|XMP)$/;

/** What browsers assume: HTML, Rendering. What is in no list is `inline`. */
const blocks =
  /^(HTML|BODY|ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|CENTER|DD|DETAILS|DIALOG|DIR|DIV|DL|DT|FIELDSET|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HGROUP|HR|LEGEND|LI|LISTING|MAIN|MENU|NAV|OL|OPTGROUP|OPTION|P|PLAINTEXT|PRE|SEARCH|SECTION|SUMMARY|UL|XMP)$/;
const boxed = /^(INPUT|SELECT|BUTTON|TEXTAREA|METER|PROGRESS|MARQUEE)$/;
const ofTables = /^(TABLE|CAPTION|COL|COLGROUP|TBODY|THEAD|TFOOT|TR|TD|TH)$/;
/** Not rendered by themselves, so that they have no box; nor is what is no HTML. */
const unshown =
  /^(AREA|BASE|BASEFONT|DATALIST|HEAD|LINK|META|NOEMBED|NOFRAMES|NOSCRIPT|PARAM|RP|SCRIPT|STYLE|TEMPLATE|TITLE|SOURCE|TRACK)$|[a-z]/;

const asBlock = /^(block|flex|grid|flow-root|list-item|-webkit-box)$/;
const asInline = /^(inline|ruby|contents)/;

/** By the name of an element, how browsers show it where a page says nothing else. */
const usual: readonly (readonly [names: RegExp, shown: RegExp])[] = [
  [unshown, /^none$/],
  [blocks, asBlock],
  [ofTables, /^table/],
  [boxed, new RegExp(`${asInline.source}|${asBlock.source}`)],
];

/** What `display` must be said to be; null where the browser comes to the same. `found` is null for what has no box. */
function shownAs(found: string | null, name: string): string | null {
  const shown = found ?? 'none';
  const [, expected = asInline] = usual.find(([names]) => names.test(name)) ?? [];
  return expected.test(shown) ? null : shown;
}
