import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const paragraphs = Array.from(
  { length: 300 },
  (_, i) => `<p>Paragraph ${i}: nothing of note happened, and it was written down all the same.</p>`,
).join('\n');

const page = `<!doctype html><meta charset="utf-8"><title>A page</title>
<form method="post" action="/session"><label>User name <input id="name" name="name" autocomplete="username"></label>
<label>Password <input id="password" name="password" type="password"></label><button>Sign in</button></form>
<button type="button" id="button" onclick="this.textContent = Number(this.textContent) + 1">0</button>
${paragraphs}`;

/** Four nodes a row: an element, a number, a link and its text; 5,000 in all. */
const large = `<!doctype html><meta charset="utf-8"><title>A long list</title><h1>Orders</h1>${Array.from(
  { length: 1250 },
  (_, i) => `<p>Order ${i} <a href="/orders/${i}">open</a></p>`,
).join('')}`;

/** The same, which is never as it was when it was looked at before. */
const changing = `${large}<script>let n = 0; setInterval(() => { document.querySelector('h1').textContent = n++; }, 2)</script>`;

const pages = new Map([
  ['/large', large],
  ['/changing', changing],
  ['/small', '<!doctype html><title>Small</title>'],
]);

/** A page with a form and some text, on loopback. */
export async function startPage(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pages.get(url ?? '') ?? page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
