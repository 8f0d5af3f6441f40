import type { ObservedField, ObservedTarget } from '@countersign/review/observation';
import type { DomDocument, DomElement, DomWindow } from './dom.ts';

declare const document: DomDocument;
declare const window: DomWindow;

/** Fields as a person sees them, beside each other. */
export const fields = {
  describeField(field: DomElement): ObservedField {
    const visible = inPage.isInPlainView(field);
    const isUnseen = field.type === 'hidden' || (field.type === 'text' && !visible);
    return {
      tag: field.localName,
      ...inPage.fieldOf(field),
      visible,
      ...(isUnseen && { value: inPage.wordsIn(field) }),
      ...(inPage.isFixed(field) && { fixed: true as const }),
      ...(field.maxLength === 1 && { single: true as const }),
    };
  },

  /** Returns whether it shows something that nobody types: who has logged in already. */
  isFixed(field: DomElement): boolean {
    if (!/^(input|textarea|select)$/.test(field.localName) || (field.value ?? '') === '') return false;
    const says = (name: string) => field.getAttribute(name) === 'true';
    return (
      field.readOnly === true || field.matches(':disabled') || says('aria-readonly') || says('aria-disabled')
    );
  },

  /** Visible, and neither off the page nor cut away, as fields for robots are. */
  isInPlainView(element: DomElement): boolean {
    if (!inPage.isVisible(element)) return false;
    const { right, bottom } = element.getBoundingClientRect();
    if (right + window.scrollX <= 0 || bottom + window.scrollY <= 0) return false;
    for (const at of inPage.ancestorsOf(element)) {
      const { clip, clipPath, overflowX, overflowY } = window.getComputedStyle(at);
      const { width, height } = at.getBoundingClientRect();
      const isEmpty = (width <= 1 && overflowX !== 'visible') || (height <= 1 && overflowY !== 'visible');
      const isCut = /^rect\((0px|1px)(,? \1)*\)$/.test(clip) || /^inset\((50|100)%/.test(clipPath);
      if (isCut || (at !== element && isEmpty)) return false;
    }
    return true;
  },

  parentOf(element: DomElement): DomElement | null {
    const parent = element.parentNode as DomElement | null;
    return parent?.nodeType === 1 ? parent : null;
  },

  /**
   * What a field without a form stands in together with others and a button; a field that is alone, with its button; a button
   * with the nearest fields. Null for what is in a form, and for buttons beside no field.
   */
  groupOf(element: DomElement): DomElement | null {
    const isButton = inPage.isPressed(element);
    const isField = !isButton && /^(input|select|textarea)$/.test(element.localName);
    if ((!isField && !isButton) || inPage.formOf(element) !== null) return null;
    const around = inPage.ancestorsOf(element);
    let alone: DomElement | null = null;
    for (const one of around) {
      const free = inPage.freeIn(one);
      if (!free.some((other) => inPage.isPressed(other))) continue;
      if (free.some((other) => other !== element && inPage.isTyped(other))) return one;
      alone ??= one;
    }
    return isField ? (alone ?? around.at(-1) ?? null) : null;
  },

  /** The element and what it stands in, up to a dialog, and no further than pages nest. */
  ancestorsOf(element: DomElement): DomElement[] {
    const around: DomElement[] = [];
    for (let at: DomElement | null = element; at !== null && around.length < 64; at = inPage.parentOf(at)) {
      around.push(at);
      if (at.matches('dialog, [role=dialog], [role=alertdialog]')) break;
    }
    return around;
  },

  /** Its fields and buttons that no form has. */
  freeIn(group: DomElement): DomElement[] {
    const all = [...group.querySelectorAll('input, select, textarea, button, [role=button]')];
    return all
      .slice(0, 400)
      .filter((one) => inPage.formOf(one) === null)
      .slice(0, 200);
  },

  isTyped(field: DomElement): boolean {
    const silent = /^(hidden|button|reset|checkbox|radio|submit|image|range|color)$/;
    if (!/^(input|textarea)$/.test(field.localName) || silent.test(field.type ?? '')) return false;
    return inPage.isInPlainView(field);
  },

  /** A button with a name, that does not only show what is typed. */
  isPressed(button: DomElement): boolean {
    const isButton = button.localName === 'button' || button.getAttribute('role') === 'button';
    const name = (isButton ? button.innerText : button.value) ?? '';
    if (!isButton && !/^(button|submit)$/.test(button.type ?? '')) return false;
    const shows = button.hasAttribute('aria-pressed') || /^\s*(show|hide)\b/i.test(name);
    return /\p{L}/u.test(name) && !shows && inPage.isVisible(button);
  },

  /** Without a form any button with a name may send. */
  describeGroup(group: DomElement): ObservedField[] {
    return inPage.freeIn(group).map((one) => {
      const described = inPage.describeField(one);
      const isButton = one.getAttribute('role') === 'button' || /^(button|submit)$/.test(one.type ?? '');
      if (!isButton || one.localName === 'select') return described;
      return { ...described, tag: 'button', type: inPage.isPressed(one) ? 'submit' : 'button' };
    });
  },

  /** Returns the value and the text of each option. */
  optionsOf(element: DomElement): (readonly [string, string])[] {
    return [...(element.options ?? [])].slice(0, 200).map(({ value, label }) => [value, label] as const);
  },

  /** Returns the element's role and what a press on it expands. */
  partOf(element: DomElement): Pick<ObservedTarget, 'role' | 'shows'> {
    const role = element.getAttribute('role');
    const shows = inPage.unfolds(element) ? 'part' : inPage.goesToPlace(element) ? 'place' : null;
    return { ...(role !== null && { role: role.trim().toLowerCase() }), ...(shows !== null && { shows }) };
  },

  unfolds(element: DomElement): boolean {
    const popup = element.getAttribute('aria-haspopup') ?? 'false';
    return element.matches('summary, [role=tab], [aria-expanded]') || popup !== 'false';
  },

  goesToPlace(element: DomElement): boolean {
    const fragment = /^#(.+)/.exec(element.getAttribute('href') ?? '')?.[1] ?? '';
    const isHere = fragment !== '' && document.getElementById(fragment) !== null;
    return isHere || inPage.closestOf(element, 'nav, [role=navigation], [aria-sort]') !== null;
  },
};
