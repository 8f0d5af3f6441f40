import { readFileSync } from 'node:fs';
import { type ControlPlane, connectControlPlane } from '@countersign/sdk/control-plane';
import { unwrap } from '@countersign/sdk/unwrap';
import { verify } from './audit.ts';
import type { VaultCard } from './behind-login.ts';
import type { Print } from './print.ts';

export type ControlCard = Pick<VaultCard, 'shop'> & {
  readonly controlPlaneUrl: string;
  /** Paths. */
  readonly controlPlaneCa: string;
  readonly controlPlaneClientCert: { readonly cert: string; readonly key: string };
  readonly controlPlaneKeys: { readonly admin: string; readonly service: string; readonly approver: string };
};

/**
 * An agent orders from a shop under a policy: a small order goes through, a large one waits for a person, one too large is
 * denied, and a proof of it is checked. True when everything happened as it should.
 */
export async function orderUnderPolicy(card: ControlCard, print: Print): Promise<boolean> {
  const { admin, agent, approver } = planesOf(card);
  try {
    const policyId = await writePolicy(admin, card, print);
    const work = { agent, approver, policyId, print };
    const small = await orderAlone(work);
    const large = await orderWithConsent(work);
    return (
      small !== null && large !== null && (await orderTooMuch(work)) && (await prove(work, [small, large]))
    );
  } finally {
    await Promise.all([admin.close(), agent.close(), approver.close()]);
  }
}

type Work = {
  readonly agent: ControlPlane;
  readonly approver: ControlPlane;
  readonly policyId: string;
  readonly print: Print;
};

function planesOf({ controlPlaneUrl, controlPlaneCa, controlPlaneKeys, ...card }: ControlCard) {
  const pem = (path: string): string => readFileSync(path, 'utf8');
  const about = { url: controlPlaneUrl, ca: pem(controlPlaneCa), trust: { simulated: true } };
  const { cert, key } = card.controlPlaneClientCert;
  const { admin, service, approver } = controlPlaneKeys;
  return {
    admin: connectControlPlane({ ...about, key: admin, certificate: { cert: pem(cert), key: pem(key) } }),
    agent: connectControlPlane({ ...about, key: service }),
    approver: connectControlPlane({ ...about, key: approver }),
  };
}

/** Once for each story: a policy gets a new version, a connector takes the place of the one before. */
async function writePolicy(admin: ControlPlane, { shop }: ControlCard, print: Print): Promise<string> {
  print(
    'The owner lets an agent order there: up to € 200 on its own, up to € 2,000 with a person’s approval.',
  );
  const value = `${shop.customer.username}:${shop.customer.password}`;
  const about = { namespace: 'story', label: 'Larkfield Roasters', type: 'login', sensitivity: 3 };
  const { credential_id } = await unwrap(admin.createCredential({ body: { ...about, value } }));
  const definition = shopApi(shop.url);
  await unwrap(admin.createConnector({ body: { service: 'shop', type: 'http', credential_id, definition } }));
  const cedar = `permit(principal == User::"bookkeeper", action == Action::"order", resource == Service::"shop")
when { context.params.cents <= 200000 };`;
  const hitl = { when: 'context.params.cents > 20000' };
  const body = { policy_id: 'coffee', name: 'Coffee for the office', cedar, hitl };
  const { policy_id, policy_version, digest } = await unwrap(admin.createPolicy({ body }));
  print(
    `  policy       ${policy_id}, version ${policy_version}, signed by the enclave: ${digest.slice(0, 19)}…`,
  );
  return policy_id;
}

const shopApi = (url: string) => ({
  openapi: '3.1.0',
  servers: [{ url }],
  security: [{ login: [] }],
  components: { securitySchemes: { login: { type: 'http', scheme: 'basic' } } },
  paths: {
    '/api/orders': {
      post: {
        operationId: 'order',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 201: { description: 'the order' } },
      },
    },
  },
});

const order = ({ agent, policyId }: Work, goods: string, cents: number) =>
  unwrap(
    agent.createExecution({
      body: {
        policy_id: policyId,
        user_id: 'bookkeeper',
        service: 'shop',
        action: 'order',
        params: { goods, cents },
      },
    }),
  );

/** The `auditId` of its record; null when it went wrong. So too the next one. */
async function orderAlone(work: Work): Promise<string | null> {
  const { status, data, audit_ref } = await order(work, '8 kg House Blend', 18_000);
  work.print(`  € 180        ${status}: ${numberIn(data)}, in a new sandbox; the agent saw no password`);
  return status === 'completed' ? audit_ref : null;
}

async function orderWithConsent(work: Work): Promise<string | null> {
  const { agent, approver, print } = work;
  const { execution_id, status } = await order(work, '32 kg Lot 14 Gesha', 74_000);
  print(`  € 740        ${status}: nothing is sent until a person approves`);
  const params = { execution_id };
  await unwrap(
    approver.decideExecution({ params, body: { decision: 'approve', comment: 'for the summer fair' } }),
  );
  const done = await unwrap(agent.waitForExecution({ params }));
  print(`  agreed       ${done.status}: ${numberIn(done.data)}`);
  return status === 'pending_hitl' && done.status === 'completed' ? done.audit_ref : null;
}

async function orderTooMuch(work: Work): Promise<boolean> {
  const { status, error } = await order(work, '300 kg Espresso Nera', 540_000);
  work.print(`  € 5,400      ${status} (${error?.code ?? 'no reason'})`);
  return status === 'denied';
}

async function prove({ agent, print }: Work, recordIds: string[]): Promise<boolean> {
  print('Later, one file proves both orders: what was approved, by whom, and that this is what ran.');
  const bundle = await unwrap(agent.createProofBundle({ body: { record_ids: recordIds } }));
  const { holds, says } = await verify(bundle);
  print(`  proof        ${says}`);
  return holds;
}

/** Returns the number of an order, from the shop's response. */
const numberIn = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'number' in data ? String(data.number) : 'no order';
