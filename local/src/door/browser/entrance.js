// The door's own page: lets a browser in that comes by a link, and asks whom one wants to be.
import { ask, enterAs, isSecondTime, keepKey, key, lastRole } from './ask.js';

const isDoor = location.pathname === '/door' || location.pathname.startsWith('/door/');

function show(state) {
  for (const section of document.querySelectorAll('[data-state]'))
    section.hidden = section.dataset.state !== state;
  const heading = document.querySelector(`[data-state="${state}"] h1`);
  if (heading === null) return;
  document.title = `${heading.textContent} · Countersign demo`;
  heading.focus();
}

/** A place of the console, and no other site's. */
function placeIn(name) {
  const given = new URLSearchParams(location.search).get(name) ?? '';
  if (!given.startsWith('/') || !URL.canParse(given, location.origin)) return undefined;
  const { origin, pathname, search, hash } = new URL(given, location.origin);
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : undefined;
}

/** Another role has other pages; an approval is for the owner, whoever was here before. */
function placeFor(role) {
  const next = placeIn('next');
  const isOwners = role === 'owner' && next?.startsWith('/approvals/');
  return isOwners || role === lastRole() ? next : undefined;
}

function offer(roles) {
  const list = document.querySelector('[data-roles]');
  list.replaceChildren(
    ...roles.map((about) => {
      const button = Object.assign(document.createElement('button'), { type: 'button' });
      const name = Object.assign(document.createElement('strong'), { textContent: `Enter as ${about.name}` });
      const does = Object.assign(document.createElement('span'), { textContent: about.does });
      button.append(name, does);
      button.addEventListener('click', () => void enterAs(about, placeFor(about.role)));
      const item = document.createElement('li');
      item.append(button);
      return item;
    }),
  );
  show('choice');
}

async function useLink(token) {
  // Out of the address, the history and the sight of whoever looks over a shoulder.
  history.replaceState(null, '', location.pathname);
  const letIn = await ask('/door/enter', { token });
  if (letIn === null) {
    for (const words of document.querySelectorAll('[data-used]')) words.hidden = false;
    return goOn();
  }
  keepKey(letIn.key);
  const known = await ask('/door/roles');
  const about = known?.roles.find(({ role }) => role === letIn.role);
  if (about === undefined) return show('closed');
  await enterAs(about);
}

async function goOn() {
  const known = key() === null ? null : await ask('/door/roles');
  if (known === null) return show('closed');
  if (isDoor) {
    const to = placeIn('to');
    return to === undefined ? offer(known.roles) : location.replace(to);
  }
  // A page of another site led here, and then browsers keep the cookie back: asked for by this page, it comes along.
  if (isSecondTime(location.href)) return show('closed');
  location.replace(location.href);
}

const copy = document.querySelector('[data-copy]');
const showCopied = () => {
  copy.textContent = 'Copied';
};
copy.addEventListener('click', () => {
  navigator.clipboard.writeText(copy.dataset.copy).then(showCopied, () => {});
});

const token = location.hash.slice(1);
void (isDoor && token !== '' ? useLink(token) : goOn());
