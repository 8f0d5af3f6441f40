import type { DomDocument, DomElement } from './dom.ts';

declare const document: DomDocument;

/**
 * Remembers each field as it was when its document was first read. A field that has changed since is no
 * longer the one that the server sent.
 */
export const firstSeen = {
  seen: new WeakMap<DomElement, string>(),

  /** Remembers each field that was not seen before. Those of shadow roots are when they are looked for. */
  remember(found: DomElement): void {
    for (const field of [...document.querySelectorAll('input, textarea'), found])
      if (!inPage.seen.has(field)) inPage.seen.set(field, inPage.identity(field));
  },

  /** Returns the identity of a field: what it asks for and where its form would send it. */
  identity(field: DomElement): string {
    const form = inPage.formOf(field);
    const sent = form === null ? [] : [inPage.actionOf(form), inPage.methodOf(form)];
    return JSON.stringify([field.localName, field.type, field.getAttribute('name'), ...sent]);
  },

  hasChanged(field: DomElement): boolean {
    return inPage.seen.get(field) !== inPage.identity(field);
  },
};
