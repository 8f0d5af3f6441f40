import type { Slot } from './cdp/messages.ts';
import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import type { Chord, Key } from './keys.ts';

export type Point = { readonly x: number; readonly y: number };

/** A page that is busy takes no input. */
const inputLimit = 5000;

/** Mouse and keys, as trusted as those of a person. */
export class Input {
  readonly #driver: Driver;
  constructor(driver: Driver) {
    this.#driver = driver;
  }

  async moveTo({ x, y }: Point): Promise<void> {
    await this.#send('Input.dispatchMouseEvent', [{ type: 'mouseMoved', x, y }]);
  }

  async click({ x, y }: Point): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 };
    await this.#send('Input.dispatchMouseEvent', [
      { type: 'mouseMoved', x, y },
      { ...button, type: 'mousePressed', buttons: 1 },
      { ...button, type: 'mouseReleased' },
    ]);
  }

  async press({ key, modifiers, held }: Chord): Promise<void> {
    const down = (one: Key) => ({
      ...one,
      modifiers,
      type: one.text === undefined ? 'rawKeyDown' : 'keyDown',
    });
    const up = ({ key, code, windowsVirtualKeyCode }: Key) => ({
      type: 'keyUp',
      key,
      code,
      windowsVirtualKeyCode,
      modifiers,
    });
    const keys = [...held, key];
    await this.#send('Input.dispatchKeyEvent', [...keys.map(down), ...keys.toReversed().map(up)]);
  }

  /** Puts text where the cursor is, in place of what is selected. */
  async type(text: string): Promise<void> {
    await this.#send('Input.insertText', [{ text }]);
  }

  /** The same of bytes, escaped for JSON, which are wiped. */
  async typeBytes(value: Buffer): Promise<void> {
    const slot: Slot = { name: 'text', value };
    const { sessionId } = this.#driver.page();
    const typing = this.#driver.send(sessionId, 'Input.insertText', {}, { slot });
    await this.#driver.inTime(sessionId, inputLimit, typing);
  }

  /** A point of a frame as one of its page, and whether nothing lies over the frame there. */
  async inPage(frame: Frame, { x, y }: Point): Promise<Point & { readonly isOpen: boolean }> {
    const parent = frame.parentId === null ? null : this.#driver.frames.get(frame.parentId);
    if (parent === null) return { x, y, isOpen: true };
    const { sessionId } = parent;
    const executionContextId = await this.#driver.world(parent);
    const owner = await this.#driver.send<{ backendNodeId: number }>(sessionId, 'DOM.getFrameOwner', {
      frameId: frame.id,
    });
    const { object } = await this.#driver.send<{ object: { objectId: string } }>(
      sessionId,
      'DOM.resolveNode',
      { backendNodeId: owner.backendNodeId, executionContextId },
    );
    const outer = await this.#driver.callOn(parent, 'throughFrame', object.objectId, x, y);
    const point = await this.inPage(parent, outer);
    return { ...point, isOpen: point.isOpen && outer.isOpen };
  }

  /** All at once, in order. */
  async #send(method: string, events: readonly object[]): Promise<void> {
    const { sessionId } = this.#driver.page();
    const all = events.map((event) => this.#driver.send(sessionId, method, event));
    await this.#driver.inTime(sessionId, inputLimit, Promise.all(all));
  }
}
