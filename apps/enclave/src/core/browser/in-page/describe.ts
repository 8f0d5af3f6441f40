import type { ObservedForm, ObservedTarget } from '@countersign/review/observation';
import type { DomDocument, DomElement, DomForm, DomWindow } from './dom.ts';

declare const document: DomDocument;
declare const window: DomWindow;

/** The facts that bind a fill to its field, in addition to those that the review sees. */
export type FieldFacts = {
  readonly name: string;
  readonly type: string;
  /** Names by which a script may call the field. */
  readonly names: readonly string[];
  readonly visible: boolean;
  /** Maximum number of characters; null if the page sets no limit. */
  readonly room: number | null;
  /** Null for a field without a form. */
  readonly form: {
    readonly action: string;
    readonly method: string;
    /** Whether the page wrote them, or they are what a browser assumes. */
    readonly says: { readonly action: boolean; readonly method: boolean };
    /** The addresses to which buttons of the form (`formaction`) would send it instead. */
    readonly otherActions: readonly string[];
  } | null;
};

/**
 * How an operation reaches its element: through whatever lies under the pointer, by a key that activates the
 * focused element, or directly.
 */
export type Aim = 'click' | 'key' | 'none';

export type Look = {
  readonly aim: Aim;
  readonly token: number;
  readonly visible: boolean;
  /** Whether it was brought into view for that. */
  readonly moved: boolean;
  readonly target: ObservedTarget;
  readonly gist: string;
  readonly facts: FieldFacts | null;
  /** Whether it was another field, or of another form, when its document was first looked at. */
  readonly hasChanged: boolean;
};

