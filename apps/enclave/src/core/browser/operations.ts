import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isUrl } from '@countersign/protocol/url';
import type { Operation } from '@countersign/protocol/vault/operation';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { ScriptReading } from '@countersign/review/script/read';
import type { Text } from './browser.ts';
import type { Driver } from './driver.ts';
import { fill } from './fill.ts';
import { Input } from './input.ts';
import { checkEdit } from './edited.ts';
import { edits, isActivating, movesText, readChord } from './keys.ts';
import type { Located } from './locate.ts';
import { isLocal } from './network.ts';
import { OperationFailed } from './problem.ts';
import { limits } from './limits.ts';
import { present } from './present.ts';
import { runInPage } from './script.ts';
import { need, pointOf, settle, type Stage } from './stage.ts';
import type { Target } from './targets.ts';

type Acting<T extends Operation['operation_type']> = {
  readonly operation: Extract<Operation, { operation_type: T }>;
} & Given;

export type Given = {
  readonly value: Text;
  readonly target: Located | null;
  /** The kind of script of an `execute_script`. */
  readonly script: ScriptReading | null;
};

type Acts = {
  readonly [T in Operation['operation_type']]: (stage: Stage, acting: Acting<T>) => Promise<unknown>;
};

/** Performs each kind of operation. Returns null unless the operation reads something. */
const acts: Acts = {
  async navigate({ driver, scope }, { value }) {
    await navigate(driver, scope, plainText(value));
    return null;
  },

  async click({ driver }, { target }) {
    await new Input(driver).click(await pointOf(driver, target, 'click'));
    await settle(driver);
    return null;
  },

  async fill(stage, { value, target }) {
    await fill(stage, need(target), value);
    return null;
  },

  async select({ driver, mask }, { value, target }) {
    const { frame, token } = need(target);
    await pointOf(driver, target, 'select');
    const wanted = await driver.call(frame, 'wantedText', token, plainText(value));
    // What cannot be read cannot be chosen: else each choice were a guess.
    const isRead = wanted !== null && isDeepStrictEqual(await mask(wanted, frame.url), wanted);
    if (!isRead) throw new OperationFailed('not_editable');
    if (!(await driver.call(frame, 'choose', token, plainText(value))))
      throw new OperationFailed('not_editable');
    await settle(driver);
    return null;
  },

  async press(stage, { operation, value, target }) {
    const { driver, findFocused } = stage;
    const chord = readChord(plainText(value));
    if (movesText(plainText(value))) throw new OperationFailed('not_permitted', moved);
    if (chord === null)
      throw new OperationFailed('not_editable', 'The value is not a key. Use a DOM key name, such as Enter.');
    if (operation.selector !== undefined) {
      await pointOf(driver, target, 'focus');
      const hasFocus = await driver.call(need(target).frame, 'focus', need(target).token);
      // It would go to something else.
      if (!hasFocus && isActivating(operation.value)) throw new OperationFailed('not_editable');
    } else if (isActivating(operation.value) && !isSame(target, await findFocused()))
      throw new OperationFailed('interrupted');
    if (edits(chord)) await checkEdit(stage, chord.key.key);
    await new Input(driver).press(chord);
    await settle(driver);
    return null;
  },

  async hover({ driver }, { target }) {
    await new Input(driver).moveTo(await pointOf(driver, target, 'hover'));
    await settle(driver);
    return null;
  },

  async scroll({ driver }, { target }) {
    await pointOf(driver, target, 'scroll');
    return null;
  },

  async wait({ find }, { operation: { selector = '', value } }) {
    if (value !== undefined) await sleep(value);
    else if ((await find(selector, false, limits.waiting))?.visible !== true)
      throw new OperationFailed('timeout');
    return null;
  },

  async extract({ mirror }, { target }) {
    return mirror.text(need(target).place);
  },

  async execute_script(stage, { value, script }) {
    const { driver, mirror } = stage;
    if (script?.kind === 'acts') return runInPage(driver, plainText(value));
    if (script?.kind !== 'presents') return mirror.run(plainText(value));
    const secrets = value.filter((part) => typeof part !== 'string');
    return mirror.run(script.rest, await present(stage, script.requests, secrets));
  },
};

