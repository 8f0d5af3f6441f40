// server.json, which the MCP registry takes: how clients run the gateway from npm, and where its bundle is to be downloaded.
import { settings } from './settings.js';

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * The entry of the gateway. `name` is the namespace that the publisher owns, a slash and a name; `bundle` null, or without an
 * address to download it from, leaves the bundle out.
 */
export function serverJson({ name, version, bundle }) {
  const transport = { type: 'stdio' };
  const npm = {
    registryType: 'npm',
    identifier: 'countersign',
    version,
    runtimeHint: 'npx',
    transport,
    packageArguments: [{ type: 'positional', value: 'gateway' }],
    environmentVariables: [...settings.map(variableOf), stateFolder],
  };
  const download =
    bundle?.url === undefined
      ? []
      : [{ registryType: 'mcpb', identifier: bundle.url, version, fileSha256: bundle.sha256, transport }];
  return {
    $schema: schema,
    name,
    title: 'Countersign gateway',
    description: 'Agents pay for tools within limits that their owner signed; the wallet stays out of reach.',
    version,
    packages: [npm, ...download],
  };
}

const variableOf = (setting) => ({
  name: setting.variable,
  description: setting.description,
  isRequired: setting.required,
  isSecret: setting.secret,
  ...(setting.default === undefined ? {} : { default: setting.default }),
});

/** Unset it would be below the folder in which a client happens to start: another one, another journal. */
const stateFolder = {
  name: 'GATEWAY_STATE_DIR',
  description:
    'Absolute path of the folder for journal, reservations and receipts: keep it, and give no two gateways the same.',
  isRequired: true,
  isSecret: false,
  format: 'filepath',
};
