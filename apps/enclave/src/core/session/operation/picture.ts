import type { Session } from '../session.ts';
import type { Attempt } from './attempt.ts';

/**
 * What a person is shown who is asked about an operation: the page as it is now, its target outlined. Null for a page that
 * gives no picture, which keeps nobody from deciding.
 */
export async function pictureOf(
  session: Session,
  warn: (what: string, why: unknown) => void,
  { operation }: Attempt,
): Promise<Buffer | null> {
  try {
    const taken = await session.ending.before(session.browser.outlined(operation));
    return taken !== 'over' && taken.ok ? taken.value.png : null;
  } catch (error) {
    warn('no picture could be taken of the page', error);
    return null;
  } finally {
    // Of what else waits, the page may now be another.
    session.hands += session.browser.takeMoves();
  }
}
