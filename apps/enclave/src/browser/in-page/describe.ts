import type { ObservedForm, ObservedTarget } from '../../review/observation.ts';
import type { DomDocument, DomElement, DomForm, DomWindow } from './dom.ts';
import type { InPage } from './library.ts';

declare const document: DomDocument;
declare const window: DomWindow;
declare const inPage: InPage;

/** What a fill is bound to, beyond what the review looks at. */
export type FieldFacts = {
  readonly name: string;
  readonly type: string;
  /** Names by which a script may call the field. */
  readonly names: readonly string[];
  readonly visible: boolean;
  /** Null for a field without a form. */
  readonly form: {
    readonly action: string;
    readonly method: string;
    /** Whether the page wrote them, or they are what a browser assumes. */
    readonly says: { readonly action: boolean; readonly method: boolean };
    /** Where any button of the form would send it instead. */
    readonly otherActions: readonly string[];
  } | null;
};

export type Look = {
  readonly token: number;
  readonly visible: boolean;
  readonly target: ObservedTarget;
  readonly reading: { readonly nodes: number; readonly characters: number } | null;
  readonly gist: string;
  readonly facts: FieldFacts | null;
};

/** What elements are, for the review and for fills. */
export const descriptions = {
  describe(token: number): ObservedTarget | null {
    const element = inPage.take(token);
    if (element === null) return null;
    const link = element.closest('a[href], area[href]');
    const form = inPage.formOf(element);
    return {
      frameUrl: window.location.href,
      ...inPage.fieldOf(element),
      tag: element.localName,
      visible: inPage.isVisible(element),
      covered: inPage.isCovered(element),
      link: typeof link?.href === 'string' ? link.href : null,
      form: form === null ? null : inPage.describeForm(form, element),
    };
  },

  /** What an operation relies on: where it would lead and what it would reach. */
  gist(token: number): string {
    const target = inPage.describe(token);
    const { frameUrl, tag, type, link, form } = target ?? {};
    return JSON.stringify([frameUrl, tag, type, link, form?.action, form?.method]);
  },

  fieldOf(element: DomElement): Pick<ObservedTarget, 'type' | 'autocomplete' | 'names'> {
    const names = [inPage.nameOf(element), element.getAttribute('name'), element.id, element.placeholder];
    return {
      type: /^(input|button)$/.test(element.localName) ? String(element.type).toLowerCase() : '',
      autocomplete: element.getAttribute('autocomplete') ?? '',
      names: [...new Set(names.filter((name) => typeof name === 'string' && name.trim() !== ''))].map(
        (name) => String(name).slice(0, 500),
      ),
    };
  },

  /** The name that assistive technology would read, by its usual sources (accname 1.2). */
  nameOf(element: DomElement): string {
    const root = element.getRootNode();
    const textOf = (one: DomElement | null): string => one?.innerText ?? one?.textContent ?? '';
    const labelled = (element.getAttribute('aria-labelledby') ?? '')
      .split(/\s+/)
      .map((id) => (id === '' || root.getElementById === undefined ? '' : textOf(root.getElementById(id))));
    const isButton = /^(submit|button|reset|image)$/.test(element.type ?? '');
    const said = [
      labelled.join(' '),
      element.getAttribute('aria-label') ?? '',
      [...(element.labels ?? [])].map(textOf).join(' '),
      element.localName === 'input' && isButton ? (element.value ?? '') : '',
      element.alt ?? '',
      /^(input|textarea|select)$/.test(element.localName) ? '' : textOf(element),
      element.title ?? '',
    ];
    return (said.find((text) => text.trim() !== '') ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
  },

  isCovered(element: DomElement): boolean {
    const box = element.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const isInView = x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
    return isInView && inPage.isVisible(element) && inPage.openPoint(element) === null;
  },

  formOf(element: DomElement): DomForm | null {
    return element.form ?? (element.closest('form') as DomForm | null);
  },

  describeForm(form: DomForm, element: DomElement): ObservedForm {
    const isSubmit = element.type === 'submit' || element.type === 'image';
    const own = (attribute: string, value: string | undefined) =>
      isSubmit && element.hasAttribute(attribute) ? value : undefined;
    const action = inPage.actionOf(form);
    const said = form.hasAttribute('method') ? inPage.methodOf(form) : 'unsaid';
    const method = (own('formmethod', element.formMethod) ?? said).toUpperCase();
    return {
      action: own('formaction', element.formAction) ?? action,
      method: method === 'POST' || method === 'DIALOG' || method === 'UNSAID' ? method : 'GET',
      fields: inPage
        .fieldsOf(form)
        .slice(0, 200)
        .map((one) => inPage.fieldOf(one)),
    };
  },

  /** A field called `action` hides the form's own property. */
  actionOf(form: DomForm): string {
    const written = form.getAttribute('action') ?? '';
    if (written.trim() === '') return window.location.href;
    return URL.canParse(written, document.baseURI) ? new URL(written, document.baseURI).href : written;
  },

  methodOf(form: DomForm): string {
    return (form.getAttribute('method') ?? 'get').trim().toLowerCase();
  },

  fieldsOf(form: DomForm): DomElement[] {
    return [...form.querySelectorAll('input, select, textarea, button')];
  },

  fieldFacts(token: number): FieldFacts | null {
    const element = inPage.take(token);
    if (element === null) return null;
    const form = inPage.formOf(element);
    const { type, autocomplete, names } = inPage.fieldOf(element);
    return {
      name: element.getAttribute('name') ?? '',
      type: element.localName === 'input' ? type : element.localName,
      names: [...names, autocomplete],
      visible: inPage.isVisible(element),
      form: form === null ? null : inPage.formFacts(form),
    };
  },

  formFacts(form: DomForm): NonNullable<FieldFacts['form']> {
    const outside = form.id === '' ? [] : [...document.querySelectorAll(`[form="${CSS.escape(form.id)}"]`)];
    const buttons = [...form.querySelectorAll('[formaction]'), ...outside];
    return {
      action: inPage.actionOf(form),
      method: inPage.methodOf(form),
      says: { action: form.hasAttribute('action'), method: form.hasAttribute('method') },
      otherActions: buttons
        .filter((one) => one.hasAttribute('formaction'))
        .map((one) => one.formAction ?? ''),
    };
  },

  /** All that is asked of an element before an operation. */
  look(selector: string, isRead: boolean): Look | null | 'invalid' {
    const found = inPage.find(selector);
    if (found === null || found === 'invalid') return found;
    const target = inPage.describe(found.token);
    if (target === null) return null;
    const reading = isRead ? inPage.measure(found.token) : null;
    return {
      ...found,
      target,
      reading,
      gist: inPage.gist(found.token),
      facts: inPage.fieldFacts(found.token),
    };
  },

  /** Elements and characters that reading the element gives. */
  measure(token: number): { nodes: number; characters: number } {
    const element = inPage.take(token);
    if (element === null) return { nodes: 0, characters: 0 };
    return { nodes: element.querySelectorAll('*').length + 1, characters: inPage.textOf(element).length };
  },
};

declare const CSS: { readonly escape: (text: string) => string };
