// The command line of `npm run images`.
import { parseArgs } from 'node:util';

const options = {
  commit: { type: 'string' },
  base: { type: 'string' },
  storage: { type: 'string' },
  out: { type: 'string' },
  tag: { type: 'string' },
  'sign-key': { type: 'string' },
  twice: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
};

export const help = `npm run images -- [--commit REV] [--base auto|local|IMAGE] [--storage DIR] [--out DIR] [--tag TAG] [--sign-key FILE] [--twice]

Builds the images countersign and countersign-enclave of a commit with buildah, and writes what is in each and where it
comes from beside them. Nothing is published.

  --commit REV    what is built (default HEAD); what is not committed is in no image
  --base IMAGE    what it begins with. auto (default): node:22-bookworm-slim, made here where no registry has it; local: made here
  --storage DIR   where images are kept (default: where buildah and podman keep theirs)
  --out DIR       where SBOMs and provenance go (default dist/images)
  --tag TAG       of both images (default: the version)
  --sign-key FILE the release's Ed25519 private key (PEM), which signs the provenance
  --twice         builds all of it twice from nothing, keeps neither, and fails unless each image has one digest

Examples:
  npm run images
  npm run images -- --base local --storage /var/tmp/countersign-images --twice
`;

/** Reads it; the error is one sentence. */
export function readOptions(argv) {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.tag !== undefined && !/^\w[\w.-]{0,127}$/.test(values.tag))
      return { error: '--tag has letters, digits, dots, hyphens and underscores' };
    const defaults = {
      commit: 'HEAD',
      base: 'auto',
      storage: null,
      out: 'dist/images',
      tag: null,
      twice: false,
    };
    const { 'sign-key': key = null, ...rest } = values;
    return { ...defaults, ...rest, key };
  } catch (error) {
    return { error: error.message.split('. ')[0] };
  }
}
