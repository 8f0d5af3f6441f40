// The least that a gateway on Node can be: `http` in front, an undici pool behind, each JSON read and written once, and the envelope
// (gateway.envelope.every-result) around the answer. It checks, times, limits, logs and records nothing. Below what it costs no
// gateway on these can get.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'undici';

const service = new URL(process.argv[2] ?? '');
const pool = new Pool(service.origin, { connections: 256 });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Hands over the text of the answer, with the least of undici's ways to ask. */
function ask(body, take) {
  const chunks = [];
  pool.dispatch(
    { method: 'POST', path: service.pathname, headers, body },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_, chunk) => chunks.push(chunk),
      onResponseEnd: () => take(Buffer.concat(chunks).toString()),
      onResponseError(_, error) {
        throw error;
      },
    },
  );
}

function callThrough({ id, params }, send) {
  const { serviceId, toolName, arguments: given } = params.arguments;
  const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: toolName, arguments: given } };
  ask(JSON.stringify(call), (text) => {
    const envelope = JSON.stringify({
      ok: true,
      stage: 'tool_execution',
      code: 'SUCCESS',
      message: 'The tool answered.',
      traceId: randomBytes(16).toString('hex'),
      timestamp: new Date().toISOString(),
      detail: {
        serviceId,
        toolName,
        paymentMade: false,
        paymentResponse: null,
        complianceDecision: null,
        assuranceResult: null,
        payeeComplianceDecision: null,
        paymentContext: null,
        downstreamContent: JSON.parse(text).result.content,
      },
    });
    const content = JSON.stringify([{ type: 'text', text: envelope }]);
    send(`{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${envelope}}}`);
  });
}

const server = createServer((request, response) => {
  const send = (json) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
    });
    response.end(json);
  };
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const message = JSON.parse(body);
    if (message.id === undefined) response.writeHead(202).end();
    else if (message.method === 'tools/call') callThrough(message, send);
    else ask(body, send);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: true, url: `http://127.0.0.1:${server.address().port}/mcp` });
});
// Whoever started it is gone.
process.once('disconnect', () => process.exit());
