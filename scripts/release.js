// `npm run release`: builds what is published into a folder, with checksums that a key may sign, and publishes nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { releaseBill } from './release/bill.js';
import { stageCommand } from './release/command.js';
import { stageLibraries } from './release/libraries.js';
import { commitHere, isStill, releaseProvenance, whyNotSigned } from './release/commit.js';
import { limitsOf, measured } from './release/limits.js';
import { packBundle, stageBundle } from './release/mcpb.js';
import {
  abandon,
  asideOf,
  begin,
  finish,
  lock,
  lockOf,
  real,
  unlock,
  whyNotInto,
} from './release/destination.js';
import { help, readOptions } from './release/options.js';
import { pack } from './release/pack.js';
import { serverJson } from './release/server-json.js';
import { attestationOf, fingerprintOf, readSigningKey, signatureOf, sumsOf } from './release/sign.js';
import { packSite } from './release/site.js';
import { root, versionOf } from './release/stage.js';
import { stageVerify } from './release/verify.js';

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(help);
else if (options.error !== undefined) refuse(`${options.error}. "npm run release -- --help" explains.`);
else await release(options);

async function release({ into: folder, key: keyFile, name, base }) {
  const version = versionOf('@countersign/sdk');
  const into = real(resolve(root, folder));
  const own = [into, asideOf(into), lockOf(into)];
  const commit = commitHere(own);
  const signing = readiness(into, keyFile, version, commit);
  if (signing === null) return;
  const taken = lock(into);
  if (taken !== null) {
    refuse(taken);
    return;
  }
  const stages = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  try {
    const to = begin(into);
    const packages = await packAll(stages, to, { name, isAnew: signing.key !== undefined });
    const packed = packages.map(([, one]) => one);
    const epoch = commit?.epoch ?? 0;
    const write = (file, text) => {
      writeFileSync(join(to, file), text);
      return file;
    };
    const staged = packages.map(([stage]) => stage);
    const files = [
      ...packed.map(({ file }) => file),
      await packSite(stages, to, version, epoch),
      write(`countersign-${version}.cdx.json`, await releaseBill({ version, epoch, stages: staged, packed })),
      write('server.json', entryOf({ packed, name, version, base })),
    ].toSorted(inOrder);
    const limits = limitsOf(readFileSync(join(root, 'docs/packages.md'), 'utf8'));
    for (const one of packed) tell(one, measured(one, limits));
    if (process.exitCode === 1) return;
    const isOfCommit = isStill(commit, commitHere(own));
    if (signing.key !== undefined && !isOfCommit) {
      refuse('files of this clone, or its commit, changed while they were built: nothing is signed');
      return;
    }
    if (isOfCommit) {
      const statement = releaseProvenance(to, files, commit);
      files.push(write(`countersign-${version}.provenance.json`, attestationOf(statement, signing.key)));
    }
    const sums = sumsOf(to, files.toSorted(inOrder));
    write('SHA256SUMS', sums);
    if (signing.key !== undefined) signSums(to, sums, signing.key);
    finish(into);
  } finally {
    abandon(into);
    unlock(into);
    rmSync(stages, { recursive: true, force: true });
  }
}

function inOrder(one, other) {
  return one < other ? -1 : 1;
}

function entryOf({ packed, name, version, base }) {
  const bundle = packed.find(({ file }) => file.endsWith('.mcpb'));
  const url = base === null ? undefined : base + bundle.file;
  return `${JSON.stringify(serverJson({ name, version, bundle: { ...bundle, url } }), null, 2)}\n`;
}

/**
 * Before anything is built or removed: a folder that may be written over, a key that may sign, files of a commit alone, and a section of
 * the changelog.
 * Null where something is missing.
 */
function readiness(into, keyFile, version, commit) {
  const keyPath = keyFile && resolve(process.env.INIT_CWD ?? process.cwd(), keyFile);
  const why = whyNotInto(into, keyPath);
  if (why !== null) {
    refuse(why);
    return null;
  }
  if (keyPath === null) return {};
  try {
    const key = readSigningKey(keyPath);
    const whyUnsigned = whyNotSigned(commit, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
    if (whyUnsigned === null) return { key };
    refuse(whyUnsigned);
  } catch (error) {
    refuse(error.message);
  }
  return null;
}

/** Folders, each with what was packed of it. */
async function packAll(stages, into, { name, isAnew }) {
  const [command, verify, bundle, libraries] = await Promise.all([
    stageCommand(stages, name, { isAnew }),
    stageVerify(stages),
    stageBundle(stages),
    stageLibraries(stages, ['protocol', 'sdk']),
  ]);
  return Promise.all([
    ...[command, verify, ...libraries].map(async (stage) => [stage, await pack(stage, into)]),
    packBundle(bundle, into).then((packed) => [bundle, packed]),
  ]);
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
