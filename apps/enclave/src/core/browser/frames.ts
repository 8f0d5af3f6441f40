import type { CdpEvent, Connection } from './cdp/connection.ts';
import type { FrameInfo, FrameTree } from './protocol.ts';

/** A document's place in a page. */
export type Frame = {
  readonly id: string;
  readonly parentId: string | null;
  /** The debugging session of the process that shows it. */
  sessionId: string;
  /** Identifies the committed document; it changes with each navigation, but not for a same-document one. */
  loaderId: string;
  url: string;
  /** The isolated world that we created in this document; null until it is needed. */
  world: Promise<number> | null;
};

/** The frames of every page. */
export class Frames {
  readonly #connection: Connection;
  readonly #byId = new Map<string, Frame>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(id: string): Frame | null {
    return this.#byId.get(id) ?? null;
  }

  /** Returns the main frame of the page that contains this one; null if it is unknown. */
  top(id: string): Frame | null {
    let frame = this.get(id);
    while (frame !== null && frame.parentId !== null) frame = this.get(frame.parentId);
    return frame;
  }

  /** Returns the frame and its descendants, parents first. */
  within(id: string): Frame[] {
    const frame = this.#byId.get(id);
    if (frame === undefined) return [];
    const children = [...this.#byId.values()].filter(({ parentId }) => parentId === id);
    return [frame, ...children.flatMap((child) => this.within(child.id))];
  }

  /** Reads the frame tree of a target that was just attached. */
  async learn(sessionId: string, parentId: string | null): Promise<void> {
    const { frameTree } = await this.#connection.send<{ frameTree: FrameTree }>(
      'Page.getFrameTree',
      {},
      { sessionId },
    );
    const take = (tree: FrameTree, above: string | null): void => {
      this.#set(tree.frame, sessionId, above);
      for (const child of tree.childFrames ?? []) take(child, tree.frame.id);
    };
    take(frameTree, frameTree.frame.parentId ?? parentId);
  }

  hear({ method, params, sessionId }: CdpEvent): void {
    if (sessionId === undefined) return;
    if (method === 'Page.frameAttached') {
      const { frameId, parentFrameId } = params as { frameId: string; parentFrameId: string };
      this.#set({ id: frameId, loaderId: '', url: '' }, sessionId, parentFrameId);
    } else if (method === 'Page.frameNavigated') {
      const { frame } = params as { frame: FrameInfo };
      this.#set(frame, sessionId, frame.parentId ?? this.#byId.get(frame.id)?.parentId ?? null);
    } else if (method === 'Page.navigatedWithinDocument') {
      const { frameId, url } = params as { frameId: string; url: string };
      const frame = this.#byId.get(frameId);
      if (frame !== undefined) frame.url = url;
    } else if (method === 'Page.frameDetached') {
      const { frameId, reason } = params as { frameId: string; reason: string };
      if (reason !== 'swap') this.#remove(frameId, sessionId);
    }
  }

  /** Drops the frames of a detached session. A frame that was swapped into another process stays. */
  forget(sessionId: string): void {
    for (const [id, frame] of this.#byId) if (frame.sessionId === sessionId) this.#byId.delete(id);
  }

  #set(info: FrameInfo, sessionId: string, parentId: string | null): Frame {
    const known = this.#byId.get(info.id);
    if (known === undefined) {
      const { id, loaderId, url } = info;
      const frame: Frame = { id, parentId, sessionId, loaderId, url, world: null };
      this.#byId.set(id, frame);
      return frame;
    }
    if (known.loaderId !== info.loaderId || known.sessionId !== sessionId) known.world = null;
    if (info.loaderId !== '') [known.loaderId, known.url] = [info.loaderId, info.url];
    known.sessionId = sessionId;
    return known;
  }

  #remove(frameId: string, sessionId: string): void {
    for (const frame of this.within(frameId)) if (frame.sessionId === sessionId) this.#byId.delete(frame.id);
  }
}
