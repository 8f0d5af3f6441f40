import { CdpError, type CdpEvent, type Connection } from './cdp/connection.ts';
import type { TargetInfo } from './protocol.ts';

/** Something of the browser with a debugging session of its own. */
export type Target = {
  readonly sessionId: string;
  readonly targetId: string;
  readonly type: string;
  readonly openerId: string | null;
  /** The session it was found by; null for the browser's own. */
  readonly parent: string | null;
  /** True for the mirror: it has a browser context of its own and shows no site's page. */
  readonly isMirror: boolean;
};

export type TargetListener = {
  /** Sends what a target needs before it may run; it waits for that, and is let go afterwards. */
  readonly prepare: (target: Target) => void;
  /** Sends what keeps one that is turned away from asking for anything; a script of ours in it would be ended in its opener's stead. */
  readonly mute: (target: Target) => void;
  readonly attached: (target: Target) => void;
  readonly detached: (target: Target) => void;
};

/** Pages beside the first: more are closed as they come. */
const maxPages = 6;
/** Workers and frames of other sites; more are left waiting for ever. */
const maxTargets = 200;

const autoAttach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Every page, frame, worker and popup, attached to before it runs. */
export class Targets {
  readonly #connection: Connection;
  readonly #listener: TargetListener;
  readonly #bySession = new Map<string, Target>();
  #mirrorContext: Promise<string> | null = null;
  #mirrorContextId: string | null = null;

  constructor(connection: Connection, listener: TargetListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** Resolves once every target there was is attached to. */
  async begin(): Promise<void> {
    await this.#connection.send('Target.setAutoAttach', autoAttach);
  }

  get(sessionId: string | undefined): Target | null {
    return this.#bySession.get(sessionId ?? '') ?? null;
  }

  /** Those of sites. */
  pages(): Target[] {
    return [...this.#bySession.values()].filter(({ type, isMirror }) => type === 'page' && !isMirror);
  }

  /** A page in the mirror's own context, which is no page of a site; its target once it is attached to. */
  async openMirror(): Promise<Target> {
    this.#mirrorContext ??= this.#connection
      .send<{ browserContextId: string }>('Target.createBrowserContext', { disposeOnDetach: true })
      .then(({ browserContextId }) => browserContextId);
    const browserContextId = await this.#mirrorContext;
    this.#mirrorContextId = browserContextId;
    const { targetId } = await this.#connection.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    });
    // Attached to before it is answered, since it waits for the debugger.
    const opened = [...this.#bySession.values()].find((target) => target.targetId === targetId);
    if (opened === undefined) throw new CdpError('gone', 'the mirror did not open');
    return opened;
  }

  /** Returns whether the event was about targets. */
  hear({ method, params, sessionId }: CdpEvent): boolean {
    if (method === 'Target.attachedToTarget') {
      const attached = params as { sessionId: string; targetInfo: TargetInfo };
      this.#attach(attached.sessionId, attached.targetInfo, sessionId ?? null);
      return true;
    }
    if (method === 'Target.detachedFromTarget') {
      this.#detach((params as { sessionId: string }).sessionId);
      return true;
    }
    return method.startsWith('Target.');
  }

  close(target: Target): void {
    this.#later('Target.closeTarget', { targetId: target.targetId });
  }

  /** Sends without waiting; what a target that is gone says does not matter. */
  #later(method: string, params: object, sessionId?: string): void {
    this.#connection.send(method, params, { sessionId }).catch(() => undefined);
  }

  #attach(sessionId: string, info: TargetInfo, parent: string | null): void {
    const { targetId, type } = info;
    const isMirror = info.browserContextId !== undefined && info.browserContextId === this.#mirrorContextId;
    const target = { sessionId, targetId, type, openerId: info.openerId ?? null, parent, isMirror };
    const isTooMany =
      !isMirror &&
      (this.#bySession.size >= maxTargets || (type === 'page' && this.pages().length >= maxPages));
    const isOfTurnedAway = parent !== null && this.get(parent) === null;
    // Never let run. A worker of a page goes when the page does.
    if (type === 'service_worker' || info.subtype === 'prerender' || isOfTurnedAway)
      return this.close(target);
    if (isTooMany) return this.#turnAway(target);
    this.#bySession.set(sessionId, target);
    this.#listener.prepare(target);
    this.#later('Target.setAutoAttach', autoAttach, sessionId);
    this.#later('Runtime.runIfWaitingForDebugger', {}, sessionId);
    this.#listener.attached(target);
  }

  /**
   * Closes it, and ends the script that opens pages without end. One that were closed while it waits would hold up its
   * opener for ever; so it is let run, with nothing that it asks for answered.
   */
  #turnAway(target: Target): void {
    const opener = this.pages().find(({ targetId }) => targetId === target.openerId);
    if (opener !== undefined) {
      this.#listener.mute(target);
      this.#later('Target.setAutoAttach', autoAttach, target.sessionId);
      this.#later('Runtime.runIfWaitingForDebugger', {}, target.sessionId);
      this.#later('Runtime.terminateExecution', {}, opener.sessionId);
    }
    this.close(target);
  }

  #detach(sessionId: string): void {
    const target = this.#bySession.get(sessionId);
    this.#connection.forget(sessionId);
    if (target === undefined) return;
    this.#bySession.delete(sessionId);
    this.#listener.detached(target);
  }
}
