import type { Slot } from './cdp/messages.ts';
import type { Driver } from './driver.ts';
import type { Frame } from './frames.ts';
import type { Chord, Key } from './keys.ts';
import { within } from './problem.ts';

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
    await within(inputLimit, this.#driver.send(sessionId, 'Input.insertText', {}, { slot }));
  }

  /** A point of a frame as one of its page. */
  async inPage(frame: Frame, { x, y }: Point): Promise<Point> {
    if (frame.parentId === null) return { x, y };
    const parent = this.#driver.frames.get(frame.parentId);
    if (parent === null) return { x, y };
    const { sessionId } = parent;
    const owner = await this.#driver.send<{ backendNodeId: number }>(sessionId, 'DOM.getFrameOwner', {
      frameId: frame.id,
    });
    const { model } = await this.#driver.send<{ model: { content: readonly number[] } }>(
      sessionId,
      'DOM.getBoxModel',
      { backendNodeId: owner.backendNodeId },
    );
    const [left = 0, top = 0] = model.content;
    return this.inPage(this.#rootOf(parent), { x: left + x, y: top + y });
  }

  /** Boxes are told from the outermost frame of the same process. */
  #rootOf(frame: Frame): Frame {
    const parent = frame.parentId === null ? null : this.#driver.frames.get(frame.parentId);
    return parent === null || parent.sessionId !== frame.sessionId ? frame : this.#rootOf(parent);
  }

  /** All at once, in order. */
  async #send(method: string, events: readonly object[]): Promise<void> {
    const { sessionId } = this.#driver.page();
    const all = events.map((event) => this.#driver.send(sessionId, method, event));
    await within(inputLimit, Promise.all(all));
  }
}
