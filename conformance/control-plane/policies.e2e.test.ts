import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { readPublicKey, signedBy } from '@countersign/audit-log/keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';

let control: TestControlPlane;
beforeAll(async () => {
  control = await joinControlPlane();
  control.newKey('approver', control.tenant, 'cfo');
});
afterAll(() => control?.stop());

const cedar =
  '@id("small") permit(principal, action == Action::"pay", resource) when { context.params.amount <= 100 };';
const create = (body: object) => control.admin('POST', '/v1/policies', body);
const read = (path: string) => control.ask('GET', path, { key: control.keys.service });

test('a version is signed over all that it says, by the enclave’s audit key, and recorded [control-plane.policy.create] [control-plane.policy.digest] [control-plane.policy.signature]', async () => {
  const hitl = { when: 'context.params.amount > 50', approvers: ['cfo'], quorum: 1, timeout_seconds: 60 };
  const { status, data } = await create({ name: 'payments', cedar, hitl });
  expect(status).toBe(201);
  const stored = (await read(`/v1/policies/${data.policy_id}`)).data;
  const { policy_id, policy_version, mode, name, schema } = stored;
  const said = {
    tenant: control.tenant,
    policy_id,
    policy_version,
    mode,
    name,
    schema,
    cedar: stored.cedar,
    hitl,
  };
  const digest = hash('sha256', canonicalText(said), 'buffer');
  expect(data).toMatchObject({
    policy_version: 1,
    mode: 'active',
    digest: `sha256:${digest.toString('hex')}`,
  });
  const { auditPublicKey } = (await read('/v1/attestation/report')).data;
  const key = readPublicKey(auditPublicKey);
  expect(key !== null && signedBy(key, digest, data.signature)).toBe(true);
  const [record] = (await read('/v1/audit/records?limit=1')).data.items;
  expect(record).toMatchObject({
    eventType: 'policy_created',
    detail: { policy_id, policy_version: 1, digest: data.digest, signature: data.signature },
  });
});

test('a name that hides a character or turns the reading order is refused and stored nowhere, and one in any script is kept [control-plane.names.legible]', async () => {
  for (const name of ['trav\u202ele', 'pay\u200bpal'])
    for (const body of [
      { name, cedar },
      { name: 'seen', policy_id: name, cedar },
    ]) {
      const reply = await create(body);
      expect(reply).toMatchObject({ status: 400 });
      expect(JSON.stringify(reply.data)).toMatch(/must not contain invisible characters.*: U\+20(2E|0B)/);
    }
  expect((await create({ name: 'علی\u200cرضا', cedar })).status).toBe(201);
});

