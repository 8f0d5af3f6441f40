import type { UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Fills } from './decoy/fills.ts';
import type { Driver } from './driver.ts';
import type { Readiness } from './in-page/actions.ts';
import { Input, type Point } from './input.ts';
import type { Hold } from './hold.ts';
import { limits } from './limits.ts';
import type { Located } from './locate.ts';
import type { Mirror } from './mirror/mirror.ts';
import { OperationFailed, within } from './problem.ts';
import type { PutFields } from './put-fields.ts';
import type { SentRequests } from './sent.ts';

export type Stage = {
  readonly driver: Driver;
  readonly fills: Fills;
  readonly hold: Hold;
  readonly sent: SentRequests;
  readonly put: PutFields;
  readonly scope: readonly UrlPattern[];
  readonly mirror: Mirror;
  /** Takes secrets out of texts of a page at `url`, each by itself. */
  readonly mask: (texts: readonly string[], url: string) => Promise<readonly string[]>;
  /** The first visible element that matches in any frame within scope, waited for so many milliseconds. */
  readonly find: (
    selector: string,
    isRead: boolean,
    limit: number,
    aim?: Located['aim'],
  ) => Promise<Located | null>;
  /** Returns whether the page shows a secret now, anywhere. */
  readonly showsSecret: () => Promise<boolean>;
  /** Finds the focused element, in any frame within scope. */
  readonly findFocused: () => Promise<Located | null>;
};

export function need(target: Located | null): Located {
  if (target === null) throw new OperationFailed('no_such_element');
  return target;
}

/** Operations that anything lying over the element's frame would intercept. */
const aimed: ReadonlySet<Readiness> = new Set(['click', 'hover', 'fill']);

/** Waits until the element can be acted on; where it is then, in the page. */
export async function pointOf(driver: Driver, target: Located | null, how: Readiness): Promise<Point> {
  const { frame, token, gist, aim, loaderId } = need(target);
  if (frame.loaderId !== loaderId) throw new OperationFailed('interrupted');
  const ready = await driver.call(frame, 'ready', token, gist, aim, how, limits.element);
  if (typeof ready !== 'string') {
    const finding = new Input(driver).inPage(frame, ready);
    const point = await driver.inTime(frame.sessionId, limits.element, finding);
    if (!point.isOpen && aimed.has(how)) throw new OperationFailed('not_visible');
    return point;
  }
  switch (ready) {
    case 'gone':
    case 'changed':
      throw new OperationFailed('interrupted');
    case 'disabled':
    case 'not_editable':
      throw new OperationFailed('not_editable');
    case 'not_visible':
    case 'moving':
    case 'covered':
      throw new OperationFailed('not_visible');
  }
}

/** Waits until a navigation that the operation started has committed. Running out of time is not an error. */
export async function settle(driver: Driver): Promise<void> {
  const settling = async (): Promise<void> => {
    const frame = driver.mainFrame();
    // What the page does of itself after an event comes before the answer to this.
    await driver.send(frame.sessionId, 'Runtime.evaluate', { expression: '0' });
    // A window that it has opened is the page from then on.
    await driver.opened();
    const { targetId } = driver.page();
    await Promise.all(driver.frames.within(targetId).map(({ id }) => driver.loading.untilIdle(id)));
  };
  try {
    await within(limits.settling, settling());
  } catch {
    // The page is on its way, or gone: what is asked of it next will tell.
  }
}
