import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { writeWhole } from './write-whole.ts';

const { pki } = forge;

type Identity = { readonly cert: string; readonly key: string };

/** Paths of PEM files. */
export type LocalCa = { readonly ca: string; readonly server: Identity; readonly client: Identity };

/** Returns the paths of the certificates of the system in `dir`. */
export function localCaIn(dir: string): LocalCa {
  const at = (name: string) => join(dir, 'tls', name);
  return {
    ca: at('ca.pem'),
    server: { cert: at('server.pem'), key: at('server-key.pem') },
    client: { cert: at('client.pem'), key: at('client-key.pem') },
  };
}

/**
 * Makes, at the first start, a certificate authority of this system alone, a server's certificate for this machine and a
 * client's for its admin. The authority's own key is not kept. Remove the folder to have them made anew.
 */
export function makeLocalCa(dir: string, now: Date): LocalCa {
  const paths = localCaIn(dir);
  // Written last: with it everything is there.
  if (existsSync(paths.ca)) return paths;
  const authority = newIdentity('Countersign local CA', null, now, [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  const issue = (to: Identity, name: string, extensions: readonly object[]) => {
    const made = newIdentity(name, authority, now, [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      ...extensions,
    ]);
    writeWhole(to.key, made.keyPem);
    writeWhole(to.cert, pki.certificateToPem(made.certificate));
  };
  issue(paths.server, 'localhost', [{ name: 'extKeyUsage', serverAuth: true }, thisMachine]);
  issue(paths.client, 'Countersign admin', [{ name: 'extKeyUsage', clientAuth: true }]);
  writeWhole(paths.ca, pki.certificateToPem(authority.certificate));
  return paths;
}

/** Kinds of names in RFC 5280, 4.2.1.6. */
const [dnsName, ipAddress] = [2, 7];
const thisMachine = {
  name: 'subjectAltName',
  altNames: [
    { type: dnsName, value: 'localhost' },
    { type: ipAddress, ip: '127.0.0.1' },
    { type: ipAddress, ip: '::1' },
  ],
};

type Made = {
  readonly certificate: forge.pki.Certificate;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly keyPem: string;
};

const hourMs = 3_600_000;
/** Browsers and operating systems trust no longer. */
const validMs = 825 * 24 * hourMs;

/** A new key with its certificate, signed by the issuer or (null) by itself. */
function newIdentity(name: string, issuer: Made | null, now: Date, extensions: object[]): Made {
  const { publicKey, privateKey: keyPem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const privateKey = pki.privateKeyFromPem(keyPem);
  const certificate = pki.createCertificate();
  const subject = [{ name: 'commonName', value: name }];
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  // A positive number whose first byte is not zero: DER allows no padding, and OpenSSL reads none.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - hourMs);
  certificate.validity.notAfter = new Date(now.getTime() + validMs);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.certificate.subject.attributes ?? subject);
  certificate.setExtensions(extensions);
  certificate.sign(issuer?.privateKey ?? privateKey, forge.md.sha256.create());
  return { certificate, privateKey, keyPem };
}
