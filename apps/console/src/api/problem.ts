import type { ControlCode } from '@countersign/protocol/control/codes';
import { type DashboardCode, dashboardCodes } from '@countersign/protocol/dashboard/codes';
import type { VaultCode } from '@countersign/protocol/vault/codes';

/** Why a call gave no data. `refused` is the server's own word; otherwise nothing may be concluded. */
export type Problem =
  | {
      readonly kind: 'refused';
      readonly code: DashboardCode | VaultCode | ControlCode | null;
      readonly msg: string;
      /** Data that the dashboard sends with its message, unchanged. */
      readonly data?: unknown;
      readonly requestId: string | null;
    }
  | { readonly kind: 'unreachable'; readonly service: Service }
  | { readonly kind: 'malformed'; readonly service: Service; readonly requestId: string | null };

type Service = 'dashboard' | 'vault' | 'control plane';

const names = new Map<number, DashboardCode>(
  Object.entries(dashboardCodes).map(([name, { code }]) => [code, name as DashboardCode]),
);

/** The name of a business code; null for one that this build does not know. */
export const codeName = (code: number): DashboardCode | null => names.get(code) ?? null;

/** Nobody is signed in to the dashboard, or not any longer. */
export const isSignedOut = (problem: Problem): boolean =>
  problem.kind === 'refused' &&
  (problem.code === 'ACCESS_TOKEN_REQUIRED' || problem.code === 'AUTHENTICATION_FAILED');

/** This account may not. */
export const isForbidden = (problem: Problem): boolean =>
  problem.kind === 'refused' &&
  (problem.code === 'UNAUTHORIZED_OPERATION' ||
    problem.code === 'insufficient_scope' ||
    problem.code === 'insufficient_role');

const passing: readonly unknown[] = [
  'RATE_LIMITED',
  'rate_limited',
  'SYSTEM_ERROR',
  'internal_error',
  'not_ready',
];

/**
 * Returns whether the same question may be answered later: a silence may end, a refusal stays one but for
 * these.
 */
export const mayPass = (problem: Problem): boolean =>
  problem.kind !== 'refused' || problem.code === null || passing.includes(problem.code);

/** Returns what happened, in words for the owner. */
export function problemText(problem: Problem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.code === 'SYSTEM_ERROR' || problem.code === 'internal_error'
        ? 'Something went wrong on the server.'
        : sentence(problem.msg);
    case 'unreachable':
      return `The ${problem.service} did not respond. Check your connection.`;
    case 'malformed':
      return `The ${problem.service}’s response could not be read. Reload the page; there may be a newer version.`;
  }
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** A problem on its way through a query, which only knows thrown errors. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problemText(problem));
    this.problem = problem;
  }
}

/** Returns whether the id does not exist, or is not an id. */
export const isMissing = (error: ProblemError | null): boolean =>
  error?.problem.kind === 'refused' &&
  (error.problem.code === 'not_found' || error.problem.code === 'invalid_request');
