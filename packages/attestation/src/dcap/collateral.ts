import { z } from 'zod';
import { hexText } from '../hex.ts';
import { type Crl, readCrl } from '../crl.ts';
import { type QeIdentity, qeIdentity, type TcbInfo, tcbInfo } from './tcb-info.ts';

const maxText = 1 << 20;
const text = z.string().max(maxText);
/** Hex, or an array of bytes as older tools write it. */
const bytes = z.union([
  hexText.max(2 * maxText).transform((hex) => Buffer.from(hex, 'hex')),
  z
    .array(z.int().min(0).max(255))
    .max(maxText)
    .transform((list) => Buffer.from(list)),
]);

const collateralJson = z.object({
  root_ca_crl: bytes,
  pck_crl: bytes,
  tcb_info_issuer_chain: text,
  tcb_info: text,
  tcb_info_signature: bytes,
  qe_identity_issuer_chain: text,
  qe_identity: text,
  qe_identity_signature: bytes,
  /** Needed when the quote names its certificate only by an encrypted id. */
  pck_certificate_chain: text.nullish(),
});

/** Intel's published data about its processors, in the format of dcap-qvl and dstack. */
export type Collateral = z.infer<typeof collateralJson> & {
  /** Its newest part was issued then. */
  readonly issuedAt: Date;
  /** Its first part expires then. */
  readonly expiresAt: Date;
  readonly rootCrl: Crl;
  readonly pckCrl: Crl;
  /** Not to be believed before the signature over `tcb_info` is checked. */
  readonly tcbInfo: TcbInfo;
  /** Not to be believed before the signature over `qe_identity` is checked. */
  readonly qeIdentity: QeIdentity;
};

/** Null when it is no collateral. */
export function readCollateral(value: unknown): Collateral | null {
  const parsed = collateralJson.safeParse(value);
  if (!parsed.success) return null;
  const [info, identity] = [
    readAs(tcbInfo, parsed.data.tcb_info),
    readAs(qeIdentity, parsed.data.qe_identity),
  ];
  const [rootCrl, pckCrl] = [readCrl(parsed.data.root_ca_crl), readCrl(parsed.data.pck_crl)];
  if (info === null || identity === null || rootCrl === null || pckCrl === null) return null;
  const parts = [datesOf(info), datesOf(identity), rootCrl, pckCrl];
  return {
    ...parsed.data,
    issuedAt: new Date(Math.max(...parts.map(({ issuedAt }) => issuedAt.getTime()))),
    expiresAt: new Date(Math.min(...parts.map(({ expiresAt }) => expiresAt.getTime()))),
    rootCrl,
    pckCrl,
    tcbInfo: info,
    qeIdentity: identity,
  };
}

const datesOf = ({ issueDate, nextUpdate }: TcbInfo | QeIdentity) => ({
  issuedAt: new Date(issueDate),
  expiresAt: new Date(nextUpdate),
});

function readAs<T>(schema: z.ZodType<T>, json: string): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
