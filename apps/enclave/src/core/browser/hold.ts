import type { Operation } from '@countersign/protocol/vault/operation';
import type { Secret } from './browser.ts';
import type { Driver } from './driver.ts';
import { isActivating } from './keys.ts';
import type { Located } from './locate.ts';
import { OperationFailed } from './problem.ts';

/** Longest time that a secret may stand in a page, in milliseconds. */
const longest = 60_000;

/** A secret that stands in a page itself: mode `dom`. */
type Held = { readonly target: Located; readonly secrets: readonly Secret[]; readonly timer: NodeJS.Timeout };

/** Keeps the page from being read from when a secret is typed until its form is gone. */
export class Hold {
  readonly #driver: () => Driver;
  #held: Held[] = [];
  /** Whether any page had a secret itself. */
  wasOn = false;

  constructor(driver: () => Driver) {
    this.#driver = driver;
  }

  get isOn(): boolean {
    return this.#held.length > 0;
  }

  /** Returns the secrets that stand in the page. A request may only go where all of them may be sent. */
  secrets(): Secret[] {
    return this.#held.flatMap(({ secrets }) => secrets);
  }

  begin(target: Located, secrets: readonly Secret[]): void {
    const held = { target, secrets, timer: setTimeout(() => void this.#clear(held), longest) };
    held.timer.unref();
    this.#held.push(held);
    this.wasOn = true;
  }

  /** The page may have sent them, in whatever shape: they count as sent. */
  tellSent(): void {
    for (const secret of this.secrets()) secret.onSent?.();
  }

  /** Lets through what sends the form away or leaves the page; everything else is `held`. */
  async check(operation: Operation, target: Located | null): Promise<void> {
    await this.#release();
    if (!this.isOn) return;
    const type = operation.operation_type;
    if (type === 'navigate' || type === 'wait') return;
    // What has the focus is the field.
    const isAtField = type === 'press' && operation.selector === undefined;
    const isInForm = acting.has(type) && target !== null && (await this.#isInForm(target));
    if (!isAtField && !isInForm) throw new OperationFailed('held');
    if (sendsForm(operation, target)) this.tellSent();
  }

  async checkReading(): Promise<void> {
    await this.#release();
    if (this.isOn) throw new OperationFailed('held');
  }

  /** Over for fields that are gone, with their document or alone. */
  async #release(): Promise<void> {
    const gone = await Promise.all(this.#held.map((one) => this.#isGone(one)));
    for (const [i, one] of this.#held.entries()) if (gone[i] === true) clearTimeout(one.timer);
    this.#held = this.#held.filter((_, i) => gone[i] !== true);
  }

  async #isGone({ target: { frame, loaderId, token } }: Held): Promise<boolean> {
    const now = this.#driver().frames.get(frame.id);
    if (now === null || now.loaderId !== loaderId) return true;
    return this.#driver().call(now, 'isEmpty', token);
  }

  async #isInForm({ frame, token }: Located): Promise<boolean> {
    const same = await Promise.all(
      this.#held.map(
        async (held) =>
          held.target.frame.id === frame.id &&
          (await this.#driver().call(frame, 'isSameForm', held.target.token, token)),
      ),
    );
    return same.every(Boolean);
  }

  /** A page that does not let go of it is left. */
  async #clear(held: Held): Promise<void> {
    const driver = this.#driver();
    try {
      if (!(await this.#isGone(held))) await driver.call(held.target.frame, 'clear', held.target.token);
    } catch {
      const { sessionId } = driver.page();
      driver.send(sessionId, 'Page.navigate', { url: 'about:blank' }).catch(() => undefined);
    }
    this.#held = this.#held.filter((one) => one !== held);
  }
}

const acting: ReadonlySet<string> = new Set(['click', 'press', 'fill', 'select']);

/** A button beside the field, or Enter in it: over a WebSocket nobody sees what is sent. */
const sendsForm = (operation: Operation, target: Located | null): boolean => {
  if (operation.operation_type === 'press') return isActivating(operation.value);
  const { tag = '', type = '' } = target?.target ?? {};
  const isField =
    /^(select|textarea|label)$/.test(tag) || (tag === 'input' && !/^(submit|button|image)$/.test(type));
  return operation.operation_type === 'click' && !isField;
};
