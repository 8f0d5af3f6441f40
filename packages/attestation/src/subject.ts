import type { X509Certificate } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Attestation, attestation } from '@countersign/protocol/vault/attestation';
import { z } from 'zod';
import { readCertificates } from './certificates.ts';
import type { Crl } from './crl.ts';
import { looksLikeQuote } from './dcap/quote.ts';
import type { Evidence } from './evidence.ts';
import { hexText, isHex } from './hex.ts';
import { looksLikeNitro, unwrapNitro } from './nitro/document.ts';
import { looksLikeSnpReport } from './sev-snp/report.ts';
import { looksSimulated } from './simulated.ts';
import type { Subject } from './verify.ts';

/** Material that the caller supplies besides the file; null and empty if absent. */
export type Endorsements = {
  readonly collateral: unknown;
  readonly certificates: readonly X509Certificate[];
  readonly crls: readonly Crl[];
};

/**
 * Finds out what these bytes are: a report, an export or bundle of the audit log that ends with one, dstack's answer
 * to GetQuote, or bare evidence, as bytes, in hex or in base64. The error says what it should have been.
 */
export function readSubject(bytes: Buffer, given: Endorsements): Result<Subject, string> {
  const text = bytes.subarray(0, 8)[0] === braceCode ? bytes.toString('utf8') : null;
  if (text !== null) return readJson(text, given);
  const bare = recognize(fromHex(bytes) ?? fromBase64(bytes) ?? bytes, given, noExtras);
  return bare === null ? fail(whatIsKnown) : ok({ kind: 'evidence', evidence: bare, reportData: null });
}

const braceCode = '{'.charCodeAt(0);
const whatIsKnown =
  'this is not a known form of evidence: neither a report in JSON, nor a DCAP quote, an SEV-SNP report, a Nitro document or a simulated quote, as bytes, in hex or in base64';

function readJson(text: string, given: Endorsements): Result<Subject, string> {
  const value = parseJson(text) ?? parseJson(lastLine(text));
  if (typeof value !== 'object' || value === null) return fail('this looks like JSON but cannot be parsed');
  const inner = 'attestation' in value ? value.attestation : value;
  if (inner === null) return fail('there is no attestation report in it');
  const report = attestation.safeParse(inner);
  if (report.success) return readReport(report.data, given);
  const quote = getQuoteReply.safeParse(value);
  if (quote.success) return readGetQuote(quote.data, given);
  const issue = report.error.issues[0];
  return fail(
    `this is not an attestation report: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  );
}

/** An export ends with a line that holds the report. */
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The members next to the evidence in a report. */
type Extras = {
  readonly collateral: unknown;
  readonly eventLog: unknown;
  readonly certificates: readonly X509Certificate[];
};
const noExtras: Extras = { collateral: null, eventLog: null, certificates: [] };

function readReport(report: Attestation, given: Endorsements): Result<Subject, string> {
  const quote = Buffer.from(report.quote, 'base64');
  if (quote.toString('base64') !== report.quote) return fail('the quote of the report is not base64');
  const evidence = recognize(quote, given, extrasOf(report.measurements));
  if (evidence === null) return fail(`the quote of the report is none of ${report.provider}`);
  return ok({ kind: 'report', report, evidence });
}

function extrasOf(measurements: unknown): Extras {
  const { collateral, eventLog, certificates } = extras.parse(measurements ?? {});
  return {
    collateral: typeof collateral === 'string' ? (parseJson(collateral) ?? collateral) : (collateral ?? null),
    eventLog: eventLog ?? null,
    certificates:
      certificates === undefined ? [] : (readCertificates(Buffer.from(certificates, 'base64')) ?? []),
  };
}

const extras = z
  .object({
    collateral: z.unknown(),
    eventLog: z.unknown(),
    /** Base64. */
    certificates: z.string().optional().catch(undefined),
  })
  .partial()
  .catch({});

/** dstack's answer to GetQuote; `collateral` is our addition. */
const withoutPrefix = (text: string): string => text.replace(/^0x/, '');
const prefixedHex = z.string().transform(withoutPrefix).pipe(hexText);

const getQuoteReply = z.object({
  quote: prefixedHex,
  event_log: z.unknown().optional(),
  report_data: prefixedHex.pipe(z.string().max(128)).optional(),
  collateral: z.unknown().optional(),
});

function readGetQuote(reply: z.infer<typeof getQuoteReply>, given: Endorsements): Result<Subject, string> {
  const eventLog = reply.event_log === undefined || reply.event_log === '' ? null : reply.event_log;
  const extras = { ...noExtras, eventLog, collateral: reply.collateral ?? null };
  const evidence = recognize(Buffer.from(reply.quote, 'hex'), given, extras);
  if (evidence === null) return fail(whatIsKnown);
  return ok({ kind: 'evidence', evidence, reportData: reply.report_data ?? null });
}

/** Evidence as text has some tens of kilobytes. */
const maxText = 4 * 2 ** 20;

function fromHex(bytes: Buffer): Buffer | null {
  if (bytes.length === 0 || bytes.length > maxText) return null;
  const text = withoutPrefix(bytes.toString('latin1').trim());
  return isHex(text) ? Buffer.from(text, 'hex') : null;
}

/** Base64 or base64url, in one line or many. */
function fromBase64(bytes: Buffer): Buffer | null {
  if (bytes.length === 0 || bytes.length > maxText) return null;
  const text = bytes.toString('latin1').replace(/\s+/g, '');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

function recognize(bytes: Buffer, given: Endorsements, beside: Extras): Evidence | null {
  if (looksSimulated(bytes)) return { kind: 'simulated', quote: bytes };
  if (looksLikeNitro(bytes)) return { kind: 'nitro', document: bytes, around: 0 };
  if (looksLikeQuote(bytes)) {
    const collateral = given.collateral ?? beside.collateral;
    return { kind: 'dcap', quote: bytes, collateral, eventLog: beside.eventLog };
  }
  const inside = unwrapNitro(bytes);
  if (inside !== null) return { kind: 'nitro', document: inside, around: bytes.length - inside.length };
  if (!looksLikeSnpReport(bytes)) return null;
  const certificates = [...given.certificates, ...beside.certificates];
  return { kind: 'sev-snp', report: bytes, certificates, crls: given.crls };
}
