import { sign } from 'node:crypto';
import { Encoder } from 'cbor-x';
import { type Authority, issue } from './authority.ts';

type Wanted = {
  readonly userData?: Buffer | null;
  readonly nonce?: Buffer | null;
  readonly at?: Date;
  readonly pcr0?: Buffer;
  readonly signer?: Authority;
  /** Puts other fields into the document. */
  readonly other?: Readonly<Record<string, unknown>>;
};

const encoder = new Encoder({ mapsAsObjects: false, useRecords: false });
const es384 = Buffer.from('44a1013822', 'hex');

/** A cloud with a hypervisor like AWS's, with keys of its own. */
export class Aws {
  readonly root = issue({ name: 'aws.nitro-enclaves', curve: 'P-384', isIssuer: true });
  readonly #zone = issue({ name: 'zone', curve: 'P-384', isIssuer: true, issuer: this.root });
  readonly leaf = issue({
    name: 'i-1-enc1',
    curve: 'P-384',
    issuer: this.#zone,
    from: new Date('2026-11-21T09:00:00Z'),
    to: new Date('2026-11-21T12:00:00Z'),
  });

  document(wanted: Wanted = {}): Buffer {
    const signer = wanted.signer ?? this.leaf;
    const payload = encoder.encode(
      new Map<string, unknown>(
        Object.entries({
          module_id: 'i-1-enc1',
          digest: 'SHA384',
          timestamp: (wanted.at ?? new Date('2026-11-21T09:30:00Z')).getTime(),
          pcrs: new Map([
            [0, wanted.pcr0 ?? Buffer.alloc(48, 5)],
            [1, Buffer.alloc(48, 6)],
          ]),
          certificate: signer.certificate.raw,
          cabundle: [this.root, this.#zone].map(({ certificate }) => certificate.raw),
          public_key: null,
          user_data: wanted.userData ?? null,
          nonce: wanted.nonce ?? null,
          ...wanted.other,
        }),
      ),
    );
    const content = Buffer.concat([byteHead(payload.length), payload]);
    const context = Buffer.concat([Buffer.from([0x84, 0x6a]), Buffer.from('Signature1')]);
    const signed = Buffer.concat([context, es384, Buffer.from([0x40]), content]);
    const signature = sign('sha384', signed, { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([Buffer.from([0x84]), es384, Buffer.from([0xa0]), content, byteHead(96), signature]);
  }
}

const byteHead = (length: number): Buffer =>
  length < 256 ? Buffer.from([0x58, length]) : Buffer.from([0x59, length >> 8, length & 255]);
