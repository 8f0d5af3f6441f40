import type { X509Certificate } from 'node:crypto';
import type { Step } from '@countersign/audit-log/verify/report';
import type { Crl } from './crl.ts';
import type { TdFacts } from './dcap/quote.ts';
import type { SnpFacts } from './sev-snp/report.ts';

/** A vendor's evidence, unmodified, with everything needed to verify it. */
export type Evidence =
  | {
      readonly kind: 'dcap';
      readonly quote: Buffer;
      /** Intel's collateral; null when there is none. */
      readonly collateral: unknown;
      /** dstack's; null for a quote from elsewhere. */
      readonly eventLog: unknown;
    }
  | {
      readonly kind: 'sev-snp';
      readonly report: Buffer;
      /** The processor's and, where known, its issuers'. */
      readonly certificates: readonly X509Certificate[];
      /** AMD's revocation lists, as they were given. */
      readonly crls: readonly Crl[];
    }
  | {
      readonly kind: 'nitro';
      readonly document: Buffer;
      /** Bytes of the file that are not the document's, and were not looked at. */
      readonly around: number;
    }
  | { readonly kind: 'simulated'; readonly quote: Buffer };

/** The contents of the evidence, and which checks passed. */
export type Finding = {
  readonly steps: readonly Step[];
  /** The claims that the hardware signed; null if the evidence cannot be parsed. */
  readonly signed: Signed | null;
};

export type Signed = {
  /** 64 bytes; null when the evidence has none. */
  readonly reportData: Buffer | null;
  /** Hex by lower-case name. */
  readonly measurements: Readonly<Record<string, string>>;
  /** Which machine it was, hex or the vendor's name; null when the evidence does not say. */
  readonly platform: string | null;
  /** The vendor's judgement of the machine; null when there is none. */
  readonly tcb: string | null;
  /** Hex; only Nitro's has one of its own. */
  readonly nonce: string | null;
  /** How the guest may be run; null unless it is a TDX guest. */
  readonly td: TdFacts | null;
  /** The same of SEV-SNP. */
  readonly snp: SnpFacts | null;
};

/** Whom the verifier believes: the roots of the vendors' chains. */
export type TrustedRoots = {
  readonly intel: X509Certificate;
  /** ARKs, one for a generation of processors, and the ASKs that they are known to have signed. */
  readonly amd: {
    readonly roots: readonly X509Certificate[];
    readonly intermediates: readonly X509Certificate[];
  };
  /** SHA-256 of the certificate, in the spelling of `X509Certificate.fingerprint256`. */
  readonly aws: string;
};
