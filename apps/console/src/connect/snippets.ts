/** Programs through which an agent reaches the gateway. */
export const clients = ['claudeCode', 'claudeDesktop', 'chatGpt', 'cursor', 'vsCode', 'sdk'] as const;
export type Client = (typeof clients)[number];

export const clientNames: Readonly<Record<Client, string>> = {
  claudeCode: 'Claude Code',
  claudeDesktop: 'Claude Desktop',
  chatGpt: 'ChatGPT',
  cursor: 'Cursor',
  vsCode: 'VS Code',
  sdk: 'SDK',
};

export type Gateway = { readonly url: string; readonly token: string };

/** Only addresses and tokens that mean themselves in a shell, in JSON and in a program. */
export const isGatewayUrl = (text: string): boolean => /^https?:\/\/[\w.:[\]-]+(\/[\w./~-]*)?$/.test(text);
/** RFC 6750, b64token. */
export const isToken = (text: string): boolean => /^[\w.~+/-]+=*$/.test(text);

export type Snippet = {
  /** The place for the snippet. */
  readonly place: string;
  readonly text: string;
};

/** Returns what to paste, and where; null for a client that cannot use this gateway. */
export function snippetOf(client: Client, { url, token }: Gateway): Snippet | null {
  const bearer = `Bearer ${token}`;
  switch (client) {
    case 'claudeCode':
      return {
        place: 'In a terminal:',
        text: `claude mcp add --transport http countersign ${url} --header "Authorization: ${bearer}"`,
      };
    case 'claudeDesktop':
      return {
        place:
          'In claude_desktop_config.json (Settings → Developer → Edit Config), then restart Claude Desktop:',
        text: json({
          mcpServers: {
            countersign: {
              command: 'npx',
              args: [
                '-y',
                'mcp-remote@0.15.1',
                url,
                '--allow-http',
                '--header',
                'Authorization:${AUTHORIZATION}',
              ],
              env: { AUTHORIZATION: bearer },
            },
          },
        }),
      };
    case 'chatGpt':
      return null;
    case 'cursor':
      return {
        place: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
        text: json({ mcpServers: { countersign: { url, headers: { Authorization: bearer } } } }),
      };
    case 'vsCode':
      return { place: 'In .vscode/mcp.json; VS Code asks for the token once:', text: json(vsCode(url)) };
    case 'sdk':
      return { place: 'In a TypeScript program of your own:', text: program({ url, token }) };
  }
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const vsCode = (url: string) => ({
  inputs: [
    { type: 'promptString', id: 'countersign', description: 'Countersign gateway token', password: true },
  ],
  servers: {
    countersign: { type: 'http', url, headers: { Authorization: 'Bearer ${input:countersign}' } },
  },
});

const program = ({
  url,
  token,
}: Gateway): string => `import { connectGateway, textOf } from '@countersign/sdk/gateway';

const gateway = await connectGateway({ url: '${url}', token: '${token}' });
const answer = await gateway.call({ serviceId: 'quotes', toolName: 'get_quote', arguments: { symbol: 'ACME' } });
if (answer.kind === 'ok') console.log(textOf(answer.data));
if (answer.kind === 'refused') console.log(answer.code);
await gateway.close();
`;

/** Returns whether only programs of the same machine reach it. */
export const isOnLoopback = (url: string): boolean =>
  /^https?:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])([:/]|$)/.test(url);
