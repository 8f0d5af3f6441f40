import type { DomDocument, DomElement, DomWindow } from './dom.ts';

declare const document: DomDocument;
declare const window: DomWindow;

/** Finds the text next to an element from which a person learns what the element does. */
export const beside = {
  /** Texts of the elements that an attribute names. */
  textsOf(element: DomElement, attribute: 'aria-labelledby' | 'aria-describedby'): string {
    const root = element.getRootNode();
    const ids = (element.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean).slice(0, 10);
    const found = ids.map((id) => root.getElementById?.(id) ?? document.getElementById(id));
    return found.map((one) => one?.innerText ?? one?.textContent ?? '').join(' ');
  },

  /**
   * Returns the titles of the form or field. For a button or link that may be an answer, returns only the
   * text directly above it.
   */
  titlesBeside(element: DomElement, group: DomElement | null): string[] {
    if (group !== null) return inPage.titlesOf(group);
    if (/^(form|input|select|textarea)$/.test(element.localName)) return inPage.titlesOf(element);
    const isShort = (element.innerText ?? element.value ?? '').trim().length <= 40;
    return isShort ? inPage.titlesOf(element, { blocks: 3, headings: false }) : [];
  },

  /** All that a button or link is called, by whatever a person sees: accname takes the first of these alone. */
  calledToo(element: DomElement): string[] {
    const holdsOthers =
      element.querySelectorAll('a, button, input, select, textarea, [role=button]').length > 0;
    const parts = holdsOthers ? [] : [...element.querySelectorAll('*')].slice(0, 20);
    const names = [
      element.title ?? '',
      inPage.textsOf(element, 'aria-describedby'),
      holdsOthers ? '' : (element.innerText ?? ''),
      ...parts
        .filter((one) => one.matches('[alt], [aria-label], [title], title'))
        .map((icon) => inPage.iconName(icon)),
      [element, ...parts].map((one) => inPage.drawnOn(one)).join(' '),
    ];
    const letters = [inPage.nameOf(element), ...names].join(' ').match(/\p{L}/gu) ?? [];
    return letters.length > 1 ? names : [...names, inPage.columnOf(element)];
  },

  /** Returns the text that style sheets generate before and after the element. */
  drawnOn(element: DomElement): string {
    const texts = ['::before', '::after'].map((part) => window.getComputedStyle(element, part).content);
    return texts
      .flatMap((content) => [...content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)])
      .map(([, text, attribute]) => text ?? element.getAttribute(attribute ?? '') ?? '')
      .join(' ');
  },

  /** The heading of the column in which it stands. */
  columnOf(element: DomElement): string {
    const cell = inPage.closestOf(element, 'td, th');
    const row = cell?.closest('tr') ?? null;
    const [top] = row?.closest('table')?.rows ?? [];
    if (cell === null || row === null || top === undefined || top === row) return '';
    const columns = (one: DomElement) =>
      [...(one.cells ?? [])].flatMap((each) =>
        Array.from({ length: Math.min(each.colSpan ?? 1, 100) }, () => each),
      );
    return columns(top)[columns(row).indexOf(cell)]?.innerText ?? '';
  },

  /** Returns the value of a hidden field if it is a word or two, `?` otherwise. */
  wordsIn(element: DomElement): string {
    const value = element.value ?? '';
    return value === '' || /^([\p{L}_.: -]{1,40}|[01])$/u.test(value) ? value : '?';
  },
};
