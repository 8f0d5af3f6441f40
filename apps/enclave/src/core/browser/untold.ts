/**
 * Ends as it begins what a page would show without that any snapshot tells of it: view transitions, whose pixels are those of the
 * page as it was (the change itself is made), and what the browser says of a field's value, but for that it is missing. Runs in each
 * document before the page's own scripts, and uses nothing of what skips transitions that these could have changed by then.
 */
export const endUntold = `(() => {
  addEventListener('invalid', (event) => {
    const { validity } = event.target;
    if (!validity?.valueMissing || validity.customError) event.preventDefault();
  }, true);
  const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const skip = globalThis.ViewTransition?.prototype.skipTransition;
  if (skip === undefined) return;
  const skipped = (transition) => {
    if (transition) apply(skip, transition, []);
    return transition;
  };
  const handler = { __proto__: null, apply: (start, self, given) => skipped(apply(start, self, given)) };
  for (const { prototype } of [Document, Element]) {
    const found = getOwnPropertyDescriptor(prototype, 'startViewTransition');
    if (found) defineProperty(prototype, 'startViewTransition', { ...found, value: new Proxy(found.value, handler) });
  }
  for (const { name, prototype } of [PageSwapEvent, PageRevealEvent]) {
    const { get } = getOwnPropertyDescriptor(prototype, 'viewTransition');
    const type = name.slice(0, -'Event'.length).toLowerCase();
    addEventListener(type, (event) => void skipped(apply(get, event, [])), true);
  }
})()`;
