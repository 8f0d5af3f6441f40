import { inSpan } from '@countersign/service/trace';
import type { ArgumentFault } from '../downstream/arguments.ts';
import type { KnownTool } from '../downstream/known-tools.ts';
import type { ReadResult } from '../downstream/read-result.ts';
import type { Sending, ServiceConnection } from '../downstream/service-connection.ts';
import { isOfferedForAnotherAddress } from '../downstream/offered-elsewhere.ts';
import { readTool, type ReadTool, type ToolListing } from '../downstream/tool-list.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import { Host, type Send } from './host.ts';
import type { Misleading } from '../rules/call-outcome.ts';
import { isFault, type Operation, type Prepared, prepare } from './operation.ts';
import { isForAnotherOperation } from './other-operation.ts';
import { whyNotOurs } from './challenged-elsewhere.ts';
import { paymentHeaders } from './payment-headers.ts';
import type { Answer } from './ask.ts';
import { answerLimit, isReadable, readAnswer } from './read-answer.ts';
import { isNoRight, type SignIn, signInHeaders } from './sign-in.ts';
import type { DocumentReader } from './documents/read-text.ts';
import { type Offers, readOffers } from './read-offers.ts';
import type { HttpServiceSetting } from './settings.ts';

/** Connects to an HTTP service: reads what it offers, or throws. */
export async function connectHttp(
  setting: HttpServiceSetting,
  timeoutMs: number,
  means: Means,
): Promise<ServiceConnection> {
  const { described, called } = hostsOf(setting, means.by);
  const hosts = new Set([described, called]);
  const close = async (): Promise<void> => void (await Promise.all([...hosts].map((host) => host.close())));
  try {
    const first = await readOffers(setting, described, timeoutMs, means.readDocument);
    return new HttpConnection(setting, first, { described, called }, means);
  } catch (error) {
    await close();
    throw error;
  }
}

/** A connection's dependencies. */
export type Means = {
  readonly signIn: SignIn | null;
  /** Hosts that its offers and challenges may name beside the one that is called. */
  readonly offerHosts: readonly string[];
  /** The clock by which challenges of MPP are read; null: they are not. */
  readonly challengesAt: (() => number) | null;
  /** How calls are sent; null: directly. */
  readonly by: Send | null;
  readonly readDocument: DocumentReader;
};

type Hosts = { readonly described: Host; readonly called: Host };

/** A document is read as anybody reads it: a credential goes along with calls alone. */
function hostsOf(setting: HttpServiceSetting, by: Send | null): Hosts {
  const called = new Host((setting.kind === 'openapi' ? setting.server : null) ?? setting.url, by);
  const isOne = setting.kind === 'endpoint' || (by === null && called.origin === setting.url.origin);
  return { described: isOne ? called : new Host(setting.url), called };
}

/** There is no session: it is open until it is given up. */
class HttpConnection implements ServiceConnection {
  readonly transport = 'http';
  readonly name: string | null;
  readonly instructions: string | null;
  readonly #setting: HttpServiceSetting;
  readonly #hosts: Hosts;
  readonly #means: Means;
  /** The offers read when connecting, until they are first requested. */
  #fresh: Offers | null;

  constructor(setting: HttpServiceSetting, first: Offers, hosts: Hosts, means: Means) {
    this.#means = means;
    this.#setting = setting;
    this.#hosts = hosts;
    this.#fresh = first;
    this.name = first.name ?? setting.serviceId;
    this.instructions = first.instructions;
  }

  async readTools(timeoutMs: number): Promise<ToolListing> {
    const read = this.#fresh ?? (await this.#readOffers(timeoutMs));
    const { offers, leftOut, elsewhere } = read;
    // What is posted is never asked.
    this.#fresh = isAsked(this.#setting) ? null : read;
    const tools = new Map<string, ReadTool>();
    for (const { definition, operation } of offers) {
      const tool = readTool(definition);
      if (tool === null) continue;
      tools.set(tool.listed.name, { ...tool, operation, check: (args) => faultIn(operation, args) });
    }
    return { tools, leftOut: leftOut + offers.length - tools.size, elsewhere };
  }

