// mcp-proxy as a library, in front of a service that speaks Streamable HTTP: node mcp-proxy-http.js PORT SERVICE_URL
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { proxyServer, startHTTPServer } from 'mcp-proxy';

const [port, serviceUrl] = process.argv.slice(2);
const client = new Client({ name: 'mcp-proxy', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(serviceUrl)));
const serverCapabilities = client.getServerCapabilities();

await startHTTPServer({
  createServer: async () => {
    const server = new Server(client.getServerVersion(), { capabilities: serverCapabilities });
    await proxyServer({ client, server, serverCapabilities });
    return server;
  },
  host: '127.0.0.1',
  port: Number(port),
  // Both only cost here: nobody reconnects, and each answer is one message.
  enableJsonResponse: true,
  eventStore: false,
});