/** Describes elements for the review and for fills. */
export const descriptions = {
  describe(token: number, aim: Aim, isRead = true): ObservedTarget | null {
    const element = inPage.take(token);
    if (element === null) return null;
    const actor = inPage.actorOf(element, aim);
    const link = inPage.closestOf(actor, 'a[href], area[href]');
    const form = inPage.formOf(actor);
    const field = inPage.fieldOf(actor);
    const own = actor === element ? [] : inPage.fieldOf(element).names;
    // A key in a field sends the form by its first button.
    const sender =
      form !== null && aim === 'key' && !inPage.isSubmit(actor) ? inPage.submitterOf(form) : actor;
    return {
      frameUrl: window.location.href,
      ...field,
      field: inPage.fieldName(actor),
      names: [...new Set([...field.names, ...own])],
      tag: actor.localName,
      visible: inPage.isVisible(element),
      covered: inPage.isCovered(element),
      link: typeof link?.href === 'string' ? link.href : null,
      form: form === null ? null : inPage.describeForm(form, sender ?? actor),
      ...inPage.partOf(actor),
      ...(isRead && inPage.besideOf(actor, form)),
    };
  },

  /** Describes the surroundings of an element; this is the slowest part of a description. */
  besideOf(
    actor: DomElement,
    form: DomForm | null,
  ): Pick<ObservedTarget, 'options' | 'group' | 'titles' | 'filled'> {
    const group = inPage.groupOf(actor);
    const filled = inPage.filledOf(actor, group);
    return {
      ...(actor.localName === 'select' && { options: inPage.optionsOf(actor) }),
      ...(group !== null && { group: inPage.describeGroup(group) }),
      titles: inPage.titlesBeside(form ?? actor, group),
      ...(filled !== null && { filled }),
    };
  },

  /**
   * Returns everything that an operation relies on: the target, its names and its destination. Two equal
   * results mean that nothing relevant has changed.
   */
  gist(token: number, aim: Aim): string {
    const target = inPage.describe(token, aim, false);
    const { frameUrl, tag, type, names, link, form } = target ?? {};
    const said = aim === 'none' ? [] : [names, form?.submitter, inPage.take(token)?.matches(':disabled')];
    return JSON.stringify([frameUrl, tag, type, link, form?.action, form?.method, said]);
  },

  /**
   * Returns the element that would be activated: the button or link that contains what lies at the click
   * point, or contains the element.
   */
  actorOf(element: DomElement, aim: Aim): DomElement {
    if (aim === 'none') return element;
    const hit = aim === 'click' ? inPage.hitOf(element) : element;
    const actor = inPage.closestOf(
      hit,
      'button, a[href], area, label, summary, input, select, textarea, [role=button], [role=link], [role=tab], [role=menuitem]',
    );
    if (actor?.localName === 'label') return actor.control ?? actor;
    return actor ?? element;
  },

  /** The topmost part of the element where a click would go, if that is in view. */
  hitOf(element: DomElement): DomElement {
    const point = inPage.openPoint(element);
    return (point === null ? null : inPage.topmostAt(point.x, point.y)) ?? element;
  },

  /** The same as `closest`, out of shadow roots too. */
  closestOf(element: DomElement, selector: string): DomElement | null {
    for (let from: DomElement | undefined = element; from !== undefined; from = from.getRootNode().host) {
      const found = from.closest(selector);
      if (found !== null) return found;
    }
    return null;
  },

  /** A site that gives a field neither name nor id tells it from others by its label. */
  fieldName(element: DomElement): string {
    const name = element.getAttribute('name') ?? '';
    if (name !== '') return name.slice(0, 256);
    if (element.id !== '') return element.id.slice(0, 256);
    const label =
      [inPage.nameOf(element), element.placeholder ?? ''].find((text) => text.trim() !== '') ?? '';
    return `${element.type ?? ''} ${label.trim()}`.trim().slice(0, 256);
  },

  fieldOf(element: DomElement): Pick<ObservedTarget, 'type' | 'autocomplete' | 'names'> {
    const isTyped =
      /^(input|select|textarea)$/.test(element.localName) &&
      !/^(submit|image|button|reset)$/.test(element.type ?? '');
    const names = [
      inPage.nameOf(element),
      element.getAttribute('name'),
      element.id,
      element.placeholder,
      inPage.isSubmit(element) ? element.value : '',
      ...(isTyped ? [] : inPage.calledToo(element)),
    ];
    return {
      type: /^(input|button)$/.test(element.localName) ? String(element.type).toLowerCase() : '',
      autocomplete: element.getAttribute('autocomplete') ?? '',
      names: [...new Set(names.filter((name) => typeof name === 'string' && name.trim() !== ''))].map(
        (name) => String(name).replace(/\s+/g, ' ').trim().slice(0, 500),
      ),
    };
  },

  /** The name that assistive technology would read, by its usual sources (accname 1.2). */
  nameOf(element: DomElement): string {
    const textOf = (one: DomElement | null): string => one?.innerText ?? one?.textContent ?? '';
    const isButton = /^(submit|button|reset|image)$/.test(element.type ?? '');
    const said = [
      inPage.textsOf(element, 'aria-labelledby'),
      element.getAttribute('aria-label') ?? '',
      [...(element.labels ?? [])].map(textOf).join(' '),
      element.localName === 'input' && isButton ? (element.value ?? '') : '',
      element.alt ?? '',
      /^(input|textarea|select)$/.test(element.localName) ? '' : textOf(element),
      element.title ?? '',
      // Icons.
      [...element.querySelectorAll('[alt], [aria-label], [title], title')]
        .map((icon) => inPage.iconName(icon))
        .join(' '),
    ];
    return (said.find((text) => text.trim() !== '') ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
  },

  iconName(icon: DomElement): string {
    const said = [icon.getAttribute('aria-label'), icon.getAttribute('alt'), icon.getAttribute('title')];
    return said.find((text) => text !== null && text.trim() !== '') ?? icon.textContent ?? '';
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

  isSubmit(element: DomElement): boolean {
    return /^(button|input)$/.test(element.localName) && /^(submit|image)$/.test(element.type ?? '');
  },

  /** The button by which Enter in a field sends the form: HTML, implicit submission. */
  submitterOf(form: DomForm): DomElement | null {
    return inPage.fieldsOf(form).find((one) => inPage.isSubmit(one)) ?? null;
  },

  describeForm(form: DomForm, element: DomElement): ObservedForm {
    const isSubmit = inPage.isSubmit(element);
    const submitter = isSubmit ? element : inPage.submitterOf(form);
    const own = (attribute: string, value: string | undefined) =>
      isSubmit && element.hasAttribute(attribute) ? value : undefined;
    const action = inPage.actionOf(form);
    const said = inPage.saysMethod(form) && !inPage.isCalled(form) ? inPage.methodOf(form) : 'unsaid';
    const method = (own('formmethod', element.formMethod) ?? said).toUpperCase();
    return {
      action: own('formaction', element.formAction) ?? action,
      method: method === 'POST' || method === 'DIALOG' || method === 'UNSAID' ? method : 'GET',
      submitter: submitter === null ? null : { names: inPage.fieldOf(submitter).names },
      otherActions: inPage.formFacts(form).otherActions.slice(0, 200),
      otherMethods: inPage.otherMethodsOf(form),
      fields: inPage
        .fieldsOf(form)
        .slice(0, 200)
        .map((one) => inPage.describeField(one)),
    };
  },

  /** A field called `action` hides the form's own property. */
  actionOf(form: DomForm): string {
    const written = form.getAttribute('action') ?? '';
    if (written.trim() === '' || inPage.isCalled(form)) return window.location.href;
    return URL.canParse(written, document.baseURI) ? new URL(written, document.baseURI).href : written;
  },

  /** `javascript:void(0)` names no address: a script of the page sends the form. */
  isCalled(form: DomForm): boolean {
    return /^\s*javascript:/i.test(form.getAttribute('action') ?? '');
  },

  methodOf(form: DomForm): string {
    return (form.getAttribute('method') ?? 'get').trim().toLowerCase();
  },

  /** Returns the methods that buttons of the form set themselves (`formmethod`). */
  otherMethodsOf(form: DomForm): string[] {
    const own = inPage.fieldsOf(form).filter((one) => inPage.isSubmit(one) && one.hasAttribute('formmethod'));
    return [...new Set(own.map((one) => (one.formMethod ?? '').toUpperCase()))];
  },

  fieldsOf(form: DomForm): DomElement[] {
    const all = [...form.getRootNode().querySelectorAll('input, select, textarea, button')];
    return all.filter((one) => one.form === form);
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
      room: (element.maxLength ?? -1) < 0 ? null : (element.maxLength ?? null),
      form: form === null ? null : inPage.formFacts(form),
    };
  },

  /** `put` is none of HTML's: it is for a script, as if nothing were said. */
  saysMethod(form: DomForm): boolean {
    return /^(get|post|dialog)$/i.test(form.getAttribute('method') ?? '');
  },

  formFacts(form: DomForm): NonNullable<FieldFacts['form']> {
    const outside = form.id === '' ? [] : [...document.querySelectorAll(`[form="${CSS.escape(form.id)}"]`)];
    const buttons = [...form.querySelectorAll('[formaction]'), ...outside];
    return {
      action: inPage.actionOf(form),
      method: inPage.methodOf(form),
      says: {
        action: form.hasAttribute('action') && !inPage.isCalled(form),
        method: inPage.saysMethod(form),
      },
      otherActions: buttons
        .filter((one) => one.hasAttribute('formaction'))
        .map((one) => one.formAction ?? ''),
    };
  },

  /** All that is asked of an element before an operation. */
  look(element: DomElement, aim: Aim): Look | null {
    inPage.rememberRoots(element);
    // What would be hit is seen where it is in view.
    const moved = aim === 'click' && inPage.isVisible(element) && inPage.bringIntoView(element);
    const token = inPage.hold(element);
    const target = inPage.describe(token, aim);
    if (target === null) return null;
    inPage.remember(element);
    return {
      token,
      aim,
      visible: target.visible,
      moved,
      target,
      gist: inPage.gist(token, aim),
      facts: inPage.fieldFacts(token),
      hasChanged: inPage.hasChanged(element),
    };
  },

  /**
   * Returns the element of this document that receives keys; `frame` if a frame in it has the focus,
   * `elsewhere` or null if none has.
   */
  lookAtFocus(): Look | 'frame' | 'elsewhere' | null {
    const element = inPage.focused();
    if (element === null) return null;
    if (/^i?frame$/.test(element.localName)) return 'frame';
    if (!document.hasFocus()) return 'elsewhere';
    return inPage.look(element, 'key');
  },

  focused(): DomElement | null {
    let active = document.activeElement;
    for (;;) {
      const host: DomElement | null = active;
      const root = host?.shadowRoot ?? [...inPage.closed].find((one) => one.host === host);
      const inner: DomElement | null = root?.activeElement ?? null;
      if (inner === null) break;
      active = inner;
    }
    return active === document.body || active === document.documentElement ? null : active;
  },
};

declare const CSS: { readonly escape: (text: string) => string };