  /**
   * Checks that a connection is possible. An endpoint that is never asked for its offers is not asked here
   * either.
   */
  async probe(timeoutMs: number): Promise<void> {
    if (isAsked(this.#setting)) await this.#readOffers(timeoutMs);
    else await this.#hosts.called.reach(timeoutMs);
  }

  #readOffers(timeoutMs: number): Promise<Offers> {
    return readOffers(this.#setting, this.#hosts.described, timeoutMs, this.#means.readDocument);
  }

  send(call: ToolCall, sending: Sending): Promise<ReadResult> {
    const span = call.span.child(`${call.serviceId} ${call.toolName}`, 'client', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.toolName,
      'countersign.service.id': call.serviceId,
      'countersign.payment.sent': sending.payment !== null,
    });
    return inSpan(
      span,
      () => this.#send(call, sending, span.traceparent),
      ({ outcome }) => ({ attributes: { 'countersign.outcome': outcome.kind } }),
    );
  }

  async #send(call: ToolCall, sending: Sending, traceparent: string): Promise<ReadResult> {
    const { signal, payment } = sending;
    // Perhaps after a redirect: the payment goes to what asked for it, and nowhere else.
    const prepared = payment === null ? preparedFor(call, sending) : (payment.asked as Prepared | undefined);
    if (prepared === undefined)
      return { outcome: { kind: 'unavailable', failure: { reason: 'closed' } }, asksIn: null };
    const { called } = this.#hosts;
    const paying = payment === null ? {} : paymentHeaders(payment.payload);
    const whole = withHeaders(prepared, { traceparent, ...paying });
    const { answer, request } =
      payment === null
        ? await called.ask(whole, signal, answerLimit)
        : { answer: await called.send(whole, signal, answerLimit), request: prepared };
    const read = this.#read(answer, request, sending);
    const mayAsk = payment === null && call.dryRun !== true;
    return (mayAsk ? await this.#byRight(read, request, sending, call) : null) ?? read;
  }

  #read(answer: Answer, request: Prepared, sending: Sending): ReadResult {
    const paid = sending.payment?.payload ?? null;
    if (answer.cut === 'late' && !isReadable(answer, paid)) throw new Error('no answer in time');
    const { origin } = this.#hosts.called;
    const { challengesAt } = this.#means;
    const read = readAnswer(answer, origin + request.path.replace(/\?.*$/, ''), { paid, challengesAt });
    return this.#misleading(read, request, sending) ?? { ...read, asked: request };
  }

  /**
   * Asks once for what was already paid for, by signing in. Null if there is no such right: then the price
   * stands.
   */
  async #byRight(
    { outcome }: ReadResult,
    request: Prepared,
    sending: Sending,
    call: ToolCall,
  ): Promise<ReadResult | null> {
    const { signIn } = this.#means;
    if (signIn === null || outcome.kind !== 'payment-required') return null;
    const { called } = this.#hosts;
    const { requirement } = outcome;
    if (await call.wasPaid?.()) return null;
    const proof = await signInHeaders(requirement, called.origin, signIn, call.span);
    if (proof === null) return null;
    const answer = await called.send(withHeaders(request, proof), sending.signal, answerLimit);
    if (isNoRight(answer.status)) return null;
    const read = this.#read(answer, request, sending);
    return {
      ...read,
      outcome: read.outcome.kind === 'result' ? { ...read.outcome, byRight: requirement } : read.outcome,
    };
  }

  /** Returns what is wrong with a price for something other than what was called; null if nothing is. */
  #misleading({ outcome }: ReadResult, asked: Prepared, { tool, tools }: Sending): ReadResult | null {
    if (outcome.kind !== 'payment-required') return null;
    const { requirement } = outcome;
    const { path } = asked;
    const { origin } = this.#hosts.called;
    const hosts = [new URL(origin).host, ...this.#means.offerHosts];
    const { credential } = this.#setting;
    const why = whyNotOurs(requirement, { hosts, body: asked.body, credential });
    if (why !== null) return misleading(why);
    if (isOfferedForAnotherAddress(requirement, { hosts, path })) return misleading('offered-elsewhere');
    if (tool === undefined) return null;
    const operations = [...tools.values()].map(operationOf);
    return isForAnotherOperation(requirement, operationOf(tool), operations, origin) ? misleading() : null;
  }

  /** It is asked now and then: an HTTP service does not tell. */
  onToolsChanged(): void {}

  onClose(): void {}

  async retire(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.#hosts))].map((host) => host.retire()));
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.#hosts))].map((host) => host.close()));
  }
}

const misleading = (why?: Misleading): ReadResult => ({
  outcome: { kind: 'requirement-malformed', content: [], why },
  asksIn: null,
});

const isAsked = (setting: HttpServiceSetting): boolean =>
  setting.kind === 'openapi' || (setting.method === 'GET' && setting.inputSchema === null);

/** The tools of an HTTP service were all read here. */
const operationOf = (tool: KnownTool): Operation => tool.operation as Operation;

/** Undefined for a tool that nobody judged. */
function preparedFor(call: ToolCall, { tool }: Sending): Prepared | undefined {
  const prepared = tool && prepare(operationOf(tool), call.arguments);
  return prepared === undefined || isFault(prepared) ? undefined : prepared;
}

const withHeaders = (prepared: Prepared, more: Readonly<Record<string, string>>): Prepared => ({
  ...prepared,
  headers: { ...prepared.headers, ...more },
});

function faultIn(operation: Operation, args: object): ArgumentFault | null {
  const prepared = prepare(operation, args as Readonly<Record<string, unknown>>);
  return isFault(prepared) ? prepared : null;
}
