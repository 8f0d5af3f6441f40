import type { ServerResponse } from 'node:http';
import { sayWhy } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { inSpan, type Tracer } from '@countersign/service/trace';
import type { x402Facilitator } from '@x402/core/facilitator';
import { answerJson, type Handler, readJson } from '../http-server.ts';
import { readOrder } from './order.ts';

export type FacilitatorParts = {
  readonly facilitator: x402Facilitator;
  readonly healthy: () => Promise<boolean>;
  readonly log: Logger;
  readonly tracer: Tracer;
};

/** The facilitator interface of x402: `/supported`, `/verify`, `/settle`; and `/health`. */
export function facilitatorRoutes({ facilitator, healthy, log, tracer }: FacilitatorParts): Handler {
  const routes: Record<string, Handler> = {
    'GET /health': async (_, response) => {
      const ok = await healthy();
      answerJson(response, ok ? 200 : 503, { ok });
    },
    'GET /supported': async (_, response) => answerJson(response, 200, facilitator.getSupported()),
    'POST /verify': traced('/verify', verify),
    'POST /settle': traced('/settle', settle),
  };
  return async (request, response) => {
    const path = (request.url ?? '').split('?')[0];
    const route = routes[`${request.method} ${path}`];
    if (route === undefined) answerJson(response, 404, { error: 'not found' });
    else await route(request, response);
  };

  /** Every line about a request tells its trace, so that one payment can be followed through all services. */
  function traced(path: string, answer: Answer): Handler {
    const attributes = { 'http.request.method': 'POST', 'http.route': path };
    return (request, response) => {
      const caller = tracer.join(request.headers['traceparent']);
      const work = async () =>
        answer(facilitator, await readJson(request), response, log.child({ traceId: caller.traceId }));
      return inSpan(caller.child(`POST ${path}`, 'server', attributes), work, () => ({
        attributes: { 'http.response.status_code': response.statusCode },
        error: response.statusCode < 500 ? undefined : String(response.statusCode),
      }));
    };
  }
}

type Answer = typeof verify;

async function verify(
  facilitator: x402Facilitator,
  body: unknown,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const order = readOrder(body);
  if (order === null) return answerJson(response, 400, { isValid: false, invalidReason: 'invalid_payload' });
  try {
    const verdict = await facilitator.verify(order.payload, order.requirements);
    const { isValid, invalidReason, payer } = verdict;
    log.info({ payer, reason: invalidReason }, isValid ? 'verified' : 'refused');
    answerJson(response, 200, verdict);
  } catch (error) {
    log.warn(`cannot verify: ${sayWhy(error)}`);
    answerJson(response, 500, { isValid: false, invalidReason: 'unexpected_verify_error' });
  }
}

async function settle(
  facilitator: x402Facilitator,
  body: unknown,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const nothing = { success: false, transaction: '' } as const;
  const order = readOrder(body);
  if (order === null) return answerJson(response, 400, { ...nothing, errorReason: 'invalid_payload' });
  const { network } = order.requirements;
  try {
    const outcome = await facilitator.settle(order.payload, order.requirements);
    const { success, errorReason, transaction, payer } = outcome;
    log.info({ transaction, payer, reason: errorReason }, success ? 'settled' : 'not settled');
    answerJson(response, 200, outcome);
  } catch (error) {
    log.warn(`cannot settle: ${sayWhy(error)}`);
    answerJson(response, 500, { ...nothing, network, errorReason: 'unexpected_settle_error' });
  }
}
