// Whom this browser is signed in as. All its tabs share one session, so another role in one is another in each.
import { at } from './ask.js';

const badge = Object.assign(document.createElement('aside'), { className: 'door-badge' });
badge.setAttribute('aria-label', 'Demo');

function show(role) {
  badge.textContent = `Demo · ${role[0].toUpperCase()}${role.slice(1)}`;
  badge.hidden = location.pathname === '/sign-in';
  document.body.append(badge);
}

const signedIn = () => localStorage.getItem(at('signed-in'));

/** Told once the console let somebody in. */
export function isIn(role) {
  localStorage.setItem(at('signed-in'), role);
  show(role);
}

if (signedIn() !== null) show(signedIn());

// What stands in this tab is another role's.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key === at('signed-in') && newValue !== null) location.reload();
});
