// Which commit a release is of, and a statement of that about each of its files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionOf } from './changelog.js';
import { root } from './stage.js';

const git = (...args) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();

/** The commit, its time in seconds, and whether the files are exactly its; null outside a repository of Git. */
export function commitHere() {
  try {
    const id = git('rev-parse', 'HEAD');
    const isClean = git('status', '--porcelain') === '';
    return { id, epoch: Number(git('log', '-1', '--format=%ct')), isClean };
  } catch {
    return null;
  }
}

/** Why a release of this commit, as `commitHere` gives it, is not signed, in one sentence; null where it may be. */
export function whyNotSigned(commit, changelog, version) {
  if (commit?.isClean !== true)
    return 'what is signed is of a commit, and here are files that none has: commit them, or sign in a fresh clone';
  return sectionOf(changelog, version) === null
    ? `CHANGELOG.md has no section "## ${version} (DATE)": what is under "## Unreleased" belongs there.`
    : null;
}

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
