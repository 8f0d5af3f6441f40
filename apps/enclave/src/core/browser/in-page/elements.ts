import type { DomDocument, DomElement, DomNode, DomWindow, Root } from './dom.ts';

declare const document: DomDocument;
declare const window: DomWindow;

/**
 * Finding elements. These functions run in the page, each by itself: they know each other by `inPage` alone, and
 * nothing else of this module.
 */
export const elements = {
  held: new Map<number, DomElement>(),
  /** Shadow roots that are closed to scripts; the debugger opens them to us. */
  closed: new Set<Root>(),

  adopt(roots: readonly Root[]): void {
    for (const root of roots) inPage.closed.add(root);
  },

  /** Remembers the roots in which an element stands, closed ones too, since looking for what lies at a point needs them. */
  rememberRoots(element: DomElement): void {
    const isShadow = (root: Root) => root.nodeType === 11 && root.host !== undefined;
    for (let root = element.getRootNode(); isShadow(root); root = root.host?.getRootNode() ?? root)
      inPage.closed.add(root);
  },

  /** Matches in a document; when there are none, in its shadow roots. Throws where the selector is none. */
  matchesIn(document: Root, selector: string): DomElement[] {
    const plain = [...document.querySelectorAll(selector)];
    if (plain.length > 0) return plain;
    const below = (root: Root | DomElement): Root[] =>
      [...root.querySelectorAll('*')].flatMap((element) =>
        element.shadowRoot === null ? [] : [element.shadowRoot, ...below(element.shadowRoot)],
      );
    const closed = [...inPage.closed].filter((root) => root.isConnected && root.ownerDocument === document);
    const roots = [...below(document), ...closed.flatMap((root) => [root, ...below(root)])];
    return [...new Set(roots)].flatMap((root) => [...root.querySelectorAll(selector)]);
  },

  hold(element: DomElement): number {
    for (const [token, held] of inPage.held) if (held === element) return token;
    for (const [token, held] of inPage.held) if (!held.isConnected) inPage.held.delete(token);
    const token = Math.max(0, ...inPage.held.keys()) + 1;
    inPage.held.set(token, element);
    return token;
  },

  take(token: number): DomElement | null {
    const element = inPage.held.get(token);
    return element?.isConnected === true ? element : null;
  },

  isVisible(element: DomElement): boolean {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 &&
      height > 1 &&
      element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      })
    );
  },

  /** Returns the topmost element at this point of the view, in shadow roots as well. */
  topmostAt(x: number, y: number): DomElement | null {
    let top = document.elementFromPoint(x, y);
    for (;;) {
      const host: DomElement | null = top;
      const root = host?.shadowRoot ?? [...inPage.closed].find((one) => one.host === host);
      const inner: DomElement | null = root?.elementFromPoint(x, y) ?? null;
      if (inner === null || inner === top) return top;
      top = inner;
    }
  },

  /** Returns whether one holds the other, shadow roots looked through. */
  isWithin(inner: DomNode | null, outer: DomElement): boolean {
    for (let node = inner; node !== null; node = node.parentNode ?? (node as Root).host ?? null)
      if (node === outer) return true;
    return false;
  },

  /** A point of a frame's document as one of ours, and whether nothing lies over the frame there. */
  throughFrame(owner: DomElement, x: number, y: number): { x: number; y: number; isOpen: boolean } {
    const { left, top } = owner.getBoundingClientRect();
    const { paddingLeft, paddingTop } = window.getComputedStyle(owner);
    const point = {
      x: left + owner.clientLeft + Number.parseFloat(paddingLeft) + x,
      y: top + owner.clientTop + Number.parseFloat(paddingTop) + y,
    };
    const hit = inPage.topmostAt(point.x, point.y);
    return { ...point, isOpen: hit !== null && inPage.isWithin(owner, hit) };
  },

  /** A point of the element that takes a click meant for it; null where another element lies over it or it is out of view. */
  openPoint(element: DomElement): { readonly x: number; readonly y: number } | null {
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, window.innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)];
    if (right <= left || bottom <= top) return null;
    const point = { x: (left + right) / 2, y: (top + bottom) / 2 };
    const hit = inPage.topmostAt(point.x, point.y);
    const label = hit?.closest('label');
    const reaches =
      inPage.isWithin(hit, element) ||
      (label !== undefined && label?.control === element) ||
      inPage.isAreaOf(hit, element);
    return reaches ? point : null;
  },

  /** Returns whether it is a part of a picture that has parts. */
  isAreaOf(hit: DomElement | null, picture: DomElement): boolean {
    const name = hit?.localName === 'area' ? hit.closest('map')?.getAttribute('name') : null;
    return typeof name === 'string' && picture.getAttribute('usemap') === `#${name}`;
  },
};
