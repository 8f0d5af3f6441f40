// The command line of `npm run release`.
import { parseArgs } from 'node:util';

const options = {
  'sign-key': { type: 'string' },
  name: { type: 'string' },
  'download-base': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

export const help = `npm run release -- [DIR] [--sign-key FILE] [--name NAMESPACE/NAME] [--download-base URL]

Builds what is published into DIR (default release), and publishes nothing. An earlier release in DIR is
replaced; a folder with anything else, or with the key, is refused.

  --sign-key FILE      Ed25519 private key (PEM) that signs SHA256SUMS into SHA256SUMS.sig; CHANGELOG.md
                       must then have a section of this version, and nothing under "Unreleased"
  --name NAME          what server.json is called in the MCP registry (default local.countersign/gateway)
  --download-base URL  folder where the bundle is to be downloaded; without it server.json names npm alone

Examples:
  npm run release
  npm run release -- --sign-key ../release-key.pem --name io.github.OWNER/countersign
`;

/** Reads it; the error is one sentence. */
export function readOptions(argv) {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return judge({ name: 'local.countersign/gateway', ...values }, positionals);
  } catch (error) {
    return { error: error.message.split('. ')[0] };
  }
}

function judge({ help: wantsHelp = false, 'sign-key': key = null, name, 'download-base': base }, folders) {
  if (folders.length > 1) return { error: 'name one folder' };
  if (!/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name))
    return { error: '--name is NAMESPACE/NAME, such as io.github.OWNER/countersign' };
  if (base !== undefined && !(base.startsWith('https://') && URL.canParse(base)))
    return { error: '--download-base is a URL that begins with https://' };
  const folder = base?.replace(/\/*$/, '/') ?? null;
  return { help: wantsHelp, into: folders[0] ?? 'release', key, name, base: folder };
}