/** Returns whether the focus is where it was, on what it was on. */
const isSame = (seen: Located | null, now: Located | null): boolean =>
  seen?.frame.id === now?.frame.id &&
  seen?.loaderId === now?.loaderId &&
  seen?.token === now?.token &&
  seen?.gist === now?.gist;

export function act(stage: Stage, operation: Operation, given: Given): Promise<unknown> {
  const perform = acts[operation.operation_type] as (stage: Stage, acting: object) => Promise<unknown>;
  return perform(stage, { operation, ...given });
}

/** Goes to an address and waits until the page has loaded. */
export async function navigate(driver: Driver, scope: readonly UrlPattern[], url: string): Promise<void> {
  if (!isUrl(url))
    throw new OperationFailed(
      'navigation_failed',
      'The value is not a complete URL. Start it with https://.',
    );
  if (!/^https?:$/.test(new URL(url).protocol) && !isLocal(url)) throw new OperationFailed('out_of_scope');
  if (!isLocal(url) && !allowsUrl(scope, url)) throw new OperationFailed('out_of_scope');
  const page = driver.page();
  const { sessionId, targetId } = page;
  let [isLeft, isLate] = [false, false];
  const going = async (): Promise<void> => {
    const navigating = driver.navigate(url);
    const begun = driver.loading.untilRequested(targetId).then(() => true);
    await leave(driver, page, Promise.race([begun, navigating.then(() => true)]), () => !isLate);
    const { errorText, loaderId } = await navigating;
    if (errorText === 'net::ERR_BLOCKED_BY_CLIENT') throw new OperationFailed('out_of_scope');
    if (errorText !== undefined && errorText !== '')
      throw new OperationFailed('navigation_failed', failure(errorText));
    if (loaderId === undefined) return;
    await leave(driver, page, driver.loading.untilCommitted(targetId, loaderId), () => !isLate);
    isLeft = true;
    await driver.loading.untilLoaded(targetId, loaderId);
  };
  try {
    await driver.inTime(sessionId, limits.navigation, going());
  } catch (error) {
    isLate = true;
    driver.loading.clearPending(targetId);
    driver.send(sessionId, 'Page.stopLoading').catch(() => undefined);
    // One that does not answer may be what keeps the browser too busy for another.
    if (!isLeft) await leave(driver, page, driver.hasAnswered(page));
    throw error;
  }
}

/**
 * Waits for a step that the page that is left can hold up or prevent for ever: by a script that runs when it is left, by
 * dialogs that nobody can answer then, by going elsewhere first. Such a page is closed, if that is still waited for.
 */
async function leave(
  driver: Driver,
  page: Target,
  step: Promise<boolean>,
  isWaited: () => boolean = () => true,
): Promise<void> {
  const isDone = await Promise.race([step, sleep(limits.leaving, false, { ref: false })]);
  if (isDone || !isWaited()) return;
  await driver.abandon(page);
  throw new OperationFailed(
    'interrupted',
    'The page did not let itself be left, and was closed: navigate again.',
  );
}

const moved = 'Keys that copy, cut, paste or undo are not pressed: fill in what is to stand there.';

/** Chromium's own name of what went wrong. */
const failure = (errorText: string): string =>
  `The page could not be loaded (${/^net::ERR_[A-Z_]+/.exec(errorText)?.[0] ?? 'unknown'}): check the address, and whether the site answers.`;

/** Gives the text of an operation that takes no credential. */
function plainText(value: Text): string {
  const parts = value.filter((part) => typeof part === 'string');
  if (parts.length < value.length) throw new OperationFailed('not_permitted');
  return parts.join('');
}
