import type { DomDocument, DomElement, DomWindow } from './dom.ts';

declare const document: DomDocument;
declare const window: DomWindow;

/** Reads a page's text and data for `extract` and `export`. */
export const reading = {
  /** Returns the text as a person sees it; for a field, its value. */
  textOf(element: DomElement): string {
    if (/^(input|textarea|select)$/.test(element.localName)) return element.value ?? '';
    return element.innerText ?? element.textContent ?? '';
  },

  pageData(root: DomElement, max: number) {
    const within = (selector: string) =>
      [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)].slice(0, 200);
    return {
      url: window.location.href,
      title: document.title,
      text: inPage.textOf(root).slice(0, max),
      tables: [
        ...within('table').map((table) => ({ rows: inPage.rowsOf(table) })),
        ...within('dl').map((list) => ({ rows: inPage.pairsOf(list) })),
      ],
    };
  },

  rowsOf(table: DomElement): string[][] {
    return [...(table.rows ?? [])]
      .slice(0, 10_000)
      .map((row) => [...(row.cells ?? [])].map((cell) => inPage.textOf(cell).trim()));
  },

  /** Each term with what is said of it. */
  pairsOf(list: DomElement): string[][] {
    const pairs: string[][] = [];
    for (const element of list.querySelectorAll('dt, dd')) {
      const text = inPage.textOf(element).trim();
      const last = pairs.at(-1);
      if (element.localName === 'dt' || last === undefined) pairs.push([text]);
      else last.push(text);
    }
    return pairs;
  },
};
