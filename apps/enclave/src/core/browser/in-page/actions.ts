import type { DomDocument, DomElement, DomOption, DomWindow } from './dom.ts';
import type { Aim } from './describe.ts';

declare const document: DomDocument;
declare const window: DomWindow;
declare const Event: new (type: string, options: object) => unknown;

export type Readiness = 'click' | 'hover' | 'fill' | 'select' | 'focus' | 'scroll';

/** Why an element cannot be acted on yet. */
export type Unready = 'gone' | 'changed' | 'not_visible' | 'disabled' | 'moving' | 'covered' | 'not_editable';

export type Ready = { readonly x: number; readonly y: number };

/** Performs operations on elements the way a person would, with the same preconditions. */
export const actions = {
  /**
   * Waits until the element can be acted on, and tells where; else, after `limit` milliseconds, what is in the way. An
   * element that is no longer `what` was looked at is `changed`. One that is to be filled has the focus then.
   */
  async ready(
    token: number,
    what: string,
    aim: Aim,
    how: Readiness,
    limit: number,
  ): Promise<Ready | Unready> {
    const end = performance.now() + limit;
    for (;;) {
      const state = await inPage.readyNow(token, how);
      if (state !== 'gone' && inPage.gist(token, aim) !== what) return 'changed';
      if (typeof state !== 'string')
        return how !== 'fill' || inPage.selectAll(token) ? state : 'not_editable';
      if (state === 'gone' || performance.now() >= end) return state;
      await inPage.frame();
    }
  },

  async readyNow(token: number, how: Readiness): Promise<Ready | Unready> {
    const element = inPage.take(token);
    const unready = element === null ? 'gone' : inPage.unfit(element, how);
    if (element === null || unready !== null) return unready ?? 'gone';
    if (inPage.bringIntoView(element)) await inPage.frame();
    // Nothing is aimed at these.
    if (how === 'select' || how === 'focus' || how === 'scroll') return { x: 0, y: 0 };
    // What has the focus may move.
    if (how !== 'fill' && !(await inPage.isStill(element))) return 'moving';
    return inPage.openPoint(element) ?? 'covered';
  },

  /**
   * Returns why the element is not ready for the operation, null if it is. Each reason may go away by
   * waiting.
   */
  unfit(element: DomElement, how: Readiness): Unready | null {
    if (!inPage.isVisible(element)) return 'not_visible';
    if (how !== 'hover' && how !== 'scroll' && element.matches(':disabled')) return 'disabled';
    if (how === 'fill' && !inPage.isEditable(element)) return 'not_editable';
    return how === 'select' && element.localName !== 'select' ? 'not_editable' : null;
  },

  /** Returns whether it had to be moved. */
  bringIntoView(element: DomElement): boolean {
    if (inPage.isInView(element)) return false;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    return true;
  },

  /** Returns whether it had to be moved. */
  async showTo(token: number): Promise<boolean> {
    const element = inPage.take(token);
    if (element === null || !inPage.bringIntoView(element)) return false;
    await inPage.frame();
    return true;
  },

  /** Returns the boxes of the element and of its form, at the frame's current scroll position. */
  boxesOf(token: number): { x: number; y: number; width: number; height: number }[] {
    const element = inPage.take(token);
    return [element, element === null ? null : inPage.formOf(element)].flatMap((one) => {
      if (one === null) return [];
      const { left, top, width, height } = one.getBoundingClientRect();
      return [{ x: left, y: top, width, height }];
    });
  },

  isInView(element: DomElement): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight;
  },

  /** A page that is not shown has no frames. */
  frame(): Promise<void> {
    return new Promise((resolve) => {
      window.requestAnimationFrame(() => resolve());
      setTimeout(resolve, 100);
    });
  },

  async isStill(element: DomElement): Promise<boolean> {
    const before = element.getBoundingClientRect();
    await inPage.frame();
    const after = element.getBoundingClientRect();
    return before.left === after.left && before.top === after.top && before.width === after.width;
  },

  /**
   * Returns the text that a key press would change: the field's value, or the labels of its options. Empty if
   * the key changes nothing.
   */
  editedText(token: number, key: string): string {
    const element = inPage.take(token);
    if (element === null || !inPage.isChangedBy(element, key)) return '';
    if (/^(input|textarea)$/.test(element.localName)) return element.value ?? '';
    if (element.localName === 'select')
      return [...(element.options ?? [])].map(({ label }) => label).join('\n');
    return (element.closest('[contenteditable]') ?? element).textContent ?? '';
  },

  /**
   * Returns whether a key does nothing but what such an element does with it: a field in sight takes it, a
   * button is activated.
   */
  keepsKey(token: number, key: string): boolean {
    const element = inPage.take(token);
    if (element === null) return false;
    const pressed =
      'a[href], area, button, summary, input:is([type=submit], [type=button], [type=reset], [type=image], [type=checkbox], [type=radio], [type=file], [type=color]), [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=option], [role^=menuitem]';
    if (/^(Enter| )$/.test(key) && element.matches(pressed)) return true;
    const isField = /^(input|textarea|select)$/.test(element.localName) || element.isContentEditable;
    if (!isField || !inPage.isVisible(element)) return false;
    inPage.bringIntoView(element);
    return inPage.openPoint(element) !== null;
  },

  /** Arrows count in fields that count; Enter sends the form of a field of one line. */
  isChangedBy(element: DomElement, key: string): boolean {
    // A list goes to what begins with the letter.
    if (element.localName === 'select') return key.length === 1 && key !== ' ';
    if (element.localName !== 'input')
      return !key.startsWith('Arrow') && (element.localName === 'textarea' || element.isContentEditable);
    const counts = /^(number|range|date|time|month|week|datetime-local)$/.test(element.type ?? '');
    return key.startsWith('Arrow') ? counts : key !== 'Enter';
  },

  isEditable(element: DomElement): boolean {
    const types =
      /^(text|password|email|tel|url|search|number|date|datetime-local|month|time|week|color|range)$/;
    if (element.readOnly === true) return false;
    if (element.localName === 'input') return types.test(element.type ?? '');
    return element.localName === 'textarea' || element.isContentEditable;
  },

  /** Gives it the focus with all it holds selected, so that what is typed replaces it. */
  selectAll(token: number): boolean {
    const element = inPage.take(token);
    if (element === null) return false;
    element.focus({ preventScroll: true });
    if (element.select !== undefined) element.select();
    else {
      const range = document.createRange();
      range.selectNodeContents(element);
      const selection = window.getSelection();
      selection?.removeAllRanges();
      selection?.addRange(range);
    }
    return inPage.hasFocus(element);
  },

  hasFocus(element: DomElement): boolean {
    const active = element.getRootNode().activeElement;
    return active === element || inPage.isWithin(element, active ?? element);
  },

  focus(token: number): boolean {
    const element = inPage.take(token);
    element?.focus();
    return element !== null && inPage.hasFocus(element);
  },

  /** Pickers take no keys: their value is set, and the page told so. */
  setPicker(token: number, value: string): boolean {
    const element = inPage.take(token);
    if (element === null) return false;
    element.value = value;
    inPage.tellChange(element);
    return element.value === value;
  },

  tellChange(element: DomElement): void {
    for (const type of ['input', 'change'])
      element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  },

  /** Line ends are the page's own matter. */
  isFilled(token: number, value: string): boolean {
    const element = inPage.take(token);
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
    return element === null || plain(element.value ?? element.textContent ?? '') === plain(value);
  },

  /** Selects an option by its value or its label. */
  /** Returns the value and label of the wanted option; null if there is none. */
  wantedText(token: number, wanted: string): string[] | null {
    const option = inPage.optionOf(inPage.take(token), wanted);
    return option === null ? null : [option.value, option.label];
  },

  optionOf(element: DomElement | null, wanted: string): DomOption | null {
    const options = [...(element?.options ?? [])];
    const same = (option: DomOption) => option.value === wanted || option.label.trim() === wanted.trim();
    const option = options.find((one) => one.value === wanted) ?? options.find(same);
    return option === undefined || option.matches(':disabled') ? null : option;
  },

  choose(token: number, wanted: string): boolean {
    const element = inPage.take(token);
    const option = inPage.optionOf(element, wanted);
    if (element === null || option === null) return false;
    const options = [...(element.options ?? [])];
    element.focus({ preventScroll: true });
    for (const one of options) if (one !== option) one.selected = false;
    option.selected = true;
    inPage.tellChange(element);
    return true;
  },

  clear(token: number): void {
    const element = inPage.take(token);
    if (element?.value !== undefined) element.value = '';
    else element?.replaceChildren();
  },

  isEmpty(token: number): boolean {
    const element = inPage.take(token);
    return element === null || (element.value ?? element.textContent ?? '') === '';
  },

  /** Fields without a form belong to nobody but themselves and to buttons beside them. */
  isSameForm(one: number, other: number): boolean {
    const [a, b] = [inPage.take(one), inPage.take(other)];
    if (a === null || b === null) return false;
    return inPage.formOf(a) === inPage.formOf(b);
  },
};
