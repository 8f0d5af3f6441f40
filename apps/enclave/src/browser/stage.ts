import type { UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Fills } from './decoy/fills.ts';
import type { Driver } from './driver.ts';
import type { Readiness } from './in-page/actions.ts';
import { Input, type Point } from './input.ts';
import type { Hold } from './hold.ts';
import type { Located } from './locate.ts';
import { OperationFailed, within } from './problem.ts';

/** In milliseconds. */
export const limits = {
  element: 5000,
  navigation: 30_000,
  /** Until a page lets itself be left, and again until it has been. */
  leaving: 8000,
  waiting: 30_000,
  settling: 10_000,
  script: 10_000,
} as const;

export type Stage = {
  readonly driver: Driver;
  readonly fills: Fills;
  readonly hold: Hold;
  readonly scope: readonly UrlPattern[];
  /** Fails as `held` while a secret stands in the page. */
  readonly checkShown: () => Promise<void>;
  /** The first visible element that matches in any frame within scope, waited for so many milliseconds. */
  readonly find: (selector: string, isRead: boolean, limit: number) => Promise<Located | null>;
};

/** Most that `extract` answers, in characters. */
export const mostText = 1024 * 1024;

export function need(target: Located | null): Located {
  if (target === null) throw new OperationFailed('no_such_element');
  return target;
}

/** What lies over a frame lies over these. */
const aimed: ReadonlySet<Readiness> = new Set(['click', 'hover', 'fill']);

/** Waits until the element can be acted on; where it is then, in the page. */
export async function pointOf(driver: Driver, target: Located | null, how: Readiness): Promise<Point> {
  const { frame, token, gist, loaderId } = need(target);
  if (frame.loaderId !== loaderId) throw new OperationFailed('interrupted');
  const ready = await driver.call(frame, 'ready', token, gist, how, limits.element);
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

/** Where an operation has made the page go somewhere, waits until it is there. Late is not wrong. */
export async function settle(driver: Driver): Promise<void> {
  const settling = async (): Promise<void> => {
    const frame = driver.mainFrame();
    // What the page does of itself after an event comes before the answer to this.
    await driver.send(frame.sessionId, 'Runtime.evaluate', { expression: '0' });
    const { targetId } = driver.page();
    await Promise.all(driver.frames.within(targetId).map(({ id }) => driver.loading.untilIdle(id)));
  };
  try {
    await within(limits.settling, settling());
  } catch {
    // The page is on its way, or gone: what is asked of it next will tell.
  }
}
