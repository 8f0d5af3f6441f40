import type { ControlClient } from './client.ts';
import { timed } from './client.ts';

/** Times in milliseconds, from the shortest to the longest. */
type Times = readonly number[];

/** Decisions of one kind. */
export type DecisionRow = {
  readonly name: string;
  /** In the process of the control plane: from the params to the verdict. */
  readonly inside: Times;
  /** The whole request. */
  readonly overHttp: Times;
};

export type PolicyData = {
  readonly decisions: readonly DecisionRow[];
  /** A request that decides nothing and looks up nothing. */
  readonly bare: Times;
};

const count = 500;
const places = Array.from({ length: count }, (_, n) => n);
/** Amounts above the limit and below this one need a person, so that both passes are made, and the condition is looked at. */
const hitl = { when: 'context.params.amount > 1000000' };
const limited = (head: string, n: number) =>
  `permit(${head}) when { context.params.amount <= ${n} || context.hitl_confirmed };`;
const byAction = (n: number) => limited(`principal, action == Action::"a${n}", resource`, n);
const forAll = (n: number) => limited('principal, action, resource', n);

/** Decisions of a tenant with 500 policies, beside a request that decides nothing. */
export async function measurePolicies(client: ControlClient, rounds: number): Promise<PolicyData> {
  const create = async (name: string, cedar: string): Promise<string> =>
    (await client.ask('POST', '/v1/policies', { name, cedar, hitl })).policy_id;
  const small: string[] = [];
  for (const n of places) small.push(await create(`policy ${n}`, byAction(n)));
  const big = await create('by action', places.map(byAction).join('\n'));
  const whole = await create('for all', places.map(forAll).join('\n'));
  const decisions = [
    await decide(client, rounds, '500 policies, each decides in turn', (n) => small[n % count]),
    await decide(client, rounds, 'one of 500 statements, by action', () => big),
    await decide(client, Math.ceil(rounds / 10), 'one of 500 statements, all apply', () => whole),
  ];
  return { decisions, bare: await timed(rounds, () => client.ask('GET', '/health')) };
}

async function decide(
  client: ControlClient,
  rounds: number,
  name: string,
  policyOf: (n: number) => string | undefined,
): Promise<DecisionRow> {
  const inside: number[] = [];
  const one = async (n: number) => {
    const { verdict, duration_ms } = await client.ask('POST', `/v1/policies/${policyOf(n)}/explain`, {
      user_id: 'ann',
      service: 'bank',
      action: `a${n % count}`,
      params: { amount: count },
    });
    if (verdict !== 'pending_hitl') throw new Error(`a policy said ${verdict}`);
    inside.push(duration_ms);
  };
  // Each version is made ready by its first decision.
  await timed(count, one);
  inside.length = 0;
  const overHttp = await timed(rounds, one);
  return { name, inside: inside.toSorted((a, b) => a - b), overHttp };
}
