import type { Operation } from '@countersign/protocol/vault/operation';
import type { RuleFinding } from '@countersign/protocol/vault/review';
import type { BeyondRequest } from '@countersign/review/beyond-facts';
import type { RequestFacts } from '@countersign/review/request/facts';
import type { SetOff } from '@countersign/review/request/put';
import { objectionsLeft } from '@countersign/review/request/objections-left';
import { rulesDigest } from '@countersign/review/rules-digest';
import canonicalize from 'canonicalize';
import type { Browser } from '../../browser/browser.ts';
import { actingOperations, type Sent } from '../../browser/sent.ts';
import { staysInPage, withoutFragment } from '../../browser/stays-in-page.ts';
import type { About } from '../about.ts';
import type { RefusedRequests } from '../refused-requests.ts';
import { type SessionWorker, WorkerFailed } from '../worker/session-worker.ts';
import type { Attempt } from './attempt.ts';
import { writes } from './hands.ts';
import type { Reviewed } from './reviewed.ts';

/** A request that an operation set off and that has not been sent. */
export type Stopped = {
  readonly id: string;
  readonly facts: RequestFacts;
  readonly rules: readonly RuleFinding[];
  /** Rules that object to it by its facts and do not count: it is the page's own, or a person agreed. */
  readonly waived: readonly string[];
  /** The findings among `rules` that the facts do not show. */
  readonly beyondFacts: readonly BeyondRequest[];
  /** What leaves with it. */
  readonly secrets: Sent['secrets'];
};

type Shown = Pick<Browser, 'currentUrl' | 'currentDocument'>;

type Objections = Pick<Stopped, 'facts' | 'rules' | 'waived'> & { readonly likeness: string | null };

type Working = {
  readonly attempt: Attempt;
  /** Kinds of acts that its review showed. */
  readonly shown: readonly string[];
  /** It was at a form that is taken for a log-in. */
  readonly isLogin: boolean;
  /** What that is called. */
  readonly names: readonly string[];
  /** It goes to a part of the page that is shown. */
  readonly isWithinPage: boolean;
  readonly stopped: Map<string, Stopped>;
};

/** Most requests of one operation that a person is asked about together, and of a session. */
const [maxOfOperation, maxHeld] = [4, 16];

/** These of a page's own are remembered. */
const maxOwn = 200;

const unknownWrite = 'request.unknown-write';
/** Who agreed to a click was not told of a secret. */
const fieldChanged = 'request.field-changed';

/** Judges the requests that a session's pages are about to send, under the operation that caused them. */
export class SentReview {
  readonly #about: About;
  readonly #worker: SessionWorker;
  readonly #refused: RefusedRequests;
  readonly #held: () => number;
  /** The facts of requests that were stopped, as text: a page loaded later may send them again by itself. */
  readonly #unsent = new Set<string>();
  /** Facts of the requests that a person was asked about, by id. */
  readonly #asked = new Map<string, string>();
  /** Writes that a page made of itself before an operation acted in it, with their values. */
  readonly #own = new Set<string>();
  /** Documents in which something was typed or chosen that belongs to no log-in: they may send it at any time. */
  readonly #typedIn = new Set<string | null>();
  #working: Working | null = null;
  /** The last operation that acted; what it set off may come when it has answered. */
  #last: Working | null = null;

