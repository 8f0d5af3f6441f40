import { z } from 'zod';
import { isLoginBody } from '../login.ts';
import { question } from '../search.ts';
import { among, wordsOf } from '../words.ts';
import type { Shape } from './shape.ts';

const called = z.looseObject({ method: z.string(), params: z.array(z.unknown()).optional() });

/** Livewire 3: what was changed in components, and what is called in them. */
const updates = z.strictObject({
  _token: z.string().optional(),
  components: z
    .array(
      z.strictObject({
        snapshot: z.unknown().optional(),
        updates: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()).max(0)]).default({}),
        calls: z.array(called).default([]),
      }),
    )
    .min(1),
});
/** Livewire 2. */
const message = z.strictObject({
  fingerprint: z.unknown().optional(),
  serverMemo: z.unknown().optional(),
  updates: z
    .array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('callMethod'), payload: called }),
        z.object({ type: z.literal('syncInput'), payload: z.looseObject({ name: z.string() }) }),
      ]),
    )
    .min(1),
});

const turning = among('gotopage|nextpage|previouspage|setpage|resetpage|sortby|sort|search|loadmore|refresh');
const isTurning = ({ method }: z.infer<typeof called>): boolean => turning(wordsOf(method).join(''));

/** `search`, `paginators.page`, `filters.status`, `sortField`. */
const isAsked = (name: string): boolean =>
  /^(filters?|paginators|table(Filters|Search|Sort\w*)|sort\w*)(\.|$)/i.test(name) ||
  question(wordsOf(name).join(''));

const signs = among('login|signin|authenticate|dologin|submitlogin|loginuser');

/** Account and secret are set, and nothing is called but to log in with them. */
function logsIn(one: z.infer<typeof updates>['components'][number]): boolean {
  const members = Object.entries(one.updates).map(([name, value]) => ({
    name,
    value: String(value),
    depth: 0,
  }));
  const isCalled = one.calls.length > 0 && one.calls.every(({ method }) => signs(wordsOf(method).join('')));
  return isCalled && isLoginBody({ shape: 'json', members, hasFile: false }).step;
}

/** Drupal draws a view of what it has anew. */
export const isView: Shape = ({ route, body, calls }) =>
  route.segments.map((words) => words.join('')).join('/') === 'views/ajax' &&
  body.shape === 'form' &&
  calls.names.length === 0 &&
  ['view_name', 'view_display_id'].every((name) => body.members.some((member) => member.name === name))
    ? true
    : null;

/** Components that live on the server have one address for all that is done in them. */
export const isComponent: Shape = ({ sent, route, body, isFromLogin }) => {
  if (route.segments[0]?.join('') !== 'livewire' || body.shape !== 'json') return null;
  const three = updates.safeParse(body.json);
  if (three.success) {
    const { components } = three.data;
    if ((sent.carriesCredential || isFromLogin) && components.every(logsIn)) return 'login';
    return components.every((one) => one.calls.every(isTurning) && Object.keys(one.updates).every(isAsked));
  }
  const two = message.safeParse(body.json);
  if (!two.success) return false;
  return two.data.updates.every((one) =>
    one.type === 'callMethod' ? isTurning(one.payload) : isAsked(one.payload.name),
  );
};
