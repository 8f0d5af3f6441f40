// The service behind every proxy: one tool, `echo`, as lean as an MCP server can be. `node echo-service.js` speaks
// Streamable HTTP; with `--stdio` it speaks on stdin and stdout, for proxies that know only that.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const text = { type: 'string' };
const properties = { city: text, unit: text, days: { type: 'integer' }, detail: { type: 'boolean' } };
const tool = {
  name: 'echo',
  description: 'Answers its arguments.',
  inputSchema: { type: 'object', properties, required: ['city', 'unit', 'days', 'detail'] },
};

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize':
      return ok(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1.0.0' },
      });
    case 'tools/list':
      return ok(id, { tools: [tool] });
    case 'tools/call':
      return ok(id, { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] });
    case 'ping':
      return ok(id, {});
    default:
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  }
}

const ok = (id, result) => JSON.stringify({ jsonrpc: '2.0', id, result });

function serveHttp() {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const message = JSON.parse(body);
      if (message.id === undefined) return void response.writeHead(202).end();
      const json = answer(message);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
      });
      response.end(json);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ ready: true, url: `http://127.0.0.1:${server.address().port}/mcp` });
  });
  // Whoever started it is gone.
  process.once('disconnect', () => process.exit());
}

function serveStdio() {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) process.stdout.write(`${answer(message)}\n`);
  });
  lines.once('close', () => process.exit());
}

if (process.argv.includes('--stdio')) serveStdio();
else serveHttp();
