import { constants, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bits, commonName, integer, objectId, octets, sequence, time, tlv, truth } from './der-writer.ts';

/** Somebody who may issue certificates: a vendor of our own. */
export type Authority = {
  readonly name: string;
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
};

export type Extension = { readonly id: string; readonly value: Buffer };

type Wanted = {
  readonly name: string;
  readonly curve?: 'P-256' | 'P-384';
  /** Itself where there is none. */
  readonly issuer?: Authority;
  readonly isIssuer?: boolean;
  readonly from?: Date;
  readonly to?: Date;
  readonly extensions?: readonly Extension[];
  /** RSA with PSS, as AMD has it, instead of a curve: the key's length. */
  readonly rsaBits?: number;
};

let serials = 0;

/** A key with its certificate. */
export function issue(wanted: Wanted): Authority {
  const { name, issuer, from = new Date('2026-01-01'), to = new Date('2050-01-01') } = wanted;
  const pair =
    wanted.rsaBits === undefined
      ? generateKeyPairSync('ec', { namedCurve: wanted.curve ?? 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: wanted.rsaBits });
  const signer = issuer?.privateKey ?? pair.privateKey;
  const basic = sequence(...(wanted.isIssuer === true ? [truth] : []));
  const extensions = [
    sequence(objectId('2.5.29.19'), truth, octets(basic)),
    ...(wanted.extensions ?? []).map(({ id, value }) => sequence(objectId(id), octets(value))),
  ];
  serials += 1;
  const body = sequence(
    tlv(0xa0, integer(2)),
    integer(0x1000 + serials),
    algorithm(signer),
    commonName(issuer?.name ?? name),
    sequence(time(from), time(to)),
    commonName(name),
    pair.publicKey.export({ format: 'der', type: 'spki' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, algorithm(signer), bits(signed(body, signer)));
  return { name, certificate: new X509Certificate(der), privateKey: pair.privateKey };
}

const hashOf = (key: KeyObject): 'sha256' | 'sha384' =>
  key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'sha256' : 'sha384';

function signed(body: Buffer, key: KeyObject): Buffer {
  const { RSA_PKCS1_PSS_PADDING: padding } = constants;
  return key.asymmetricKeyType === 'rsa'
    ? sign('sha384', body, { key, padding, saltLength: 48 })
    : sign(hashOf(key), body, key);
}

function algorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'rsa')
    return sequence(objectId(hashOf(key) === 'sha256' ? '1.2.840.10045.4.3.2' : '1.2.840.10045.4.3.3'));
  const sha384 = sequence(objectId('2.16.840.1.101.3.4.2.2'), tlv(0x05));
  const mask = sequence(objectId('1.2.840.113549.1.1.8'), sha384);
  const pss = sequence(tlv(0xa0, sha384), tlv(0xa1, mask), tlv(0xa2, integer(48)));
  return sequence(objectId('1.2.840.113549.1.1.10'), pss);
}

/** A revocation list of this authority. */
export function revocationList(
  issuer: Authority,
  revoked: readonly X509Certificate[],
  from: Date,
  to: Date,
): Buffer {
  const entries = revoked.map(({ serialNumber }) =>
    sequence(integer(Buffer.from(serialNumber, 'hex')), time(from)),
  );
  const body = sequence(
    integer(1),
    algorithm(issuer.privateKey),
    commonName(issuer.name),
    time(from),
    time(to),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
  );
  return sequence(body, algorithm(issuer.privateKey), bits(signed(body, issuer.privateKey)));
}
