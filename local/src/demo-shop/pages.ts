import { euros, type Order } from './orders.ts';

/** `text` as it may stand in HTML. */
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const bean =
  '<svg viewBox="0 0 36 36" fill="none" stroke="currentColor" stroke-width="2.4" aria-hidden="true">' +
  '<ellipse cx="18" cy="18" rx="10" ry="15" transform="rotate(32 18 18)"/><path d="M26 6c-6 6-1 9-8 12s-3 7-8 12"/></svg>';

const page = (title: string, body: string, signedIn: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Larkfield Roasters</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header>${bean}<a href="/">Larkfield Roasters<span>Trade accounts</span></a>
${signedIn ? '<form method="post" action="/logout"><button class="quiet">Log out</button></form>' : ''}</header>
${body}
</body>
</html>
`;

/** The login form, and why it is shown again. */
export const loginPage = (error: string | null): string =>
  page(
    'Log in',
    `<main class="login">
<h1>Welcome back</h1>
<p>Orders and invoices for cafés.</p>
<form class="card" method="post" action="/login">
<label>User name <input id="username" name="username" autocomplete="username" required></label>
<label>Password <input id="password" name="password" type="password" autocomplete="current-password" required></label>
<button class="quiet" type="button" id="show">Show password</button>
<output id="shown" for="password"></output>
${error === null ? '' : `<p class="error" role="alert">${escape(error)}</p>`}
<button id="login">Log in</button>
</form>
</main>
<script src="/shop.js"></script>`,
    false,
  );

/** Shows what the page, and so any script in it, sees of the typed text. */
export const loginScript = `
document.querySelector('#show').addEventListener('click', () => {
  document.querySelector('#shown').textContent = document.querySelector('#password').value;
});
`;

/** Returns the page behind the login. */
export function accountPage(username: string, orders: readonly Order[]): string {
  const open = orders.filter(({ status }) => status !== 'Paid');
  const due = open.reduce((sum, { cents }) => sum + cents, 0);
  return page(
    'Your account',
    `<main>
<h1>Good to see you, ${escape(username)}</h1>
<p>Customer since 2019. Your beans are roasted on Tuesdays and shipped on Wednesdays.</p>
<dl class="tiles">
<div><dt>Open orders</dt><dd>${open.length}</dd></div>
<div><dt>Due</dt><dd id="due">€ ${euros(due)}</dd></div>
<div><dt>Last delivery</dt><dd>${orders[1]?.date ?? 'none'}</dd></div>
</dl>
<section class="card">
<h2>Orders and invoices</h2>
<table id="orders">
<thead><tr><th>Order</th><th class="wide">Date</th><th>Goods</th><th class="sum">Euro</th><th>Status</th></tr></thead>
<tbody>
${orders.map(orderRow).join('\n')}
</tbody>
</table>
</section>
</main>`,
    true,
  );
}

const orderRow = ({ number, date, goods, cents, status }: Order): string =>
  `<tr><td>${number}</td><td class="wide">${date}</td><td>${goods}</td><td class="sum">${euros(cents)}</td>` +
  `<td><mark class="${status === 'Open' ? 'open' : 'done'}">${status}</mark></td></tr>`;
