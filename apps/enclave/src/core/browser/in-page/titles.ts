import type { DomDocument, DomElement, DomNode } from './dom.ts';

declare const document: DomDocument;

/** How far above an element text is read: the number of blocks, and whether headings further up count. */
export type Reach = { readonly blocks: number; readonly headings: boolean };

/** Finds the text beside a form, field or button that tells a person what it is for. */
export const titles = {
  /**
   * Sentences, of whatever elements: of its dialog, else of what stands within and above it up to the nearest heading; then the
   * headings superior to that, and what assistive technology reads. Numbers in them count down, so they are none.
   */
  titlesOf(element: DomElement, reach: Reach = { blocks: 12, headings: true }): string[] {
    const dialog = inPage.closestOf(element, 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true]');
    const above = dialog === null ? inPage.textsAbove(element, reach) : [];
    const said = inPage.ariaAround(element);
    const { host } = element.getRootNode();
    const outside =
      host === undefined || dialog !== null || above.length > 0 ? [] : inPage.titlesOf(host, reach);
    const texts = [...inPage.textsIn(dialog ?? element), ...above, ...said, ...outside];
    const plain = texts.map((text) => text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim().slice(0, 600));
    return [...new Set(plain)].filter((text) => text !== '').slice(0, 40);
  },

  ariaAround(element: DomElement): string[] {
    const around = ['form', 'dialog, [role=dialog], [role=alertdialog]', 'fieldset, section, [role=group]']
      .map((selector) => inPage.closestOf(element, selector))
      .filter((one) => one !== null);
    const isField = (one: DomElement) => /^(input|select|textarea)$/.test(one.localName);
    const described = [...element.querySelectorAll('input[aria-describedby], fieldset')].slice(0, 20);
    return [element, ...around, ...described].flatMap((one) => [
      isField(one) ? '' : (one.getAttribute('aria-label') ?? ''),
      isField(one) ? '' : inPage.textsOf(one, 'aria-labelledby'),
      inPage.textsOf(one, 'aria-describedby'),
      one.getAttribute('aria-description') ?? '',
    ]);
  },

  /** The sentences within it, of forms and what holds fields. */
  textsIn(element: DomElement): string[] {
    const walker = document.createTreeWalker(element, 4);
    const pieces: [DomElement, string][] = [];
    for (let steps = 0; steps < 500 && walker.nextNode() !== null; steps += 1) {
      const piece = inPage.pieceOf(walker.currentNode, element);
      if (piece !== null) pieces.push(piece);
    }
    return inPage.sentencesOf(pieces).slice(0, 30);
  },

  /**
   * Returns the text above the element, nearest first, up to a heading. Stops at another password field: text
   * above that one belongs to it.
   */
  textsAbove(element: DomElement, { blocks, headings }: Reach): string[] {
    const walker = document.createTreeWalker(element.getRootNode(), 5);
    walker.currentNode = element;
    const pieces: [DomElement, string][] = [];
    let nearest: DomElement | null = null;
    for (let steps = 0; steps < 600 && nearest === null; steps += 1) {
      const node = walker.previousNode() as DomElement | null;
      if (node === null || inPage.asksAnother(node, element)) break;
      if (inPage.isHeadingOf(node, element)) nearest = node;
      const piece = inPage.pieceOf(node, element);
      if (piece === null) continue;
      pieces.unshift(piece);
      if (pieces.length > 60 || inPage.sentencesOf(pieces).length >= blocks) break;
    }
    const read = inPage.sentencesOf(pieces).reverse();
    return [...read, ...(headings ? inPage.headingsAbove(element, nearest) : [nearest?.innerText ?? ''])];
  },

  /** The nearest heading and those above it in rank. */
  headingsAbove(element: DomElement, nearest: DomElement | null): string[] {
    const all = [...element.getRootNode().querySelectorAll(`h1, h2, h3, h4, h5, h6, [role=heading]`)];
    const isBefore = (one: DomElement) => (element.compareDocumentPosition(one) & 2) !== 0;
    const before = all
      .filter(isBefore)
      .slice(-200)
      .filter((one) => inPage.isHeadingOf(one, element))
      .reverse();
    const from = nearest ?? before.find((one) => !inPage.isBehindAnother(one, element));
    if (from === undefined) return [];
    const rankOf = (one: DomElement) =>
      Number(/^h(\d)$/.exec(one.localName)?.[1] ?? one.getAttribute('aria-level') ?? 2);
    let rank = rankOf(from);
    const superior = before.slice(before.indexOf(from) + 1).filter((one) => {
      const isHigher = rankOf(one) < rank && !inPage.isBehindAnother(one, element);
      if (isHigher) rank = rankOf(one);
      return isHigher;
    });
    return [from, ...superior].map((one) => one.innerText ?? '');
  },

  /** Returns whether the node is a visible heading of the same part of the page. */
  isHeadingOf(node: DomElement, element: DomElement): boolean {
    if (node.nodeType !== 1 || !node.matches('h1, h2, h3, h4, h5, h6, [role=heading]')) return false;
    const part = node.closest('aside, article, nav, form, dialog');
    return inPage.isVisible(node) && (part === null || part.contains(element) || element.contains(part));
  },

  /** Returns whether a form with a password of its own stands between. */
  isBehindAnother(heading: DomElement, element: DomElement): boolean {
    const all = [...element.getRootNode().querySelectorAll('input[type=password]')];
    return all.some(
      (one) =>
        inPage.asksAnother(one, element) &&
        (heading.compareDocumentPosition(one) & 4) !== 0 &&
        (element.compareDocumentPosition(one) & 2) !== 0,
    );
  },

  asksAnother(node: DomElement, element: DomElement): boolean {
    if (node.nodeType !== 1 || node.localName !== 'input' || node.type !== 'password') return false;
    return inPage.isVisible(node) && !element.contains(node) && node !== element;
  },

  /** A text that a person reads, and the block in which it stands. A link is a mark. */
  pieceOf(node: DomNode, element: DomElement): [DomElement, string] | null {
    const holder = node.nodeType === 3 ? (node.parentNode as DomElement | null) : null;
    const text = holder === null ? '' : (node.textContent ?? '').slice(0, 2000);
    if (holder?.nodeType !== 1 || text.trim() === '' || !inPage.isSaidOf(holder, element)) return null;
    const blocks =
      'p, li, label, legend, summary, caption, h1, h2, h3, h4, h5, h6, div, td, th, dt, dd, section, article, form, fieldset, dialog, main, header, footer, body';
    const isTitle = holder.closest('h1, h2, h3, h4, h5, h6, [role=heading]') !== null;
    const isLink = !isTitle && holder.closest('a[href], [role=link]') !== null && /\p{L}/u.test(text);
    return [holder.closest(blocks) ?? holder, isLink ? ' \u0000 ' : text];
  },

  /**
   * Returns whether the text describes the element. Text of buttons, menus, other forms, other parts and
   * collapsed content describes only itself.
   */
  isSaidOf(holder: DomElement, element: DomElement): boolean {
    if (holder.closest('script, style, noscript, template, option, textarea, nav, [role=tab]') !== null)
      return false;
    const isTitle = holder.closest('h1, h2, h3, h4, h5, h6, [role=heading]') !== null;
    const others = [
      isTitle ? null : holder.closest('button, [role=button], [role=menuitem], aside, article'),
      holder.closest('summary')?.closest('details') ?? null,
    ];
    if (others.some((one) => one !== null && !one.contains(element))) return false;
    const form = holder.closest('form');
    const isOwn = form === null || form.contains(element) || element.contains(form);
    return isOwn && inPage.isVisible(holder);
  },

  /** A sentence with a link in it speaks of where else one may go. */
  sentencesOf(pieces: readonly (readonly [DomElement, string])[]): string[] {
    const blocks: { at: DomElement; text: string }[] = [];
    for (const [at, text] of pieces) {
      const last = blocks.at(-1);
      if (last?.at === at) last.text += text;
      else blocks.push({ at, text });
    }
    return blocks.flatMap(({ text }) =>
      text
        .replace(/\s+/g, ' ')
        .split(/(?<=[.!?…])\s+|(?<=[。！？])/u)
        .filter((sentence) => /\p{L}/u.test(sentence) && !sentence.includes('\u0000')),
    );
  },
};
