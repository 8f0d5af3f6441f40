// How the pages speak with the demo's door, and what this browser remembers of it.

export const at = (name) => `countersign.door.${name}`;

export const key = () => localStorage.getItem(at('key'));
export const keepKey = (key) => localStorage.setItem(at('key'), key);

/** Whom this browser entered as, the last time. */
export const lastRole = () => localStorage.getItem(at('role'));

/** Begins to enter: the console's own sign-in page goes on with it. */
export async function enterAs({ role, home }, next = home) {
  await ask('/door/entry', { role });
  localStorage.setItem(at('role'), role);
  sessionStorage.setItem(at('entering'), role);
  location.replace(`/sign-in?next=${encodeURIComponent(next)}`);
}

/** Whom one is about to enter as; null once that is done. */
export const entrance = { role: sessionStorage.getItem(at('entering')) };
sessionStorage.removeItem(at('entering'));

/** Whether this very page was asked for a second time already. */
export function isSecondTime(href) {
  const again = sessionStorage.getItem(at('again')) === href;
  sessionStorage.setItem(at('again'), href);
  return again;
}

/** The door's answer; null when it refused, or none came. */
export async function ask(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-door-key': key() ?? '' },
      body: JSON.stringify(body),
    });
    // Let in no longer: the demo was started anew, or half a day went by.
    if (answer.status === 401 && !location.pathname.startsWith('/door')) location.assign('/door');
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