test('a known policy gets its next version, and older ones stay as they are [control-plane.policy.create.new-version] [control-plane.policy.get] [control-plane.policy.versions] [control-plane.policy.mode]', async () => {
  const first = (await create({ name: 'limits', cedar })).data;
  const { policy_id } = first;
  const before = (await read(`/v1/policies/${policy_id}`)).data;
  const again = await Promise.all(
    [200, 300, 400].map((limit) =>
      create({ name: 'limits', policy_id, cedar: cedar.replace('100', String(limit)), mode: 'log_only' }),
    ),
  );
  expect(again.map(({ data }): number => data.policy_version).toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
  expect((await read(`/v1/policies/${policy_id}`)).data).toMatchObject({
    policy_version: 4,
    mode: 'log_only',
  });
  expect((await read(`/v1/policies/${policy_id}?version=1`)).data).toEqual(before);
  const versions = (await read(`/v1/policies/${policy_id}/versions`)).data;
  expect(versions.total).toBe(4);
  expect(versions.items.map((one: { policy_version: number }) => one.policy_version)).toEqual([4, 3, 2, 1]);
  expect(versions.items.every((one: { signature: string }) => one.signature.length > 80)).toBe(true);
  expect(await read(`/v1/policies/${policy_id}?version=9`)).toMatchObject({ status: 404 });
  const own = { status: 201, data: { policy_id: 'a-name-of-ones-own', policy_version: 1 } };
  expect(await create({ name: 'limits', policy_id: 'a-name-of-ones-own', cedar })).toMatchObject(own);
});

test('Cedar that is none is refused with line and column, a condition too, and nothing is stored [control-plane.policy.invalid-cedar] [control-plane.policy.hitl.fields]', async () => {
  const { total } = (await read('/v1/policies')).data;
  const wrong = await create({ name: 'wrong', cedar: 'permit(principal,\n  acton, resource);' });
  expect(wrong).toMatchObject({ status: 400, data: { code: 'invalid_policy', line: 2, column: 3 } });
  const condition = await create({ name: 'wrong', cedar, hitl: { when: 'true } unless { true' } });
  expect(condition).toMatchObject({ status: 400, data: { code: 'invalid_policy', line: 1 } });
  const schema =
    'entity User; entity Service; action pay appliesTo { principal: User, resource: Service, context: {params: {amout: Long}, hitl_confirmed: Bool} };';
  expect(await create({ name: 'wrong', cedar, schema })).toMatchObject({
    status: 400,
    data: { detail: expect.stringContaining('amout') },
  });
  expect((await read('/v1/policies')).data.total).toBe(total);
});

test('a schema comes in words or as JSON, and what a reply shows may be sent back [control-plane.policy.schema] [control-plane.policy.invalid-cedar]', async () => {
  const plain = await create({ name: 'plain', cedar, schema: null, hitl: null });
  expect(plain).toMatchObject({ status: 201, data: { schema: null, hitl: null } });
  const params = { type: 'Record', attributes: { amount: { type: 'Long' } } };
  const schemaOf = (name: string) => ({
    '': {
      entityTypes: { User: {}, Service: {} },
      actions: {
        pay: {
          appliesTo: {
            principalTypes: ['User'],
            resourceTypes: ['Service'],
            context: {
              type: 'Record',
              attributes: { [name]: params, hitl_confirmed: { type: 'Boolean' } },
            },
          },
        },
      },
    },
  });
  const schema = schemaOf('params');
  const made = await create({ name: 'in JSON', cedar, schema });
  expect(made).toMatchObject({ status: 201, data: { schema: JSON.stringify(schema) } });
  expect(await create({ name: 'again', cedar, schema: made.data.schema })).toMatchObject({ status: 201 });
  for (const wrong of [schemaOf('parms'), { '': { nothing: 1 } }, 7])
    expect(await create({ name: 'wrong', cedar, schema: wrong })).toMatchObject({ status: 400 });
  const when = 'context.params.amount >';
  expect(await create({ name: 'cut off', cedar, hitl: { when } })).toMatchObject({
    status: 400,
    data: { code: 'invalid_policy', line: 1, column: when.length + 1 },
  });
});

test('explains what it would say, and which statements decide', async () => {
  const { policy_id } = (
    await create({ name: 'explained', cedar, hitl: { when: 'context.params.amount > 50' } })
  ).data;
  const explain = async (params: object) => {
    const body = { user_id: 'ann', service: 'bank', action: 'pay', params };
    return control.ask('POST', `/v1/policies/${policy_id}/explain`, { key: control.keys.approver, body });
  };
  expect((await explain({ amount: 50 })).data).toMatchObject({
    verdict: 'allow',
    determining: ['small'],
    hitl: null,
    duration_ms: expect.any(Number),
  });
  expect((await explain({ amount: 51 })).data).toMatchObject({
    verdict: 'pending_hitl',
    hitl: { approvers: ['*'], quorum: 1, timeout_seconds: 3600 },
  });
  expect((await explain({ amount: 101 })).data).toMatchObject({ verdict: 'deny', determining: [] });
  expect((await explain({})).data).toMatchObject({ verdict: 'deny', errors: ['small', 'hitl.when'] });
  expect(await explain({ amount: 2 ** 53 })).toMatchObject({ status: 400 });
});

test('a policy that nobody could satisfy is refused, as a first version and as a next one, and nothing is stored [control-plane.policy.satisfiable]', async () => {
  control.newKey('approver', control.tenant, 'ceo');
  const definition = { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:9' }] };
  const paths = { '/pay': { post: { operationId: 'pay' } } };
  await control.admin('POST', '/v1/connectors', {
    service: 'bank',
    type: 'http',
    definition: { ...definition, paths },
  });
  const any = 'permit(principal, action, resource);';
  const at = (service: string) => `permit(principal, action, resource == Service::"${service}");`;
  const wallet = `0x${'ab'.repeat(20)}`;
  const second = `0x${'cd'.repeat(20)}`;
  const third = `0x${'ef'.repeat(20)}`;
  const when = 'true';
  // Of this tenant: cfo, ceo and the one that was there from the start.
  for (const good of [
    { cedar: any, hitl: { when, quorum: 3 } },
    { cedar: any, hitl: { when, approvers: ['cfo', wallet], quorum: 2 } },
    { cedar: any, hitl: { when, approvers: [wallet, second, third], quorum: 3 } },
    { cedar: `@approvers("cfo, ceo") @quorum("2") ${any}`, hitl: { when } },
    { cedar: `@quorum("9") ${any}` },
    { cedar: at('bank') },
    {
      cedar: `permit(principal, action, resource) when { resource == Service::"bank" || resource == Service::"nope" };`,
    },
    { cedar: `${any} forbid(principal, action, resource == Service::"not-yet");` },
    { cedar: `permit(principal, action, resource) unless { resource == Service::"nope" };` },
  ])
    expect(await create({ name: 'good', ...good })).toMatchObject({
      status: 201,
      data: { policy_version: 1 },
    });

  const { policy_id } = (await create({ name: 'next', cedar: any })).data;
  const { total } = (await read('/v1/policies')).data;
  for (const [bad, says] of [
    [{ cedar: any, hitl: { when, quorum: 4 } }, '4 must approve, and 3 can'],
    [{ cedar: any, hitl: { when, approvers: ['cfo', 'cfo'], quorum: 2 } }, '2 must approve, and 1 can'],
    [
      { cedar: any, hitl: { when, approvers: [wallet, wallet.toUpperCase().replace('X', 'x')], quorum: 2 } },
      '1 can',
    ],
    [{ cedar: any, hitl: { when, approvers: [wallet, second, third, 'cfo'], quorum: 4 } }, '3 can'],
    [{ cedar: any, hitl: { when, approvers: ['cfo', 'cofounder'] } }, 'cofounder'],
    [{ cedar: any, hitl: { when, approvers: ['Cfo'] } }, 'Cfo'],
    [{ cedar: any, hitl: { when, approvers: ['0x52908400098527886E0F7030069857D2E4169Ee7'] } }, 'EIP-55'],
    [{ cedar: `@approvers("nobody") ${any}`, hitl: { when } }, 'nobody'],
    [
      { cedar: `@quorum("5") permit(principal, action, resource) when { context.hitl_confirmed };` },
      '5 must',
    ],
    [{ cedar: at('nope') }, 'nope'],
    [{ cedar: `${at('bank')} ${at('nope')}` }, 'nope'],
    [
      { cedar: `permit(principal, action, resource) when { resource == Service::"nope" && true };` },
      'condition',
    ],
    [{ cedar: at('nope'), mode: 'log_only' }, 'nope'],
  ] as const)
    for (const whole of [
      { name: 'bad', ...bad },
      { name: 'bad', policy_id, ...bad },
    ])
      expect(await create(whole)).toMatchObject({
        status: 400,
        data: { code: 'unsatisfiable_policy', detail: expect.stringContaining(says) },
      });
  expect((await read('/v1/policies')).data.total).toBe(total);
  expect((await read(`/v1/policies/${policy_id}/versions`)).data.total).toBe(1);

  const lonely = { key: control.newKey('admin', 'lonely'), certified: true };
  const alone = { name: 'alone', cedar: any, hitl: { when } };
  expect(await control.ask('POST', '/v1/policies', { ...lonely, body: alone })).toMatchObject({
    status: 400,
    data: { code: 'unsatisfiable_policy' },
  });
});
