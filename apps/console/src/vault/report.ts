import { ok, type Result } from '@countersign/protocol/result';
import type { Attestation } from '@countersign/protocol/vault/attestation';
import { queryOptions } from '@tanstack/react-query';
import { type Problem, ProblemError } from '../api/problem.ts';
import type { Tick } from '../ui/ticks.tsx';
import { fromBase64, toHex, utf8 } from './bytes.ts';
import { askVaultServer } from './http.ts';

/** A report of the enclave with what this browser found out about it. */
export type CheckedReport = {
  readonly report: Attestation;
  readonly checks: readonly Tick[];
  /** Its keys are the ones that the quote vouches for, and the answer is fresh. Who signed the quote is not checked here. */
  readonly isBound: boolean;
};

/** Asks the enclave who it is, with a number that nobody could know before. */
export async function freshReport(): Promise<Result<CheckedReport, Problem>> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const answer = await askVaultServer('GET /api/v1/attestation/report', { query: { nonce } });
  return answer.ok ? ok(await checkReport(answer.value, nonce)) : answer;
}

export const enclaveReport = queryOptions<CheckedReport, ProblemError>({
  queryKey: ['GET /api/v1/attestation/report', {}],
  staleTime: 10 * 60_000,
  queryFn: async () => {
    const answer = await freshReport();
    if (!answer.ok) throw new ProblemError(answer.error);
    return answer.value;
  },
});

/** Verifies what can be verified of a report by whoever sent its nonce. */
export async function checkReport(report: Attestation, nonce: string): Promise<CheckedReport> {
  const { auditPublicKey, sealPublicKey, reportData } = report;
  // RFC 8785 of three texts of plain characters: sorted names, no blanks.
  const bound = JSON.stringify({ auditPublicKey, nonce, sealPublicKey });
  const expected = toHex(new Uint8Array(await crypto.subtle.digest('SHA-512', utf8(bound))));
  const checks = [
    { says: 'The report answers the challenge this browser just sent', holds: report.nonce === nonce },
    {
      says: 'The report data covers the enclave’s two keys and the challenge',
      holds: reportData === expected,
    },
    { says: 'The quote covers these keys and no others', holds: carries(report.quote, expected) },
  ];
  return { report, checks, isBound: checks.every(({ holds }) => holds) };
}

/**
 * Returns whether a quote holds these 64 bytes: as they are, as hardware puts them, or in hex, as the
 * simulation does.
 */
function carries(quote: string, reportData: string): boolean {
  try {
    const bytes = fromBase64(quote);
    return toHex(bytes).includes(reportData) || new TextDecoder('latin1').decode(bytes).includes(reportData);
  } catch {
    return false;
  }
}
