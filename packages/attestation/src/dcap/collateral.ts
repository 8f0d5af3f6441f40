import { z } from 'zod';
import { hexText } from '../hex.ts';
import { type Crl, readCrl } from './crl.ts';

const mostText = 1 << 20;
const text = z.string().max(mostText);
/** Hex, or an array of bytes as older tools write it. */
const bytes = z.union([
  hexText.max(2 * mostText).transform((hex) => Buffer.from(hex, 'hex')),
  z
    .array(z.int().min(0).max(255))
    .max(mostText)
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
  /** Where the quote itself names its certificate only by an encrypted id. */
  pck_certificate_chain: text.nullish(),
});

const dated = z.object({ issueDate: z.iso.datetime(), nextUpdate: z.iso.datetime() });

/** What Intel publishes about its processors, in the form that dcap-qvl and dstack keep it. */
export type Collateral = z.infer<typeof collateralJson> & {
  /** Its newest part was issued then. */
  readonly issuedAt: Date;
  /** Its first part expires then. */
  readonly expiresAt: Date;
  readonly rootCrl: Crl;
  readonly pckCrl: Crl;
};

/** Null when it is no collateral. */
export function readCollateral(value: unknown): Collateral | null {
  const parsed = collateralJson.safeParse(value);
  if (!parsed.success) return null;
  const { tcb_info, qe_identity, root_ca_crl, pck_crl } = parsed.data;
  const [tcb, identity] = [tcb_info, qe_identity].map(readDates);
  const [rootCrl, pckCrl] = [root_ca_crl, pck_crl].map(readCrl);
  if (!tcb || !identity || !rootCrl || !pckCrl) return null;
  const parts = [tcb, identity, rootCrl, pckCrl];
  return {
    ...parsed.data,
    issuedAt: new Date(Math.max(...parts.map(({ issuedAt }) => issuedAt.getTime()))),
    expiresAt: new Date(Math.min(...parts.map(({ expiresAt }) => expiresAt.getTime()))),
    rootCrl,
    pckCrl,
  };
}

function readDates(json: string): Pick<Crl, 'issuedAt' | 'expiresAt'> | null {
  try {
    const { issueDate, nextUpdate } = dated.parse(JSON.parse(json));
    return { issuedAt: new Date(issueDate), expiresAt: new Date(nextUpdate) };
  } catch {
    return null;
  }
}
