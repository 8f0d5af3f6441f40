import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { type Authority, issue, revocationList } from './authority.ts';
import { type CollateralChange, identityText, qeSigner, tcbInfoText } from './intel-collateral.ts';
import { integer, objectId, octets, sequence } from './der-writer.ts';

/** A vendor of DCAP quotes like Intel, with keys of its own. */
export class Intel {
  readonly root = issue({ name: 'Intel SGX Root CA', isIssuer: true });
  readonly #platformCa = issue({ name: 'Intel SGX PCK Platform CA', isIssuer: true, issuer: this.root });
  readonly #tcbSigner = issue({ name: 'Intel SGX TCB Signing', issuer: this.root });
  readonly pck = issue({
    name: 'Intel SGX PCK Certificate',
    issuer: this.#platformCa,
    extensions: [{ id: arc, value: pckExtension() }],
  });
  readonly #attestation = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  quote(wanted: Wanted): Buffer {
    const tee = wanted.version === 3 ? 0 : 0x81;
    const header = Buffer.concat([u16(wanted.version), u16(2), u32(tee), u32(0), vendor, Buffer.alloc(20)]);
    const report = wanted.version === 3 ? enclaveReport(wanted) : domainReport(wanted);
    const type = u16(wanted.isTd15 === true ? 3 : 2);
    const body = wanted.version === 5 ? Buffer.concat([type, u32(report.length), report]) : report;
    const signed = Buffer.concat([header, body]);
    const auth = this.#authData(signed, wanted.version, wanted.signer ?? this.pck);
    return Buffer.concat([signed, u32(auth.length), auth]);
  }

  #authData(signed: Buffer, version: number, pck: Authority): Buffer {
    const { x = '', y = '' } = this.#attestation.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([x, y].map((half) => Buffer.from(half, 'base64url')));
    const qeAuthData = Buffer.alloc(32, 7);
    const reportData = Buffer.concat([
      hash('sha256', Buffer.concat([key, qeAuthData]), 'buffer'),
      Buffer.alloc(32),
    ]);
    const qeReport = enclaveReport({ reportData, mrsigner: qeSigner });
    const chain = [pck, this.#platformCa, this.root].map(({ certificate }) => String(certificate)).join('');
    const pem = Buffer.from(`${chain}\0`);
    const qe = Buffer.concat([
      qeReport,
      raw(qeReport, pck.privateKey),
      u16(32),
      qeAuthData,
      u16(5),
      u32(pem.length),
      pem,
    ]);
    const own = Buffer.concat([raw(signed, this.#attestation.privateKey), key]);
    return version === 3 ? Buffer.concat([own, qe]) : Buffer.concat([own, u16(6), u32(qe.length), qe]);
  }

  /** What Intel publishes about its processors. */
  collateral(tee: 'sgx' | 'tdx', changed: CollateralChange = {}): Record<CollateralPart, string> {
    const { revoked = [] } = changed;
    const [from, to] = [changed.from ?? new Date('2026-11-01'), changed.to ?? new Date('2026-12-01')];
    const tcbInfo = tcbInfoText(tee, from, to, changed);
    const identity = identityText(tee, from, to, changed);
    const signer = changed.signer ?? this.#tcbSigner;
    const chain = [signer, this.root].map(({ certificate }) => String(certificate)).join('');
    const signed = (text: string) => raw(Buffer.from(text), signer.privateKey).toString('hex');
    const crlOf = (issuer: Authority, of: readonly Authority[]) =>
      revocationList(
        issuer,
        of.map(({ certificate }) => certificate),
        from,
        to,
      ).toString('hex');
    return {
      pck_crl_issuer_chain: '',
      root_ca_crl: crlOf(this.root, []),
      pck_crl: crlOf(changed.crlIssuer ?? this.#platformCa, revoked),
      tcb_info_issuer_chain: chain,
      tcb_info: tcbInfo,
      tcb_info_signature: signed(tcbInfo),
      qe_identity_issuer_chain: chain,
      qe_identity: identity,
      qe_identity_signature: signed(identity),
    };
  }
}

type CollateralPart =
  | 'pck_crl_issuer_chain'
  | 'root_ca_crl'
  | 'pck_crl'
  | 'tcb_info_issuer_chain'
  | 'tcb_info'
  | 'tcb_info_signature'
  | 'qe_identity_issuer_chain'
  | 'qe_identity'
  | 'qe_identity_signature';

type Wanted = {
  readonly version: 3 | 4 | 5;
  readonly reportData: Buffer;
  readonly isDebug?: boolean;
  /** Whose key signs for the quoting enclave; the processor's by default. */
  readonly signer?: Authority;
  /** RTMR0 to RTMR3. */
  readonly rtmrs?: readonly Buffer[];
  /** Of a TD report, by offset: bytes that are others than in a plain guest. */
  readonly change?: (report: Buffer) => void;
  /** A TD report of 1.5, in a quote of version 5. */
  readonly isTd15?: boolean;
};

const vendor = Buffer.from('939a7233f79c4ca9940a0db3957f0607', 'hex');
const arc = '1.2.840.113741.1.13.1';

function pckExtension(): Buffer {
  const entry = (id: string, value: Buffer) => sequence(objectId(`${arc}.${id}`), value);
  const components = Array.from({ length: 16 }, (_, i) => entry(`2.${i + 1}`, integer(0)));
  const tcb = sequence(...components, entry('2.17', integer(0)), entry('2.18', octets(Buffer.alloc(16))));
  return sequence(
    entry('1', octets(Buffer.alloc(16, 0xaa))),
    entry('2', tcb),
    entry('3', octets(Buffer.alloc(2))),
    entry('4', octets(Buffer.from('00906ed50000', 'hex'))),
  );
}

type EnclaveWanted = Pick<Wanted, 'reportData' | 'isDebug'> & { readonly mrsigner?: Buffer };

function enclaveReport({
  reportData,
  isDebug = false,
  mrsigner = Buffer.alloc(32, 2),
}: EnclaveWanted): Buffer {
  const report = Buffer.alloc(384);
  report[48] = isDebug ? 2 : 0;
  report.fill(1, 64, 96);
  mrsigner.copy(report, 128);
  reportData.copy(report, 320);
  return report;
}

function domainReport({ reportData, isDebug = false, rtmrs = [], change, isTd15 = false }: Wanted): Buffer {
  const report = Buffer.alloc(isTd15 ? 648 : 584);
  // SEPT_VE_DISABLE, which is always set.
  report.set([isDebug ? 1 : 0, 0, 0, 0x10], 120);
  report.fill(3, 136, 184);
  for (const [i, rtmr] of rtmrs.entries()) rtmr.copy(report, 328 + 48 * i);
  reportData.copy(report, 520);
  change?.(report);
  return report;
}

const raw = (bytes: Buffer, key: KeyObject): Buffer =>
  sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
