// Which commit a release is of, and a statement of that about each of its files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { sectionOf, unreleasedOf } from './changelog.js';
import { root } from './stage.js';

/** The caller's settings name no other repository. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

/**
 * The commit, its time in seconds, and whether the files that Git does not ignore are exactly its, but for what lies in these folders;
 * null where `folder` is not the top of a repository of Git.
 */
export function commitHere(except = [], folder = root) {
  const git = (...args) =>
    execFileSync('git', ['-C', folder, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const top = realpathSync(folder);
  const others = except
    .map((path) => relative(top, path))
    .filter((path) => path !== '' && !isAbsolute(path) && path.split(sep)[0] !== '..')
    .map((path) => `:(exclude,literal)${path}`);
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== top) return null;
    const id = git('rev-parse', 'HEAD');
    const isClean = git('status', '--porcelain', '--untracked-files=all', '--', '.', ...others) === '';
    return { id, epoch: Number(git('log', '-1', '--format=%ct')), isClean };
  } catch {
    return null;
  }
}

/** Why a release of this commit, as `commitHere` gives it, is not signed, in one sentence; null where it may be. */
export function whyNotSigned(commit, changelog, version) {
  if (commit?.isClean !== true)
    return 'what is signed is of a commit, and here are files that none has: commit them, or sign in a fresh clone';
  if (sectionOf(changelog, version) === null)
    return `CHANGELOG.md has no section "## ${version} (DATE)": what is under "## Unreleased" belongs there.`;
  return unreleasedOf(changelog) === ''
    ? null
    : 'CHANGELOG.md has lines under "## Unreleased": give the version that is released its section first';
}

/** Whether the files are still exactly those of the commit that was found before. */
export const isStill = (before, now) =>
  before?.isClean === true && now?.isClean === true && now.id === before.id;

/** In-toto Statement v1 with SLSA Provenance v1: these files are of this commit, by these programs and package-lock.json. */
export const releaseProvenance = (folder, files, commit) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map((name) => ({ name, digest: { sha256: sha256(join(folder, name)) } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:countersign:release:v1',
      externalParameters: { commit: commit.id },
      internalParameters: { node: process.versions.node },
      resolvedDependencies: [
        { uri: 'git+urn:countersign', digest: { gitCommit: commit.id } },
        { uri: 'package-lock.json', digest: { sha256: sha256(join(root, 'package-lock.json')) } },
      ],
    },
    runDetails: {
      builder: { id: 'urn:countersign:npm-run-release' },
      metadata: { invocationId: commit.id },
    },
  },
});

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