  constructor(
    about: About,
    worker: SessionWorker,
    refused: RefusedRequests,
    /** Returns how many requests are waiting for a person. */
    held: () => number,
  ) {
    [this.#about, this.#worker, this.#refused, this.#held] = [about, worker, refused, held];
  }

  begin(attempt: Attempt, reviewed: Reviewed, browser: Shown): void {
    const { operation } = attempt;
    const { form, group } = reviewed.facts.target ?? {};
    const isLogin = (form?.purpose ?? group) === 'login';
    const isWithinPage = staysInPage(operation, browser.currentUrl());
    const names = reviewed.target?.names ?? [];
    this.#working = { attempt, shown: shownBy(reviewed), isLogin, names, isWithinPage, stopped: new Map() };
    if (isWithinPage || actingOperations.has(operation.operation_type)) this.#last = this.#working;
    if (!isLogin && writes(operation, reviewed.target)) this.#noteTyping(browser.currentDocument());
  }

  /** Marks requests as approved: pages may send them again by themselves. */
  agree(ids: readonly string[]): void {
    for (const id of ids) this.#unsent.delete(this.#asked.get(id) ?? '');
  }

  /** Ends the operation and returns the requests that were stopped during it. */
  end(): readonly Stopped[] {
    const stopped = [...(this.#working?.stopped.values() ?? [])];
    this.#working = null;
    return stopped;
  }

  /** Notes that a held request has gone away. Returns whether it belonged to the current operation. */
  lose(id: string): boolean {
    const stopped = this.#working?.stopped.get(id);
    if (stopped !== undefined) this.#working?.stopped.set(id, gone(stopped));
    return stopped !== undefined;
  }

  readonly judge = async (sent: Sent): Promise<'pass' | 'refuse' | 'ask'> => {
    const working = this.#working;
    // Where it goes was reviewed before; what the page that it opens then asks for was not.
    if (isDocument(sent) && sent.method === 'GET' && !sent.isHop && isWhereItGoes(sent, working))
      return 'pass';
    const objections = await this.#objectionsTo(sent, working).catch((error: unknown) => {
      if (error instanceof WorkerFailed) return null;
      throw error;
    });
    if (objections === null) return 'refuse';
    return this.#verdict(sent, working, objections);
  };

  #verdict(sent: Sent, working: Working | null, objections: Objections): 'pass' | 'refuse' | 'ask' {
    const { facts, rules, waived } = objections;
    if (rules.length === 0) return this.#passed(sent, working, objections);
    const what = textOf(facts);
    if (this.#isAsBefore(objections)) return 'pass';
    if (this.#unsent.size < maxOwn) this.#unsent.add(what);
    if (this.#asked.size < maxOwn) this.#asked.set(sent.id, what);
    const isAtWork = working !== null && working === this.#working && (isActing(working) || sent.isHop);
    return isAtWork
      ? this.#stop(working, { id: sent.id, facts, rules, waived, beyondFacts: [], secrets: sent.secrets })
      : this.#refuse(objections);
  }

  /** Nothing is said against it, but what was refused before is not sent by another page. */
  #passed({ isOwn }: Sent, working: Working | null, objections: Objections): 'pass' | 'refuse' {
    const what = textOf(objections.facts);
    if (working !== null && isActing(working) && working.attempt.approvedBy !== null)
      this.#unsent.delete(what);
    if (isOwn && this.#unsent.has(what)) return this.#refuse(objections);
    if (isOwn) this.#remember(objections.likeness);
    return 'pass';
  }

  /** Fails where the worker does: what is not judged is not sent. */
  async #objectionsTo(sent: Sent, working: Working | null): Promise<Objections> {
    const { task, approval } = this.#about;
    const { facts, judged, likeness } = await this.#worker.ask('request', {
      sent,
      about: { task, approval, isFromLogin: this.#isFromLogin(sent, working), setOff: this.#setOff() },
    });
    const isRefused = this.#unsent.has(textOf(facts));
    const waived = objectionsLeft(judged.rules, [])
      .map(({ rule }) => rule)
      .filter(
        (rule) =>
          // What a server sends on to is none of the page's own.
          (sent.isOwn && !sent.isHop && rule === unknownWrite) ||
          (isAgreed(rule, working) && !(isRefused && rule === unknownWrite)),
      );
    return { facts, rules: objectionsLeft(judged.rules, waived), waived, likeness };
  }

  /** The newest are remembered. */
  #noteTyping(document: string | null): void {
    const [oldest = null] = this.#typedIn;
    if (this.#typedIn.size >= maxOwn) this.#typedIn.delete(oldest);
    this.#typedIn.add(document);
  }

  #isFromLogin({ document }: Sent, working: Working | null): boolean {
    return (working ?? this.#last)?.isLogin === true && !this.#typedIn.has(document);
  }

  #setOff(): SetOff {
    const { attempt, isLogin = false, names = [] } = this.#last ?? {};
    return setOffBy(attempt?.operation.operation_type ?? 'wait', { isLogin, names });
  }

