// A bill of materials of an image (CycloneDX 1.6, JSON), the same for the same image: it has no time and no random number of its own.
import { createHash } from 'node:crypto';
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';

const { Component, Bom, Property } = Models;

/** `digest` is the image's; `debian`, `npm` and `node` are as contents.js reads them, `integrities` the lockfile's. */
export function sbomOf({ image, version, digest, epoch, debian, npm, node, integrities }) {
  const about = new Component(Enums.ComponentType.Container, image, {
    version,
    bomRef: `image:${image}`,
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], digest.replace('sha256:', '')]]),
    purl: `pkg:oci/${image}@${encodeURIComponent(digest)}`,
  });
  return billOf({
    about,
    seed: digest,
    epoch,
    components: [
      nodeComponent(node),
      ...debian.map(debianComponent),
      ...npm.map((one) => npmComponent(one, integrities.get(`${one.name}@${one.version}`))),
    ],
  });
}

/** The text of a bill about a component; what names it is made of `seed`, and `epoch` is in seconds. */
export function billOf({ about, seed, epoch, components }) {
  const bom = new Bom();
  bom.serialNumber = uuidOf(seed);
  bom.metadata.timestamp = new Date(epoch * 1000);
  bom.metadata.component = about;
  for (const one of components) bom.components.add(one);
  return new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 1,
  });
}

/** What is wrong with a bill by CycloneDX's own schema; null where it holds. */
export const whyInvalid = (text) => new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);

function nodeComponent({ version, sha256 }) {
  return new Component(Enums.ComponentType.Application, 'node', {
    version,
    bomRef: `node@${version}`,
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], sha256]]),
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  });
}

function debianComponent({ name, version, arch, source }) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-12`;
  const properties = source === undefined ? [] : [new Property('countersign:debian:source', source)];
  return new Component(Enums.ComponentType.Library, name, {
    version,
    bomRef: purl,
    purl,
    properties: new Models.PropertyRepository(properties),
  });
}

/** `integrity` as a lockfile has it, if it is known. */
export function npmComponent({ name, version }, integrity) {
  const [scope, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${plain}@${version}`;
  const hash = integrity?.startsWith('sha512-')
    ? Buffer.from(integrity.slice(7), 'base64').toString('hex')
    : null;
  return new Component(Enums.ComponentType.Library, plain, {
    group: scope,
    version,
    bomRef: purl,
    purl,
    hashes: new Models.HashDictionary(hash === null ? [] : [[Enums.HashAlgorithm['SHA-512'], hash]]),
  });
}

/** A UUID (version 8, RFC 9562) of a text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
