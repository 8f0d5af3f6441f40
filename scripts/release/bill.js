// One bill of materials for the files of a release (CycloneDX 1.6): what is built into each package and the bundle, and what npm
// installs beside them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Enums, Models } from '@cyclonedx/cyclonedx-library';
import { integritiesOf } from '../../deploy/images/contents.js';
import { billOf, npmComponent, whyInvalid } from '../../deploy/images/sbom.js';
import { contentsOf, root } from './stage.js';

/**
 * Its text. `stages` are the folders that were packed, `packed` what `pack` gives for each, `epoch` the commit's time in seconds. Throws
 * where CycloneDX's schema does not hold.
 */
export async function releaseBill({ version, epoch, stages, packed }) {
  const integrities = integritiesOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const of = (one) => npmComponent(one, integrities.get(`${one.name}@${one.version}`));
  const built = new Map(stages.flatMap(contentsOf).map((one) => [nameOf(one), of(one)]));
  const beside = installed(stages).filter((one) => !built.has(nameOf(one)));
  const ours = packed.map(({ name, sha256 }) => {
    const one = npmComponent({ name, version });
    one.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256);
    return one;
  });
  const about = new Models.Component(Enums.ComponentType.Application, 'countersign', {
    version,
    bomRef: `countersign-release@${version}`,
  });
  const seed = packed.map(({ sha256 }) => sha256).join();
  const text = billOf({ about, seed, epoch, components: [...ours, ...built.values(), ...beside.map(of)] });
  const problems = await whyInvalid(text);
  if (problems !== null) throw new Error(`the bill of materials does not hold: ${JSON.stringify(problems)}`);
  return `${text}\n`;
}

const nameOf = ({ name, version }) => `${name}@${version}`;

/** What the packages depend on, and what that depends on, as package-lock.json has it; ours left out. */
function installed(stages) {
  const found = new Map();
  const visit = (name, asker) => {
    const folder = folderOf(name, asker);
    // An optional one of another platform, or one that was packed with the package.
    if (folder === null || found.has(folder)) return;
    const { version, dependencies = {}, optionalDependencies = {} } = manifestIn(folder);
    found.set(folder, { name, version });
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, folder);
  };
  for (const stage of stages.filter((folder) => existsSync(join(folder, 'package.json'))))
    for (const name of Object.keys(manifestIn(stage).dependencies ?? {}))
      if (!name.startsWith('@countersign/')) visit(name, root);
  return [...found.values()];
}

function folderOf(name, asker) {
  const folder = join(asker, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return asker === root ? null : folderOf(name, dirname(asker));
}

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
