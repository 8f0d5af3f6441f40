import { type Definition, definitions } from '@countersign/protocol/control/connector';
import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { type HttpOperation, operationOf } from '@countersign/protocol/control/openapi/operation';
import { type Place, placeOf } from '@countersign/protocol/control/openapi/place';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { HttpAsk, QueryAnswer, QueryAsk } from '../../channel/connector.ts';
import { compose } from './compose.ts';
import { exchange, type HttpResponse } from './exchange.ts';
import { permitsHttp, permitsTool } from './permit.ts';
import { bytesIn, placeInTool } from './place.ts';
import { outcomeOf } from './outcome.ts';
import type { BrokerOptions } from './options.ts';
import { problemOf } from './problem.ts';
import type { Reach } from './reach.ts';
import { isDatabaseUrl } from './secrets-in.ts';
import { SentRequests } from './sent.ts';
import { Substituting } from './substitute.ts';

type Ruled = Parameters<SentRequests['add']>[0] & {
  readonly place: Place | null;
  readonly notDone?: HttpOperation['notDone'];
};

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The way out of one connector, which is not trusted: it sends what the approved action may send, puts the credential in,
 * and masks what comes back. What is refused is the end of the run.
 */
export class Broker {
  readonly #options: BrokerOptions;
  /** The requests that were sent, and their outcomes. */
  readonly sent = new SentRequests();

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /** `body` with the new value of the credential, where the run has one to give. */
  async http(ask: HttpAsk, body: Buffer): Promise<Result<HttpResponse, ExecutionProblem>> {
    const { next } = this.#options;
    return next === null ? this.#http(ask, body) : next.giveIn(body, (filled) => this.#http(ask, filled));
  }

  async #http(ask: HttpAsk, body: Buffer): Promise<Result<HttpResponse, ExecutionProblem>> {
    const ruled = this.#rule(ask, body);
    if (!ruled.ok) return ruled;
    const { place, notDone, ...about } = ruled.value;
    const { isAction } = about;
    const { run, loan } = this.#options;
    const credential = await this.#secretIn(place);
    if (!credential.ok) return credential;
    const secret = credential.value;
    const { decoy, ...request } = compose(ask, body, place, { ...run, isAction });
    const reached = await this.#connect(new URL(ask.url));
    if (!reached.ok) {
      secret?.fill(0);
      return reached;
    }
    const hear = this.sent.add(about);
    const stream = secret === null ? reached.value : new Substituting(reached.value, [{ decoy, secret }]);
    const came = (isWhole: boolean, { status, headers }: Pick<HttpResponse, 'status' | 'headers'>) =>
      hear({
        status,
        outcome: outcomeOf({ status, isWhole, isDocumented: isDocumented(notDone, status, headers) }),
      });
    const send = () => exchange(stream, request, (head) => came(false, head));
    const answer = await (isAction ? run.carry(send) : send());
    if (!answer.ok)
      return fail(
        answer.error === 'too_large'
          ? problemOf('answer_too_large')
          : problemOf(
              'target_unreachable',
              'The service ended the connection without an answer that can be read.',
            ),
      );
    came(true, answer.value);
    const { status, headers, text } = answer.value;
    const { masker } = loan;
    return ok({ status, headers: masker.json(headers) as Record<string, string>, text: masker.text(text) });
  }

  async query(ask: QueryAsk): Promise<Result<QueryAnswer, ExecutionProblem>> {
    const { run } = this.#options;
    if (run.type !== 'postgres') return fail(problemOf('egress_denied'));
    const { runQuery } = await import('./query.ts');
    const { action, definition } = run;
    const statement = definitions.postgres.parse(definition).actions[action];
    if (statement === undefined) return fail(problemOf('egress_denied'));
    const acts = !statement.read_only && statement.idempotent !== true;
    return runQuery(statement, ask.values, this.#options, () => this.sent.add({ acts, isAction: true }));
  }

  /** The credential as it stands in its place: to be wiped; null where none is wanted. */
  async #secretIn(place: Place | null): Promise<Result<Buffer | null, ExecutionProblem>> {
    if (place === null) return ok(null);
    const credential = await this.#options.loan.secret();
    // What opens a database is shown to no other service.
    const secret = credential === null || isDatabaseUrl(credential) ? null : bytesIn(place, credential);
    return secret === null ? fail(problemOf('credential_unusable')) : ok(secret);
  }

  /**
   * Returns the rule of the definition for a request; a refusal if the request is not the approved action.
   */
  #rule(ask: HttpAsk, body: Buffer): Result<Ruled, ExecutionProblem> {
    const { run } = this.#options;
    const asked = { method: ask.method, url: new URL(ask.url) };
    if (run.type === 'mcp-tool') {
      const definition = definitions['mcp-tool'].parse(run.definition);
      const permitted = permitsTool(definition, run.action, asked, body);
      if (permitted === null) return fail(problemOf('egress_denied'));
      const acts = permitted.calls && definition.idempotent_tools?.includes(run.action) !== true;
      const place = run.lend === null ? null : placeInTool(definition);
      return ok({ place, acts, isAction: permitted.calls });
    }
    if (run.type !== 'http') return fail(problemOf('egress_denied'));
    return this.#ruleHttp(definitions.http.parse(run.definition), asked);
  }

  #ruleHttp(
    definition: Definition<'http'>,
    asked: { readonly method: string; readonly url: URL },
  ): Result<Ruled, ExecutionProblem> {
    const { action, lend } = this.#options.run;
    const operation = operationOf(definition, action);
    if (operation === null || !permitsHttp(definition, operation, asked))
      return fail(problemOf('egress_denied'));
    const place = placeOf(definition, operation, lend !== null);
    if (place === 'none')
      return fail(
        problemOf(
          'credential_unusable',
          'The action wants to be told who asks in a way that is not known here.',
        ),
      );
    const { isIdempotent, notDone } = operation;
    // What gives the service a new value acts, whatever the definition says of it: asked again, it may be refused.
    const acts = this.#options.next !== null || (!safeMethods.has(asked.method) && !isIdempotent);
    return ok({ place, acts, isAction: true, notDone });
  }

  async #connect({ protocol, hostname, port }: URL): ReturnType<Reach['tcp']> {
    const { tcp, tls } = this.#options.reach;
    const isTls = protocol === 'https:';
    const reached = await tcp(hostname, Number(port || (isTls ? 443 : 80)));
    return reached.ok && isTls ? tls(reached.value, hostname) : reached;
  }
}

/** Returns whether the definition documents that an answer like this says that nothing was done. */
function isDocumented(
  notDone: HttpOperation['notDone'] | undefined,
  status: number,
  headers: HttpResponse['headers'],
): boolean {
  const when = notDone?.get(status);
  return when === 'always' || (when === 'retry-after' && (headers['retry-after'] ?? '') !== '');
}
