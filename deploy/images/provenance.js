// Where an image comes from: an in-toto Statement v1 whose predicate is SLSA Provenance v1. scripts/release/sign.js signs it.

/**
 * Why the images of a commit are not signed in a clone, as `commitHere` gives it, in one sentence; null where they may be. How they are
 * made is of the clone, so that a statement of an earlier commit would leave that out.
 */
export function whyNotAttested(commit, here) {
  if (here?.isClean !== true)
    return 'what is signed is of a commit, and here are files that none has: commit them, or sign in a fresh clone';
  return here.id === commit
    ? null
    : '--sign-key: the recipe is of this checkout, and --commit is another: check that commit out, and sign there';
}

/**
 * `images` are [name, digest] of what was built, `commit` and `tree` Git's, `materials` [name, digest of npm] of what is pinned, `base`
 * the image that they begin with, `packages` how many of Debian it has and the digest of their list, `tools` versions of what made it.
 */
export function provenanceOf({ images, commit, epoch, isLocal, base, materials, tools }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: images.map(([name, digest]) => ({ name, digest: digestOf(digest) })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:countersign:images:v1',
        externalParameters: { commit, dockerfile: 'deploy/Dockerfile', base: isLocal ? 'local' : base.name },
        internalParameters: { isolation: 'chroot', sourceDateEpoch: epoch },
        resolvedDependencies: [
          { uri: 'git+urn:countersign', digest: { gitCommit: commit } },
          { uri: `urn:oci:${base.name}`, digest: digestOf(base.digest) },
          ...materials.map(([name, { version, integrity }]) => ({
            uri: `pkg:npm/${name}@${version}`,
            digest: { sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
          })),
        ],
      },
      runDetails: {
        builder: { id: 'urn:countersign:npm-run-images', version: tools },
        metadata: { invocationId: commit },
      },
    },
  };
}

function digestOf(digest) {
  const [algorithm, value] = digest.split(':');
  return { [algorithm]: value };
}
