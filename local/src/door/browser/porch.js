// The address that everybody may know: it leads a browser that was let in, or has a link, to the door under its own name.

const kept = 'countersign.door.origin';

function show(state, isUsed = false) {
  for (const section of document.querySelectorAll('[data-state]'))
    section.hidden = section.dataset.state !== state;
  for (const words of document.querySelectorAll('[data-used]')) words.hidden = !isUsed;
  const heading = document.querySelector(`[data-state="${state}"] h1`);
  document.title = `${heading.textContent} · Countersign demo`;
  heading.focus();
}

/** The door's name, for who proves to know of it; null for others. */
async function nameFor(proof) {
  try {
    const answer = await fetch('/door/name', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(proof),
    });
    return answer.ok ? (await answer.json()).origin : null;
  } catch {
    return null;
  }
}

async function goTo(origin, place) {
  try {
    await fetch(`${origin}/door/door.css`, { mode: 'no-cors' });
  } catch {
    return show('lost');
  }
  localStorage.setItem(kept, origin);
  location.replace(origin + place);
}

async function lead() {
  const { pathname, search, hash } = location;
  const isDoor = /^\/door(\/|$)/.test(pathname);
  const token = isDoor ? hash.slice(1) : '';
  // Out of the address, the history and the sight of whoever looks over a shoulder.
  if (token !== '') history.replaceState(null, '', pathname);
  const known = localStorage.getItem(kept);
  const origin =
    (token === '' ? null : await nameFor({ token })) ?? (known === null ? null : await nameFor({ known }));
  if (origin === null) return show('closed', token !== '');
  const place = pathname + search + hash;
  // Browsers keep the door's cookie back from whoever comes from elsewhere: its own page leads on, without a refusal first.
  await goTo(origin, isDoor ? place : `/door?to=${encodeURIComponent(place)}`);
}

const copy = document.querySelector('[data-copy]');
const showCopied = () => {
  copy.textContent = 'Copied';
};
copy.addEventListener('click', () => {
  navigator.clipboard.writeText(copy.dataset.copy).then(showCopied, () => {});
});

void lead();
