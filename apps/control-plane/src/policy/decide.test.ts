import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import * as fc from 'fast-check';
import type { Hitl, PolicyContent } from '@countersign/protocol/control/policy';
import { describe, expect, test } from 'vitest';
import { type CedarRequest, type Evaluation, parseCondition, parsePolicies } from './cedar.ts';
import { deciderFor } from './decide.ts';
import { type CedarValue, readParams } from './params.ts';

let made = 0;
function policy(cedar: string, hitl: Partial<Hitl> | null = null): PolicyContent {
  made += 1;
  return {
    tenant: 'acme',
    policy_id: `policy-${made}`,
    policy_version: 1,
    name: 'payments',
    mode: 'active',
    cedar,
    schema: null,
    hitl: hitl === null ? null : { when: 'true', approvers: ['*'], quorum: 1, timeout_seconds: 60, ...hitl },
  };
}

const asked = (params: CedarValue) => ({ userId: 'ann', action: 'pay', service: 'bank', params });
const decide = (content: PolicyContent, params: CedarValue) => deciderFor(content)(asked(params));

const small =
  '@id("small") permit(principal, action == Action::"pay", resource) when { context.params.amount <= 100 };';

describe('what a policy says', () => {
  test('what nothing permits is denied [control-plane.policy.deny]', () => {
    expect(decide(policy(small), { amount: 101 })).toMatchObject({ verdict: 'deny', determining: [] });
    expect(decide(policy(small), { amount: 100 })).toMatchObject({
      verdict: 'allow',
      determining: ['small'],
    });
  });

  test('principal, action and resource are user, action and service [control-plane.policy.request]', () => {
    const exact = policy(
      'permit(principal == User::"ann", action == Action::"pay", resource == Service::"bank") when { !context.hitl_confirmed };',
    );
    const decider = deciderFor(exact);
    expect(decider(asked({})).verdict).toBe('allow');
    for (const other of [{ userId: 'bob' }, { action: 'buy' }, { service: 'shop' }])
      expect(decider({ ...asked({}), ...other }).verdict).toBe('deny');
  });

  test('a statement that cannot be evaluated means deny, also where Cedar itself would skip a forbid [control-plane.policy.evaluation-error]', () => {
    const failing = policy(
      'permit(principal, action, resource); @id("ceiling") forbid(principal, action, resource) when { context.params.amount > 3 };',
    );
    expect(decide(failing, { amount: 1 }).verdict).toBe('allow');
    expect(decide(failing, {})).toMatchObject({ verdict: 'deny', errors: ['ceiling'] });
    expect(decide(failing, { amount: 'many' })).toMatchObject({ verdict: 'deny', errors: ['ceiling'] });
  });

  test('a person is asked where the condition holds, and a condition that fails is a denial [control-plane.hitl.when]', () => {
    const open = 'permit(principal, action, resource);';
    const asking = policy(open, { when: 'context.params.amount > 50', quorum: 2 });
    expect(decide(asking, { amount: 50 }).verdict).toBe('allow');
    expect(decide(asking, { amount: 51 })).toMatchObject({
      verdict: 'pending_hitl',
      duties: { approvers: ['*'], quorum: 2, timeoutSeconds: 60 },
    });
    expect(decide(asking, {})).toMatchObject({ verdict: 'deny', errors: ['hitl.when'] });
  });

  test('what is permitted only with hitl_confirmed waits for a person, by the duties of the deciding statements', () => {
    const tiered = policy(`${small}
      @id("large") @approvers("cfo, ceo") @quorum("2") @risk_tier("high")
      permit(principal, action, resource) when { context.params.amount <= 1000 && context.hitl_confirmed };`);
    expect(decide(tiered, { amount: 500 })).toMatchObject({
      verdict: 'pending_hitl',
      determining: ['large'],
      duties: { approvers: ['cfo', 'ceo'], quorum: 2 },
      riskTier: 'high',
    });
    expect(decide(tiered, { amount: 1001 }).verdict).toBe('deny');
  });

  test('whatever the params, more is never permitted than the policy says [control-plane.policy.amounts]', () => {
    const decider = deciderFor(policy(small));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('amount', 'note', '__proto__'), fc.jsonValue()), (params) => {
        const read = readParams(params);
        const { amount } = params;
        const mayPass = typeof amount === 'number' && Number.isSafeInteger(amount) && amount <= 100;
        if (!read.ok) return;
        expect(decider(asked(read.value)).verdict).toBe(mayPass ? 'allow' : 'deny');
      }),
    );
  });
});

