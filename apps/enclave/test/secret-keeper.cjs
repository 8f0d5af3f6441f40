// A site that alone knows its password, and looks for it in the memory of another process. Arguments: the file to write
// the password to. Prints its port.
const { randomBytes } = require('node:crypto');
const { closeSync, openSync, readFileSync, readSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');

const password = Buffer.from(`${randomBytes(12).toString('base64')}"&\\${randomBytes(6).toString('base64')}`);
writeFileSync(process.argv[2], password);

const said = password.toString();
const writings = [
  said,
  encodeURIComponent(said),
  new URLSearchParams({ said }).toString().slice(5),
  JSON.stringify(said).slice(1, -1),
];
const patterns = [
  ...writings.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]),
  ...[0, 1, 2].flatMap((shift) =>
    writings.map((text) =>
      Buffer.from(
        Buffer.from(' '.repeat(shift) + text)
          .toString('base64')
          .slice(4, -4),
      ),
    ),
  ),
];

function copiesIn(pid) {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  let copies = 0;
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    for (let at = BigInt(`0x${from}`); at < BigInt(`0x${to}`); at += 8_388_608n) {
      const left = Number(BigInt(`0x${to}`) - at);
      const piece = Buffer.alloc(Math.min(left, 8_388_608 + 256));
      try {
        readSync(memory, piece, 0, piece.length, at);
      } catch {
        break;
      }
      for (const pattern of patterns)
        for (let found = piece.indexOf(pattern); found !== -1; found = piece.indexOf(pattern, found + 1))
          copies += 1;
    }
  }
  closeSync(memory);
  return copies;
}

const page = `<form method="post" action="/session"><input name="user"><input name="pass" type="password"><button>x</button></form>
  <input id="lone" type="password"><button id="fetch" onclick="fetch('/json', {method: 'POST', headers: {'content-type': 'application/json'},
    body: JSON.stringify({password: lone.value})}).then(async (r) => answer.textContent = await r.text())">x</button>
  <p id="answer"></p>`;

const server = createServer((request, response) => void answer(request, response));

async function answer(request, response) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces).toString();
  const [path, pid] = request.url.split('?');
  response.setHeader('content-type', 'text/html');
  if (path === '/copies') return response.end(String(copiesIn(Number(pid))));
  if (path === '/json') return response.end(`${JSON.parse(body).password === said} ${said}`);
  if (path === '/session')
    return response.end(`<p id="answer">${new URLSearchParams(body).get('pass') === said} ${said}</p>`);
  return response.end(page);
}
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