  #stop(working: Working, stopped: Stopped): 'refuse' | 'ask' {
    const isFull = working.stopped.size >= maxOfOperation || this.#held() + working.stopped.size >= maxHeld;
    const asks = this.#about.approval !== 'never' && !isDenied(stopped) && !isFull;
    const more = asks || isDenied(stopped) ? [] : [isFull ? tooMany : nobodyToAsk];
    if (working.stopped.size < maxOfOperation || !asks)
      working.stopped.set(working.stopped.size < maxOfOperation ? stopped.id : 'more', {
        ...stopped,
        rules: [...stopped.rules, ...more],
        beyondFacts: more.map(({ rule }) => rule),
      });
    return asks ? 'ask' : 'refuse';
  }

  #remember(likeness: string | null): void {
    if (likeness !== null && this.#own.size < maxOwn) this.#own.add(likeness);
  }

  /** A page goes on with what it did of itself, to the letter, whatever is done in it meanwhile. */
  #isAsBefore({ rules, likeness }: Objections): boolean {
    const isUnknown = rules.every(({ rule }) => rule === unknownWrite);
    return isUnknown && likeness !== null && this.#own.has(likeness);
  }

  /** Nobody waits for it any more, so nobody is asked. */
  #refuse({ facts, rules, waived }: Objections): 'refuse' {
    this.#refused.note('request.late', facts.address.url, {
      rulesDigest,
      request: facts,
      ...(waived.length > 0 && { waived }),
      ...(rules.length === 0 && { refusedBefore: true }),
    });
    return 'refuse';
  }
}

export const isDenied = ({ rules }: Stopped): boolean => rules.some(({ verdict }) => verdict === 'deny');

/** Going elsewhere sets off nothing that would have to be asked about; what a page then does of itself is its site's own. */
const isActing = ({ attempt: { operation }, isWithinPage }: Working): boolean =>
  isWithinPage || actingOperations.has(operation.operation_type) || operation.operation_type === 'wait';

const isDocument = ({ resource }: Sent): boolean => resource === 'document';

const isWhereItGoes = ({ url }: Sent, working: Working | null): boolean => {
  const operation = working?.attempt.operation;
  return (
    operation?.operation_type === 'navigate' && withoutFragment(operation.value) === withoutFragment(url)
  );
};

/** Gives the facts as text, whatever page sends the request. */
const textOf = (facts: RequestFacts): string => canonicalize({ ...facts, page: null }) ?? '';

/** A person who agreed to the operation agreed to what it showed, and to what no rule knows: as long as it is at work. */
const isAgreed = (rule: string, working: Working | null): boolean =>
  working !== null &&
  working.attempt.approvedBy !== null &&
  rule !== fieldChanged &&
  (rule === unknownWrite || working.shown.includes(rule.replace(/^request\./, '')));

/** What only fills in sends nothing; to a script a person has agreed, its source in view. */
export function setOffBy(type: Operation['operation_type'], by: SetOff): SetOff {
  if (type === 'execute_script') return { isLogin: true, names: [] };
  return type === 'click' || type === 'press' ? by : { isLogin: false, names: [] };
}

const shownBy = ({ facts, review }: Reviewed): string[] => [
  ...(facts.target?.sensitive ?? []),
  ...review.rules.flatMap(({ rule }) => /^(?:intent|sensitive|request)\.(.+)$/.exec(rule)?.[1] ?? []),
];

type Objection = RuleFinding & { readonly rule: BeyondRequest };

const tooMany: Objection = {
  rule: 'request.too-many',
  verdict: 'deny',
  message: 'Too many requests of this session are waiting for a person. Wait until they are decided.',
};

const nobodyToAsk: Objection = {
  rule: 'approval.never',
  verdict: 'deny',
  message: 'A person would have to agree, and this session asks nobody. Open one with approval auto.',
};

const goneRequest: Objection = {
  rule: 'request.gone',
  verdict: 'deny',
  message: 'The page navigated away before a person could be asked about its request. Repeat the operation.',
};

/** Whatever was said against it, that is all that counts now. */
const gone = (stopped: Stopped): Stopped => ({
  ...stopped,
  rules: [goneRequest],
  waived: [...new Set([...stopped.waived, ...stopped.rules.map(({ rule }) => rule)])],
  beyondFacts: [goneRequest.rule],
});