test('only statements that could apply are looked at, twice where that matters; the verdict is that of all, twice', () => {
  const heads = [
    'principal, action, resource',
    'principal, action == Action::"pay", resource',
    'principal, action == Action::"buy", resource',
    'principal, action in [Action::"pay", Action::"buy"], resource',
    'principal, action, resource == Service::"bank"',
    'principal, action in Action::"pay", resource is Service',
    'principal == User::"bob", action, resource == Service::"shop"',
    'principal == User::"ann", action, resource',
    'principal == Robot::"ann", action, resource',
    'principal in User::"ann", action, resource',
    'principal is User, action, resource',
  ];
  const statement = fc.record({
    effect: fc.constantFrom('permit', 'forbid'),
    head: fc.constantFrom(...heads),
    when: fc.constantFrom(
      'true',
      'context.params.amount > 3',
      'context.params.gone == 1',
      'context.hitl_confirmed',
      'context["hitl\\u{5f}confirmed"]',
      'context == {params: {amount: 5}, hitl_confirmed: true}',
    ),
  });
  const request = fc.record({
    userId: fc.constantFrom('ann', 'bob'),
    action: fc.constantFrom('pay', 'buy', 'look'),
    service: fc.constantFrom('bank', 'shop'),
    amount: fc.constantFrom(1, 5),
  });
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 6 }), request, (all, { amount, ...asked }) => {
      const text = all.map(({ effect, head, when }) => `${effect}(${head}) when { ${when} };`).join(' ');
      const request = { ...asked, params: { amount } };
      const alone = wholly(text, { ...request, hitlConfirmed: false });
      const confirmed = wholly(text, { ...request, hitlConfirmed: true });
      const passed = alone.permitted ? 'allow' : confirmed.permitted ? 'pending_hitl' : 'deny';
      const said = deciderFor(policy(text))(request);
      expect(said.verdict).toBe(alone.errors.length > 0 ? 'deny' : passed);
      expect(said.errors).toEqual(alone.errors);
    }),
  );
});

/** As Cedar itself evaluates a whole policy. */
function wholly(text: string, { userId, action, service, params, hitlConfirmed }: CedarRequest): Evaluation {
  const whole = cedar.isAuthorized({
    principal: { type: 'User', id: userId },
    action: { type: 'Action', id: action },
    resource: { type: 'Service', id: service },
    context: { params: params as cedar.CedarValueJson, hitl_confirmed: hitlConfirmed },
    policies: { staticPolicies: text },
    entities: [],
  });
  if (whole.type === 'failure') throw new Error('Cedar cannot read it');
  const { decision, diagnostics } = whole.response;
  const errors = diagnostics.errors.map(({ policyId }) => policyId).toSorted();
  return { permitted: decision === 'allow' && errors.length === 0, determining: diagnostics.reason, errors };
}

describe('what is no policy', () => {
  test('says where it is wrong, in lines and characters [control-plane.policy.invalid-cedar]', () => {
    const wrong = parsePolicies('permit(principal, action, resource)\nwhen { "é" == 3 <=> 4 };', null);
    expect(wrong).toMatchObject({ ok: false, error: { line: 2, column: 19 } });
  });

  test('is told what the schema does not know, and what could never apply', () => {
    const schema =
      'entity User; entity Service; action pay appliesTo { principal: User, resource: Service, context: {params: {amount: Long}, hitl_confirmed: Bool} };';
    const typo = parsePolicies(
      `${small}\n${small.replace('amount', 'amunt').replace('small', 'typo')}`,
      schema,
    );
    expect(typo).toMatchObject({ ok: false, error: { line: 2, message: expect.stringContaining('amount') } });
    expect(parsePolicies(small, schema).ok).toBe(true);
    const never = parsePolicies(
      'permit(principal, action == Action::"pay", resource) when { false };',
      schema,
    );
    expect(never.ok).toBe(false);
    expect(parsePolicies(small, 'entity ;')).toMatchObject({ error: { message: /^schema: / } });
  });

  test('is a template, nothing at all, or two statements of one name', () => {
    expect(parsePolicies('permit(principal == ?principal, action, resource);', null).ok).toBe(false);
    expect(parsePolicies('// nothing', null).ok).toBe(false);
    expect(parsePolicies(small + small, null).ok).toBe(false);
  });

  test.each(['true } unless { false', 'true }; permit(principal, action, resource) when { true', ''])(
    'a condition is one condition and nothing else: %s',
    (condition) => expect(parseCondition(condition).ok).toBe(false),
  );

  test('a comment in a condition comments out nothing of ours', () => {
    expect(parseCondition('context.params.amount > 3 // }').ok).toBe(true);
  });
});

describe('params', () => {
  test('that no policy could read as they are meant are refused by their name', () => {
    const refused: readonly (readonly [unknown, string])[] = [
      [{ a: null }, 'params.a'],
      [{ a: [{ b: 2 ** 53 }] }, 'params.a.0.b'],
      [{ a: 0.12345 }, 'params.a'],
      [{ a: { __extn: { fn: 'decimal', arg: '1.0' } } }, 'params.a'],
      [{ __entity: { type: 'User', id: 'root' } }, 'params'],
    ];
    for (const [params, where] of refused)
      expect(readParams(params)).toMatchObject({ ok: false, error: expect.stringContaining(`${where}:`) });
  });

  test('with fractions are decimals, which a policy compares', () => {
    const warm = policy(
      'permit(principal, action, resource) when { context.params.t.lessThan(decimal("0.8")) };',
    );
    const read = readParams({ t: 0.75 });
    if (!read.ok) throw new Error(read.error);
    expect(decide(warm, read.value).verdict).toBe('allow');
  });
});
