import type { Secret, Text } from './browser.ts';
import { maySend } from './decoy/binding.ts';
import { jsonString } from './decoy/encodings.ts';
import { type Fill, typedOf } from './decoy/fills.ts';
import { Input } from './input.ts';
import { readChord } from './keys.ts';
import type { Located } from './locate.ts';
import { pointOf, type Stage } from './stage.ts';
import { OperationFailed } from './problem.ts';

/** Replaces what stands in a field: by text, or by decoys that the form's own request exchanges for the secrets. */
export async function fill(stage: Stage, target: Located, value: Text): Promise<void> {
  const secrets = value.filter((part) => typeof part !== 'string');
  for (const secret of secrets) checkPlace(target, secret.mode, (url) => maySend(secret, stage.scope, url));
  if (secrets.some(({ mode }) => mode === 'dom')) return typeSecrets(stage, target, value, secrets);
  const parts = await stage.fills.partsOf(value, roomFor(value, target));
  if (parts === null)
    throw new OperationFailed(
      'not_permitted',
      'This field of the credential has nothing that can stand for it.',
    );
  const typed = typedOf(parts);
  await type(stage, target, typed);
  if (secrets.length > 0) stage.fills.add(bind(target, parts, typed));
}

/** A secret is typed only where its request would be let through. */
function checkPlace(
  { frame, facts }: Located,
  mode: Secret['mode'],
  isAllowed: (url: string) => boolean,
): void {
  if (!isAllowed(frame.url)) throw new OperationFailed('out_of_scope');
  const form = facts?.form ?? null;
  if (facts === null || /^(hidden|file|checkbox|radio|submit|button|image|reset)$/.test(facts.type))
    throw new OperationFailed('not_permitted');
  if (form === null) return;
  if (mayGoIntoAddress(form, mode)) throw new OperationFailed('not_permitted');
  const leadsOut = [form.action, ...form.otherActions].some(
    (action) => !isScript(action) && !isAllowed(action),
  );
  if (leadsOut) throw new OperationFailed('out_of_scope');
}

/** Tells whether the value may end up in a URL. A value that is typed as it is may, unless the form sends by POST; a decoy only if the form says GET. */
function mayGoIntoAddress(
  { method, says }: NonNullable<NonNullable<Located['facts']>['form']>,
  mode: Secret['mode'],
): boolean {
  if (method === 'post' || method === 'dialog') return false;
  return mode === 'dom' || (says.method && method === 'get');
}

/** A form whose address does nothing: its page sends it by script. */
const isScript = (action: string): boolean => /^javascript:/i.test(action);

/** Gives how many characters the field has left for secrets, after the value's own text. */
function roomFor(value: Text, { facts }: Located): number {
  const own = value.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  return facts === null || facts.room === null ? Infinity : facts.room - own;
}

function bind(located: Located, parts: Fill['parts'], typed: string): Fill {
  const { frame, facts: field, loaderId } = located;
  const { id: frameId, url } = frame;
  return { parts, typed, frameId, loaderId, origin: new URL(url).origin, field, located, sentTo: null };
}

/** Mode `dom`: the page gets the secrets themselves, and is held from then on. */
async function typeSecrets(
  { driver, hold }: Stage,
  target: Located,
  value: Text,
  secrets: readonly Secret[],
): Promise<void> {
  await pointOf(driver, target, 'fill');
  const input = new Input(driver);
  hold.begin(target, secrets);
  for (const part of value)
    if (typeof part === 'string') await input.type(part);
    else await part.open((bytes) => input.typeBytes(jsonString(bytes)));
}

const pickers = /^(date|datetime-local|month|time|week|color|range)$/;

async function type({ driver }: Stage, target: Located, text: string): Promise<void> {
  const { frame, token } = target;
  await pointOf(driver, target, 'fill');
  if (pickers.test(target.facts?.type ?? '')) {
    if (!(await driver.call(frame, 'setPicker', token, text))) throw new OperationFailed('not_editable');
    return;
  }
  const input = new Input(driver);
  const erase = readChord('Delete');
  if (text !== '') await input.type(text);
  else if (erase !== null) await input.press(erase);
  if (!(await driver.call(frame, 'isFilled', token, text))) throw new OperationFailed('not_editable');
}
