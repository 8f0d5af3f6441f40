import type { CopyPage } from '../../browser/mirror/mirror.ts';
import type { Paint } from '../../browser/png.ts';
import type { FindBoxes, ShowsSecret } from '../../browser/secret-boxes.ts';
import { OperationFailed } from '../../browser/problem.ts';
import { type SessionWorker, WorkerFailed } from './session-worker.ts';

/** Copies pages in the session's worker. */
export const copyWith =
  (worker: SessionWorker): CopyPage =>
  (request) =>
    looked(() => worker.ask('copy', request));

/** Looks for secrets in pictures of pages in the session's worker. */
export const boxesWith =
  (worker: SessionWorker): FindBoxes =>
  (snapshots, isGiven) =>
    looked(() => worker.ask('boxes', { snapshots, isGiven }));

/** Looks whether a page shows a secret in the session's worker. */
export const showsWith =
  (worker: SessionWorker): ShowsSecret =>
  (snapshots) =>
    looked(() => worker.ask('shows', { snapshots }));

/** Paints over in the session's worker. */
export const paintWith =
  (worker: SessionWorker): Paint =>
  async (png, boxes, colour) => {
    const painted = await looked(() => worker.ask('paint', { png, boxes, ...(colour && { colour }) }));
    return painted === null ? null : Buffer.from(painted);
  };

async function looked<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof WorkerFailed)) throw error;
    if (error.why === 'threw' && error.threw === 'PageTooLarge')
      throw new OperationFailed(
        'not_permitted',
        'The page has more elements than are read: navigate elsewhere.',
      );
    throw new OperationFailed(
      'timeout',
      'To look at the page took too much time or memory: navigate elsewhere.',
    );
  }
}
