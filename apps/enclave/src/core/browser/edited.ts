import { OperationFailed } from './problem.ts';
import type { Stage } from './stage.ts';

/**
 * Refuses a key that would change a text in which a secret stands: what is left of one is none that is known. A field in sight says
 * itself what it holds. Keys that go elsewhere a page may put anywhere, as editors do that draw their text themselves: these are
 * refused while the page shows a secret.
 */
export async function checkEdit(stage: Stage, key: string): Promise<void> {
  const { driver, findFocused, mask, showsSecret } = stage;
  const focused = await findFocused();
  if (focused !== null) {
    const { frame, token } = focused;
    const text = await driver.call(frame, 'editedText', token, key);
    if (text !== '' && (await mask([text], frame.url))[0] !== text)
      throw new OperationFailed('not_permitted', partly);
    if (await driver.call(frame, 'keepsKey', token, key)) return;
  }
  if (!key.startsWith('Arrow') && (await showsSecret()))
    throw new OperationFailed('not_permitted', elsewhere);
}

const partly =
  'The field holds a secret, which is not changed letter by letter: fill it with all that is to stand there.';
const elsewhere =
  'The page shows a secret, and the key goes to no field in sight, so that it may change that: click a field first, or fill it.';
