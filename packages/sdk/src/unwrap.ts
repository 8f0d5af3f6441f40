/** Any answer of this SDK: of an HTTP API, of the gateway, or of a check that the SDK made itself. */
type Answered<T> =
  | { readonly kind: 'ok'; readonly data: T }
  | {
      readonly kind: 'refused';
      readonly asked: string;
      readonly code: string;
      readonly msg: string;
      readonly status?: number;
    }
  | {
      readonly kind: 'failed';
      readonly asked: string;
      readonly why: string;
      readonly because?: string;
    };

/**
 * Returns the data of a successful answer and throws a `CallError` for any other. For programs that do not
 * handle refusals themselves.
 */
export async function unwrap<T>(answer: Answered<T> | Promise<Answered<T>>): Promise<T> {
  const came = await answer;
  if (came.kind === 'ok') return came.data;
  throw new CallError(came);
}

/** A call was refused, with the `code` of its API, or failed: then `why` tells how. */
export class CallError extends Error {
  readonly asked: string;
  readonly code: string | null;
  readonly status: number | null;
  readonly why: string | null;

  constructor(answer: Exclude<Answered<unknown>, { kind: 'ok' }>) {
    super(answer.kind === 'refused' ? refusalText(answer) : failureText(answer));
    this.name = 'CallError';
    this.asked = answer.asked;
    this.code = answer.kind === 'refused' ? answer.code : null;
    this.status = answer.kind === 'refused' ? (answer.status ?? null) : null;
    this.why = answer.kind === 'failed' ? answer.why : null;
  }
}

const refusalText = ({ asked, status, code, msg }: Extract<Answered<unknown>, { kind: 'refused' }>): string =>
  `${asked} was refused with ${status === undefined ? '' : `${status} `}${code}: ${msg}`;

const failureText = ({ asked, why, because }: Extract<Answered<unknown>, { kind: 'failed' }>): string =>
  `${asked} got no valid response: ${because ?? reasons[why] ?? why}`;

const reasons: Readonly<Record<string, string>> = {
  timeout: 'it timed out, so it is not known whether the request was carried out',
  unreachable: 'the service is not reachable; check that it is running and that the URL is right',
  aborted: 'it was cancelled, so it is not known whether the request was carried out',
  malformed: 'it does not match this API; check that the URL leads to the right service',
};
