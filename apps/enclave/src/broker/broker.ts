import { type Definition, definitions } from '@countersign/protocol/control/connector';
import type { ExecutionProblem } from '@countersign/protocol/control/execution';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Run } from '../connectors/connector.ts';
import { operationOf } from '../connectors/http/operation.ts';
import type { HttpAsk, QueryAnswer, QueryAsk } from '../connectors/messages.ts';
import { compose } from './compose.ts';
import { exchange, type HttpResponse } from './exchange.ts';
import type { Loan } from './loan.ts';
import { permitsHttp, permitsTool } from './permit.ts';
import { bytesIn, type Place, placeInTool, placeOf } from './place.ts';
import { problemOf } from './problem.ts';
import type { Reach } from './reach.ts';
import { isDatabaseUrl } from './secrets-in.ts';
import { Substituting } from './substitute.ts';

export type BrokerOptions = {
  readonly run: Run;
  readonly loan: Loan;
  readonly reach: Reach;
  /** Unix milliseconds by which the run is over. */
  readonly until: number;
  readonly now: () => number;
};

type Ruled = { readonly place: Place | null; readonly unsafe: boolean };

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The way out of one connector, which is not trusted: it sends what the approved action may send, puts the credential in,
 * and masks what comes back. What is refused is the end of the run.
 */
export class Broker {
  readonly #options: BrokerOptions;
  #sentUnsafe = false;
  #lastStatus: number | null = null;

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /** Whether something was sent that may have changed the service. */
  get sentUnsafe(): boolean {
    return this.#sentUnsafe;
  }

  /** Of HTTP, as the service answered last. */
  get lastStatus(): number | null {
    return this.#lastStatus;
  }

  async http(ask: HttpAsk, body: Buffer): Promise<Result<HttpResponse, ExecutionProblem>> {
    const ruled = this.#rule(ask, body);
    if (!ruled.ok) return ruled;
    const { place, unsafe } = ruled.value;
    const { run, loan } = this.#options;
    const credential = await this.#secretIn(place);
    if (!credential.ok) return credential;
    const secret = credential.value;
    const { decoy, ...request } = compose(ask, body, place, run);
    const reached = await this.#connect(new URL(ask.url));
    if (!reached.ok) {
      secret?.fill(0);
      return reached;
    }
    this.#sentUnsafe ||= unsafe;
    const stream = secret === null ? reached.value : new Substituting(reached.value, { decoy, secret });
    const answer = await exchange(stream, request);
    if (!answer.ok)
      return fail(
        answer.error === 'too_large'
          ? problemOf('answer_too_large')
          : problemOf(
              'target_unreachable',
              'The service ended the connection without an answer that can be read.',
            ),
      );
    const { status, headers, text } = answer.value;
    this.#lastStatus = status;
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
    return runQuery(statement, ask.values, this.#options, () => {
      this.#sentUnsafe ||= !statement.read_only;
    });
  }

  /** The credential as it stands in its place: to be wiped; null where none is wanted. */
  async #secretIn(place: Place | null): Promise<Result<Buffer | null, ExecutionProblem>> {
    if (place === null) return ok(null);
    const credential = await this.#options.loan.secret();
    // What opens a database is shown to no other service.
    const secret = credential === null || isDatabaseUrl(credential) ? null : bytesIn(place, credential);
    return secret === null ? fail(problemOf('credential_unusable')) : ok(secret);
  }

  /** What the definition says of a request; a refusal where it is not the approved action. */
  #rule(ask: HttpAsk, body: Buffer): Result<Ruled, ExecutionProblem> {
    const { run } = this.#options;
    const asked = { method: ask.method, url: new URL(ask.url) };
    if (run.type === 'mcp-tool') {
      const definition = definitions['mcp-tool'].parse(run.definition);
      const permitted = permitsTool(definition, run.action, asked, body);
      if (permitted === null) return fail(problemOf('egress_denied'));
      return ok({ place: run.lend === null ? null : placeInTool(definition), unsafe: permitted.calls });
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
    return ok({ place, unsafe: !safeMethods.has(asked.method) });
  }

  async #connect({ protocol, hostname, port }: URL): ReturnType<Reach['tcp']> {
    const { tcp, tls } = this.#options.reach;
    const isTls = protocol === 'https:';
    const reached = await tcp(hostname, Number(port || (isTls ? 443 : 80)));
    return reached.ok && isTls ? tls(reached.value, hostname) : reached;
  }
}
