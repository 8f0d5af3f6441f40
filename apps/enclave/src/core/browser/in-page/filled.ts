import type { DomElement } from './dom.ts';

/** Reads the values that a form or group would submit. */
export const filled = {
  /**
   * A digest of the values of its fields, those too that nobody sees, and of what it reckons. What pages renew by themselves, such as a
   * token against forgery or a clock, is left out.
   */
  filledOf(actor: DomElement, group: DomElement | null): string | null {
    const form = inPage.formOf(actor);
    const place = form === null ? group : (form.getRootNode() as unknown as DomElement);
    if (place === null) return null;
    const held = [...place.querySelectorAll('input, select, textarea, output')]
      .filter((field) => inPage.formOf(field) === form && !inPage.isRenewed(field))
      .slice(0, 1000)
      .map((field) => [inPage.fieldName(field), inPage.heldBy(field), field.matches(':checked')]);
    return inPage.digestOf(JSON.stringify(held));
  },

  /** All that is chosen, where several are. */
  heldBy(field: DomElement): string | string[] {
    const { selectedOptions } = field;
    if (field.localName !== 'select' || selectedOptions === undefined) return field.value ?? '';
    return [...selectedOptions].map(({ value }) => value);
  },

  isRenewed(field: DomElement): boolean {
    if (field.localName === 'output') return /^\s*(\d{1,2}:)?\d{1,2}:\d{2}\s*$/.test(field.value ?? '');
    const isUnseen = field.type === 'hidden' || !inPage.isVisible(field);
    return (
      isUnseen &&
      /csrf|xsrf|token|nonce|captcha|turnstile|viewstate|eventvalidation|timestamp|post_?lock|heartbeat|digest|(^|_)ts$|time$/i.test(
        inPage.fieldName(field),
      )
    );
  },

  /** FNV-1a of 32 bits, twice: what honest pages change is told apart, and no more is kept of it. */
  digestOf(text: string): string {
    const parts = [0x811c9dc5, 0x01234567].map((start) => {
      let sum = start;
      for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
      return (sum >>> 0).toString(16);
    });
    return parts.join('-');
  },
};
