// The licences of other people's code that lies in a bundle. Whoever gets the code has to get their texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages whose code esbuild put into what it wrote; several may be one package. */
export function packagesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    return bytesInOutput > 0 && folder !== undefined ? [folder] : [];
  });
}

/** Name and version of each package, sorted, each once. */
export function namesOf(base, folders) {
  const manifests = folders.map((folder) =>
    JSON.parse(readFileSync(join(base, folder, 'package.json'), 'utf8')),
  );
  const byName = new Map(manifests.map(({ name, version }) => [`${name}@${version}`, { name, version }]));
  return [...byName.keys()].toSorted((one, other) => (one < other ? -1 : 1)).map((each) => byName.get(each));
}

/** One text: name, version and licence of each package, sorted, each once. Throws where one names no licence at all. */
export function licencesOf(base, folders) {
  const byName = new Map(folders.map((folder) => licenceOf(join(base, folder))));
  const sorted = [...byName].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [heading, ...sorted.map(([name, text]) => `${name}\n\n${text}\n`)].join(`\n${'-'.repeat(80)}\n\n`);
}

const heading = 'This package contains code of the packages below, each under its own licence.\n';

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = textsIn(folder);
  if (texts.length > 0) return [`${name} ${version}`, texts.join('\n\n')];
  if (typeof license !== 'string' || !/^[\w.+() -]+$/.test(license) || /^(unlicensed$|see )/i.test(license))
    throw new Error(`${name} ${version} is in a bundle, and has no licence`);
  return [`${name} ${version}`, namedAlone(license, author)];
}

/** Licences and notices as the package has them, else what its page says under "License" where that is a whole text. */
function textsIn(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((item) => item.isFile());
  const read = (pattern) =>
    files
      .map((item) => item.name)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
      .filter((text) => text !== '');
  const own = read(/^(licen[cs]e|copying|notice)/i);
  if (own.length > 0) return own;
  const sections = read(/^readme\.md$/i).map(
    (page) => /^#+ licen[cs]e\n([^]*)$/im.exec(page)?.[1]?.trim() ?? '',
  );
  return sections.filter((text) => text.includes('Permission is hereby granted'));
}

function namedAlone(license, author) {
  const who = typeof author === 'string' ? author : author?.name;
  return [
    `This package has no text of its licence. Its package.json names ${license}${who ? `, and as author ${who}` : ''}.`,
    ...(license === 'Apache-2.0' ? ['LICENSE beside this file is the text of Apache-2.0.'] : []),
  ].join('\n');
}
