import { expect, test } from 'vitest';
import { CallError, unwrap } from './unwrap.ts';

const asked = 'POST /api/v1/credentials';

test('a good answer is its data; anything else is thrown as one sentence that says what to do', async () => {
  expect(await unwrap({ kind: 'ok', data: 3 })).toBe(3);
  const refused = {
    kind: 'refused',
    asked,
    status: 403,
    code: 'insufficient_scope',
    msg: 'needs more',
  } as const;
  await expect(unwrap(Promise.resolve(refused))).rejects.toMatchObject({
    message: 'POST /api/v1/credentials was refused with 403 insufficient_scope: needs more',
    code: 'insufficient_scope',
    status: 403,
    why: null,
  });
  const failed = unwrap({ kind: 'failed', asked, why: 'unreachable' });
  await expect(failed).rejects.toThrow('check that it is running and that the URL is right');
  const told = unwrap({ kind: 'failed', asked, why: 'not-attested', because: 'its TEE is simulated' });
  await expect(told).rejects.toThrow(CallError);
  await expect(told).rejects.toThrow(/its TEE is simulated$/);
});
