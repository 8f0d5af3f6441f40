import type { DomDocument, DomElement, DomNode, Root } from './dom.ts';
import type { DocumentChange } from '../mirror/changes.ts';
import type { MirrorDocument } from '../mirror/source.ts';

declare const document: MirrorDom;
declare const CSSStyleSheet: new () => { readonly replaceSync: (text: string) => void };
declare const history: { readonly replaceState: (state: null, title: string, url: string) => void };

type Made = DomElement & {
  readonly append: (node: unknown) => void;
  readonly setAttribute: (name: string, value: string) => void;
  readonly attachShadow: (how: {
    readonly mode: 'open' | 'closed';
  }) => Root & { append: (node: unknown) => void };
  readonly style?: { readonly setProperty: (property: string, value: string) => void };
  readonly contentDocument?: MirrorDom | null;
  checked?: boolean;
  selected?: boolean;
};

type MirrorDom = DomDocument & {
  readonly createElement: (name: string) => Made;
  readonly createElementNS: (space: string, name: string) => Made;
  readonly createTextNode: (text: string) => unknown;
  readonly createComment: (text: string) => unknown;
  readonly append: (node: unknown) => void;
  readonly replaceChildren: () => void;
  adoptedStyleSheets: readonly object[];
  readonly URL: string;
};

export type Match = {
  /** The place of the element in the copy. */
  readonly place: number;
  readonly visible: boolean;
  readonly reading: { readonly nodes: number; readonly characters: number } | null;
};

