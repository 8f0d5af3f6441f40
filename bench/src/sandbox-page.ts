import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const paragraphs = Array.from(
  { length: 300 },
  (_, i) => `<p>Paragraph ${i}: nothing of note happened, and it was written down all the same.</p>`,
).join('\n');

const page = `<!doctype html><meta charset="utf-8"><title>A page</title>
<form method="post" action="/session"><input id="name" name="name"><input id="password" name="password" type="password">
<button type="button" id="button" onclick="this.textContent = Number(this.textContent) + 1">0</button></form>
${paragraphs}`;

/** A page with a form and some text, on loopback. */
export async function startPage(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
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
