// A policy says what may be done, a person agrees to the rest, and the enclave proves what was done.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectActionTokens } from '@countersign/sdk/action';
import { checkAudit } from '@countersign/sdk/audit';
import { connectControlPlane } from '@countersign/sdk/control-plane';
import { unwrap } from '@countersign/sdk/unwrap';
import { card, check } from './card.ts';

// The service that is acted on: it pays out to whoever shows its key, and only what the control plane says was approved.
const pem = (path: string) => readFileSync(path, 'utf8');
const controlPlane = { url: card.controlPlaneUrl, ca: pem(card.controlPlaneCa) };
const tokens = connectActionTokens({ ...controlPlane, service: 'payroll' });
const key = crypto.randomUUID();
const shown: unknown[] = [];
const payroll = createServer((request, response) => {
  const isKnown = request.headers['x-api-key'] === key;
  shown.push(request.headers['x-api-key']);
  const answer = async () => {
    const approved = await tokens.verifyActionToken(request.headers['countersign-action-token']);
    const isPaid = isKnown && approved.valid && approved.claims.action === 'pay';
    response.writeHead(isPaid ? 201 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ isPaid, by: key }));
  };
  request.resume().on('end', () => void answer());
});
await new Promise<void>((resolve) => payroll.listen(0, '127.0.0.1', resolve));
const operation = {
  operationId: 'pay',
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: { 201: { description: 'paid' } },
};
const definition = {
  openapi: '3.1.0',
  servers: [{ url: `http://127.0.0.1:${(payroll.address() as AddressInfo).port}` }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
  paths: { '/payouts': { post: operation } },
};

// An admin writes with a client certificate: the key (sealed here), how the service is reached, who may do what.
const about = { ...controlPlane, trust: { simulated: true } };
const files = card.controlPlaneClientCert;
const certificate = { cert: pem(files.cert), key: pem(files.key) };
const admin = connectControlPlane({ ...about, key: card.controlPlaneKeys.admin, certificate });
const credential = { namespace: 'demo', label: 'payroll', type: 'api_key', sensitivity: 3, value: key };
const { credential_id } = await unwrap(admin.createCredential({ body: credential }));
const connector = { service: 'payroll', type: 'http', credential_id, definition } as const;
await unwrap(admin.createConnector({ body: connector }));
const cedar = 'permit(principal, action, resource) when { context.params.amount <= 900000000 };';
const hitl = { when: 'context.params.amount > 1000000' };
const { policy_id } = await unwrap(admin.createPolicy({ body: { name: 'payouts', cedar, hitl } }));

// An agent asks for actions. Amounts are integers, in base units of the token.
const agent = connectControlPlane({ ...about, key: card.controlPlaneKeys.service });
const pay = (amount: number) =>
  unwrap(
    agent.createExecution({
      body: { policy_id, user_id: 'ada', service: 'payroll', action: 'pay', params: { to: 'bob', amount } },
    }),
  );
const small = await pay(500_000);
check('a small amount is paid at once', small.status === 'completed' && small.proof !== null);
check(
  'the service was shown its key, and the agent was not',
  shown[0] === key && !JSON.stringify(small).includes(key),
);
check('too much is denied by the policy', (await pay(5_000_000_000)).status === 'denied');

const large = await pay(2_000_000);
check('what lies between waits for a person', large.status === 'pending_hitl');
const params = { execution_id: large.execution_id };
const approver = connectControlPlane({ ...about, key: card.controlPlaneKeys.approver });
await unwrap(approver.decideExecution({ params, body: { decision: 'approve', comment: 'as agreed' } }));
const done = await unwrap(agent.waitForExecution({ params }));
check('a person agreed, and it was done', done.status === 'completed' && shown.length === 2);

// The proof is a file that anybody checks without asking anybody.
const bundle = await unwrap(
  agent.createProofBundle({ body: { record_ids: [small.audit_ref, done.audit_ref] } }),
);
const { report } = await unwrap(agent.attest());
const { verdict } = await checkAudit(bundle, [report.auditPublicKey]);
check(`the proof bundle is ${verdict}`, verdict === 'good' || verdict === 'simulated');
await Promise.all([admin.close(), agent.close(), approver.close(), tokens.close()]);
payroll.close();
