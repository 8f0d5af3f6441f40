// `npm run release`: builds what is published into a folder, with checksums that a key may sign, and publishes nothing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sectionOf } from './release/changelog.js';
import { stageCommand } from './release/command.js';
import { stageLibraries } from './release/libraries.js';
import { limitsOf, measured } from './release/limits.js';
import { packBundle, stageBundle } from './release/mcpb.js';
import { clear, whyNotInto } from './release/destination.js';
import { help, readOptions } from './release/options.js';
import { pack } from './release/pack.js';
import { serverJson } from './release/server-json.js';
import { fingerprintOf, readSigningKey, signatureOf, sumsOf } from './release/sign.js';
import { root, versionOf } from './release/stage.js';
import { stageVerify } from './release/verify.js';

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(help);
else if (options.error !== undefined) refuse(`${options.error}. "npm run release -- --help" explains.`);
else await release(options);

async function release({ into: folder, key: keyFile, name, base }) {
  const version = versionOf('@countersign/sdk');
  const into = resolve(root, folder);
  const signing = readiness(into, keyFile, version);
  if (signing === null) return;
  const stages = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  try {
    clear(into);
    mkdirSync(into, { recursive: true });
    const packed = await packAll(stages, into, name);
    const bundle = packed.find(({ file }) => file.endsWith('.mcpb'));
    const url = base === null ? undefined : base + bundle.file;
    const entry = serverJson({ name, version, bundle: { ...bundle, url } });
    writeFileSync(join(into, 'server.json'), `${JSON.stringify(entry, null, 2)}\n`);
    const sums = sumsOf(into, [...packed.map(({ file }) => file), 'server.json']);
    writeFileSync(join(into, 'SHA256SUMS'), sums);
    if (signing.key !== undefined) signSums(into, sums, signing.key);
    const limits = limitsOf(readFileSync(join(root, 'docs/packages.md'), 'utf8'));
    for (const one of packed) tell(one, measured(one, limits));
  } finally {
    rmSync(stages, { recursive: true, force: true });
  }
}

/**
 * Before anything is built or removed: a folder that may be written over, a key that may sign, and a section of the changelog.
 * Null where something is missing.
 */
function readiness(into, keyFile, version) {
  const keyPath = keyFile && resolve(process.env.INIT_CWD ?? process.cwd(), keyFile);
  const why = whyNotInto(into, keyPath);
  if (why !== null) {
    refuse(why);
    return null;
  }
  if (keyPath === null) return {};
  try {
    const key = readSigningKey(keyPath);
    const hasSection = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) !== null;
    if (hasSection) return { key };
    refuse(
      `CHANGELOG.md has no section "## ${version} (DATE)": what is under "## Unreleased" belongs there.`,
    );
  } catch (error) {
    refuse(error.message);
  }
  return null;
}

async function packAll(stages, into, name) {
  const [command, verify, bundle, libraries] = await Promise.all([
    stageCommand(stages, name),
    stageVerify(stages),
    stageBundle(stages),
    stageLibraries(stages, ['protocol', 'sdk']),
  ]);
  const packed = await Promise.all([
    ...[command, verify, ...libraries].map((stage) => pack(stage, into)),
    packBundle(bundle, into),
  ]);
  return packed.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

function signSums(into, sums, key) {
  writeFileSync(join(into, 'SHA256SUMS.sig'), signatureOf(sums, key));
  console.log(`release: SHA256SUMS is signed by the key ${fingerprintOf(key)}`);
}

function tell({ name, file }, { size, limit, isTooLarge }) {
  console.log(`release: ${file} ${size} kB of ${limit}`);
  if (!isTooLarge) return;
  refuse(`${name} is larger than docs/packages.md allows`);
}

function refuse(why) {
  console.error(`release: ${why}`);
  process.exitCode = 1;
}