/** The copy of a page that is read in its stead: these run in the mirror alone. */
export const mirrored = {
  /** Elements by place; null for other nodes. */
  placed: [] as (DomElement | null)[],
  places: new Map<DomElement, number>(),
  /** All by place; null for what cannot be made here. */
  nodes: [] as unknown[],
  inSight: [] as string[],
  /** The selector of the elements that are hidden at the moment. */
  hidden: [] as string[],
  documents: [] as MirrorDom[],
  /** Text measured before an element was hidden, by place; it cannot be measured again afterwards. */
  texts: new Map<number, string>(),

  build(page: { strings: string; url: string; documents: readonly MirrorDocument[] }): void {
    inPage.placed.length = 0;
    inPage.nodes.length = 0;
    inPage.places.clear();
    inPage.texts.clear();
    inPage.closed.clear();
    inPage.held.clear();
    inPage.documents.length = 0;
    inPage.inSight.length = 0;
    try {
      // Chromium does much for it.
      if (document.URL !== page.url) history.replaceState(null, '', page.url);
    } catch {
      // A masked address may be none any more.
    }
    const strings = page.strings.split('\u0001');
    inPage.buildInto(document, 0, page.documents, strings);
  },

  /** Makes what was built last into the copy of the next look, which has the same nodes. */
  change(changes: readonly DocumentChange[]): void {
    inPage.texts.clear();
    for (const { first, seen, texts, attributes, values } of changes) {
      for (let i = 0; i < (seen ?? '').length; i++) inPage.inSight[first + i] = (seen ?? '').charAt(i);
      for (const [place, text] of texts) Object.assign(inPage.nodes[first + place] ?? {}, { data: text });
      // A document in an object has places, but no copy.
      const made = (place: number) => (inPage.nodes[first + place] ?? null) as Made | null;
      for (const [place, name, value] of attributes) inPage.giveAttribute(made(place), name, value, false);
      for (const [place, value] of values) inPage.giveValue(made(place), value);
    }
  },

  buildInto(
    into: MirrorDom,
    number: number,
    all: readonly MirrorDocument[],
    strings: readonly string[],
  ): void {
    const copied = all[number];
    if (copied === undefined) return;
    into.replaceChildren();
    inPage.documents.push(into);
    const made = inPage.makeNodes(into, copied, strings);
    const first = all.slice(0, number).reduce((sum, { seen }) => sum + seen.length, 0);
    made.forEach((node, i) => inPage.keepPlace(node as DomNode | null, first + i, copied.seen.charAt(i)));
    inPage.giveStates(made as (Made | null)[], copied, strings);
    for (let i = 0; i < copied.frames.length; i += 2) {
      const inner = (made[copied.frames[i] ?? -1] as Made | null)?.contentDocument;
      if (inner) inPage.buildInto(inner, copied.frames[i + 1] ?? -1, all, strings);
    }
  },

  keepPlace(node: DomNode | null, place: number, inSight: string): void {
    const element = node?.nodeType === 1 ? (node as DomElement) : null;
    inPage.placed[place] = element;
    inPage.nodes[place] = node;
    if (element !== null) inPage.places.set(element, place);
    inPage.inSight[place] = inSight;
  },

  /** Sets what no attribute expresses: styles, values of fields, checked and selected states. */
  giveStates(
    made: readonly (Made | null)[],
    { styles, values, checked, selected }: MirrorDocument,
    strings: readonly string[],
  ): void {
    const text = (place: number | undefined): string => strings[place ?? -1] ?? '';
    for (let i = 0; i < styles.length; i += 3)
      made[styles[i] ?? -1]?.style?.setProperty(text(styles[i + 1]), text(styles[i + 2]));
    for (let i = 0; i < values.length; i += 2)
      inPage.giveValue(made[values[i] ?? -1] ?? null, text(values[i + 1]));
    for (const place of checked) Object.assign(made[place] ?? {}, { checked: true });
    for (const place of selected) Object.assign(made[place] ?? {}, { selected: true });
  },

  /**
   * Sets the value of a text field. Buttons and boxes have theirs as an attribute, and a page cannot choose a
   * file.
   */
  giveValue(element: Made | null, value: string): void {
    if (
      element === null ||
      /^(file|checkbox|radio|submit|button|reset|image|hidden)$/.test(element.type ?? '')
    )
      return;
    element.value = value;
  },

  makeNodes(into: MirrorDom, { nodes, frames }: MirrorDocument, strings: readonly string[]): unknown[] {
    const made: unknown[] = [];
    const showing = new Set(frames.filter((_, i) => i % 2 === 0));
    const text = (place: number): string => strings[nodes[place] ?? -1] ?? '';
    for (let i = 0; i < nodes.length; ) {
      const [kind, more] = [nodes[i] ?? 0, nodes[i + 3] ?? 0];
      const above = made[nodes[i + 1] ?? -1] as Made | MirrorDom | null | undefined;
      const node = inPage.makeNode(into, kind, text(i + 2), above);
      const isShowing = showing.has(made.length);
      for (let at = i + 4; at < i + 4 + more; at += 2)
        inPage.giveAttribute(node as Made | null, text(at), text(at + 1), isShowing);
      if (node !== null && kind > 0 && kind < 10) above?.append(node);
      made.push(node);
      i += 4 + more;
    }
    return made;
  },

  giveAttribute(node: Made | null, name: string, value: string, isShowing: boolean): void {
    if (node === null || !inPage.mayKeep(name, isShowing)) return;
    try {
      node.setAttribute(name, value);
    } catch {
      // Parsers know names that scripts may not give.
    }
  },

  /** Null for what cannot be made here, and for all in it. */
  makeNode(into: MirrorDom, kind: number, text: string, above: Made | MirrorDom | null | undefined): unknown {
    if (kind === 0) return into;
    if (above === null || above === undefined) return null;
    try {
      if (kind === 1) return into.createElement(text);
      if (kind === 2) return into.createElementNS(inPage.spaceOf(text, above), text);
      if (kind === 3) return above === into ? null : into.createTextNode(text);
      if (kind === 8) return into.createComment(text);
      const root = (above as Made).attachShadow({ mode: kind === 11 ? 'closed' : 'open' });
      inPage.closed.add(root);
      return root;
    } catch {
      return null;
    }
  },

  spaceOf(name: string, above: Made | MirrorDom): string {
    if (name === 'math') return 'http://www.w3.org/1998/Math/MathML';
    const space = (above as { readonly namespaceURI?: string | null }).namespaceURI ?? '';
    return space.endsWith('MathML') ? space : 'http://www.w3.org/2000/svg';
  },

  /**
   * INVARIANT: attributes that would navigate the copy are dropped; otherwise a frame would navigate away and
   * show nothing of what was copied.
   */
  mayKeep(attribute: string, isShowing: boolean): boolean {
    return isShowing
      ? !/^(src|srcdoc|sandbox|loading)$/i.test(attribute)
      : attribute.toLowerCase() !== 'http-equiv';
  },

  show(isShown: boolean): void {
    inPage.hide(isShown ? '' : ':root');
  },

  /** Takes elements that will not be read out of layout, which costs more than building them. */
  hide(selector: string): void {
    // Each change has all of it styled and laid out anew.
    if (inPage.hidden[0] === selector) return;
    inPage.hidden[0] = selector;
    const hiding = new CSSStyleSheet();
    hiding.replaceSync(`${selector} { display: none !important }`);
    document.adoptedStyleSheets = selector === '' ? [] : [hiding];
  },

  /** Shows what decides about the text of an element: what stands beside the blocks that hold it has no part in that. */
  showAround(element: DomElement): void {
    const block = element.getRootNode() === document ? element.closest(inPage.blocks()) : null;
    const path: number[] = [];
    for (let one = block; one?.parentNode?.nodeType === 1; one = one.parentNode as DomElement)
      path.unshift([...(one.parentNode as DomElement).children].indexOf(one) + 1);
    const child = (place: number) => ` > :nth-child(${place})`;
    const beside = path.map(
      (place, i) => `:root${path.slice(0, i).map(child).join('')} > :not(:nth-child(${place}))`,
    );
    inPage.hide(path.length > 50 ? '' : beside.join(', '));
  },

  /** Returns a selector of the elements that browsers display as blocks by default. */
  blocks(): string {
    const names =
      'head body address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main nav ol p pre section table ul';
    return names
      .split(' ')
      .map((name) => `${name}:not([style*="display"])`)
      .join(', ');
  },

  /** The first match in sight, in any document; else the first. */
  match(selector: string, isRead: boolean): Match | null | 'invalid' {
    inPage.show(false);
    try {
      const found = inPage.documents.flatMap((one) => inPage.matchesIn(one, selector));
      const element = found.find((one) => inPage.isSeen(one)) ?? found[0];
      if (element === undefined) return null;
      const place = inPage.places.get(element) ?? -1;
      const reading = isRead ? inPage.measured(element, place) : null;
      return { place, visible: inPage.isSeen(element), reading };
    } catch {
      return 'invalid';
    } finally {
      inPage.show(false);
    }
  },

  /** Elements and characters that reading the element gives. */
  measured(element: DomElement, place: number): { nodes: number; characters: number } {
    inPage.showAround(element);
    const text = inPage.textOf(element);
    inPage.texts.set(place, text);
    return { nodes: element.querySelectorAll('*').length + 1, characters: text.length };
  },

  isSeen(element: DomElement): boolean {
    return inPage.inSight[inPage.places.get(element) ?? -1] === '1';
  },

  /** Returns the text of an element that was prepared for reading, at most `max` characters. */
  textAt(place: number, max: number): string | null {
    return inPage.texts.get(place)?.slice(0, max) ?? null;
  },

  /** Returns the data of an element, or of the whole page for null. */
  dataAt(place: number | null, max: number) {
    inPage.show(true);
    const root = place === null ? document.body : (inPage.placed[place] ?? null);
    return root === null ? null : inPage.pageData(root, max);
  },
};
