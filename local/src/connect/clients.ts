import { join } from 'node:path';

/** Programs through which a person's agent reaches the gateway. */
export const clients = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini'] as const;
export type Client = (typeof clients)[number];

export type Gateway = { readonly url: string; readonly token: string };

/** The person's machine, as far as it says where a client keeps its settings. */
export type Machine = {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type Settings = {
  readonly name: string;
  readonly file: string;
  /** There once the client has run: without it, it does not seem to be installed. */
  readonly folder: string;
  /** `json`: an entry of the object under this key. `toml`: a table of its own, at the end. */
  readonly form:
    | { readonly kind: 'json'; readonly under: 'mcpServers' | 'servers' }
    | { readonly kind: 'toml' };
  readonly entry: Readonly<Record<string, unknown>>;
};

/** Which file a client reads for all of a person's projects, and what has to stand in it, as of November 2026. */
export function settingsOf(client: Client, machine: Machine, gateway: Gateway): Settings {
  const { home, env } = machine;
  const { url } = gateway;
  const headers = { Authorization: `Bearer ${gateway.token}` };
  const mcpServers = { kind: 'json', under: 'mcpServers' } as const;
  switch (client) {
    // code.claude.com/docs/en/mcp: user scope; in CLAUDE_CONFIG_DIR where that is set (docs/en/settings).
    case 'claude-code': {
      const folder = env['CLAUDE_CONFIG_DIR']?.trim();
      return {
        name: 'Claude Code',
        file: join(folder || home, '.claude.json'),
        folder: folder || join(home, '.claude'),
        form: mcpServers,
        entry: { type: 'http', url, headers },
      };
    }
    // modelcontextprotocol.io, "Connect to local MCP servers": it starts programs alone, so one stands between.
    case 'claude-desktop':
      return {
        name: 'Claude Desktop',
        file: join(settingsFolder(machine), 'Claude', 'claude_desktop_config.json'),
        folder: join(settingsFolder(machine), 'Claude'),
        form: mcpServers,
        entry: throughMcpRemote(gateway),
      };
    // cursor.com/docs/context/mcp: global.
    case 'cursor':
      return {
        name: 'Cursor',
        file: join(home, '.cursor', 'mcp.json'),
        folder: join(home, '.cursor'),
        form: mcpServers,
        entry: { url, headers },
      };
    // code.visualstudio.com/docs/agents/reference/mcp-configuration: user profile.
    case 'vscode':
      return {
        name: 'VS Code',
        file: join(settingsFolder(machine), 'Code', 'User', 'mcp.json'),
        folder: join(settingsFolder(machine), 'Code'),
        form: { kind: 'json', under: 'servers' },
        entry: { type: 'http', url, headers },
      };
    // github.com/openai/codex, docs/config.md, `mcp_servers`.
    case 'codex': {
      const folder = env['CODEX_HOME']?.trim() || join(home, '.codex');
      return {
        name: 'Codex',
        file: join(folder, 'config.toml'),
        folder,
        form: { kind: 'toml' },
        entry: { url, http_headers: headers },
      };
    }
    // github.com/google-gemini/gemini-cli, docs/tools/mcp-server.md: `url` would be SSE.
    case 'gemini':
      return {
        name: 'Gemini CLI',
        file: join(home, '.gemini', 'settings.json'),
        folder: join(home, '.gemini'),
        form: mcpServers,
        entry: { httpUrl: url, headers },
      };
  }
}

/** The token passes through it: one version, not whatever is published next. */
const mcpRemote = 'mcp-remote@0.15.1';

/** A space in an argument is lost on Windows: the header's value is a variable (github.com/geelen/mcp-remote). */
const throughMcpRemote = ({ url, token }: Gateway) => ({
  command: 'npx',
  args: [
    '-y',
    mcpRemote,
    url,
    ...(url.startsWith('http:') ? ['--allow-http'] : []),
    '--header',
    'Authorization:${AUTHORIZATION}',
  ],
  env: { AUTHORIZATION: `Bearer ${token}` },
});

/** Returns the directory of user settings on this system. */
function settingsFolder({ home, platform, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME']?.trim() || join(home, '.config');
}
