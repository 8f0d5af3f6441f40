// What a person would do next with what the demo gave them: press the button of the wallet they chose, fill a form. As a
// password manager does it; the console knows nothing of it.
import { ask, entrance, lastRole } from './ask.js';
import { isIn } from './badge.js';

function fill(input, value) {
  // The element's own setter: frameworks put theirs before it.
  Reflect.set(HTMLInputElement.prototype, 'value', value, input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

const named = (form, name) => form.querySelector(`input[name="${name}"]`);

/** Each kind of form that is filled in and sent by whoever wants to, who may fill it, and how. */
const forms = [
  {
    role: 'owner',
    at: 'form[aria-label="Your gateway"]',
    fill(form, { gateway }) {
      if (!gateway) return;
      fill(named(form, 'gatewayUrl'), gateway.url);
      fill(named(form, 'gatewayToken'), gateway.token);
    },
  },
];

const seen = new WeakSet();

async function attend(kind) {
  const form = document.querySelector(kind.at);
  if (form === null || seen.has(form) || lastRole() !== kind.role) return;
  seen.add(form);
  const given = await ask('/door/credentials', { role: kind.role });
  if (given !== null && form.isConnected) kind.fill(form, given);
}

/** Stays at the console's own sign-in page while it has something to say. */
let stays = false;
/** Whom one is being signed in as. */
let entering = null;

/** The auditor has no wallet: a user name and a password. */
async function signInAuditor() {
  const form = [...document.querySelectorAll('main form')].find((each) => named(each, 'username') !== null);
  if (form === undefined) return;
  stays = true;
  entering = entrance.role;
  entrance.role = null;
  const given = await ask('/door/credentials', { role: 'auditor' });
  if (given === null || !form.isConnected) return;
  fill(named(form, 'username'), given.auditor.username);
  fill(named(form, 'password'), given.auditor.password);
  form.requestSubmit();
}

function attendSignIn() {
  if (location.pathname !== '/sign-in') {
    stays = false;
    if (entering !== null) isIn(entering);
    entering = null;
    return;
  }
  if (stays) return;
  if (entrance.role === null) {
    const next = new URLSearchParams(location.search).get('next') ?? '';
    location.replace(next === '' ? '/door' : `/door?next=${encodeURIComponent(next)}`);
    stays = true;
    return;
  }
  if (entrance.role === 'auditor') return void signInAuditor();
  const wanted = `demo ${entrance.role}`;
  const button = [...document.querySelectorAll('main button')].find(({ textContent }) =>
    textContent.toLowerCase().includes(wanted),
  );
  if (button === undefined) return;
  stays = true;
  entering = entrance.role;
  button.click();
}

function look() {
  attendSignIn();
  for (const kind of forms) void attend(kind);
}

new MutationObserver(look).observe(document, { childList: true, subtree: true });
