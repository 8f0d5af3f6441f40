import { connectDashboard } from '@countersign/sdk/dashboard';
import { connectGateway } from '@countersign/sdk/gateway';
import { unwrap } from '@countersign/sdk/unwrap';
import { connectVault } from '@countersign/sdk/vault';
import { privateKeyToAccount } from 'viem/accounts';
import { type Demo, keyOf } from './demo.ts';

export type Scene = {
  /** Its file is `NAME-light.webp`, and `-dark`. */
  readonly name: string;
  readonly role: 'Owner' | 'Merchant' | 'Operator';
  /** Brings about what is to be seen; gives the page of the console. */
  readonly prepare: (demo: Demo) => Promise<string>;
  /** A text that stands there once all is. */
  readonly ready: string;
  /** A button to press before the picture is taken, if it is there. */
  readonly press?: string | undefined;
};

export const scenes: readonly Scene[] = [
  {
    name: 'overview',
    role: 'Owner',
    prepare: () => Promise.resolve('/'),
    ready: 'Latest transactions',
    press: 'Hide',
  },
  { name: 'approval', role: 'Owner', prepare: askForReport, ready: 'get_report' },
  { name: 'session', role: 'Owner', prepare: openSession, ready: 'Log in and export the list of orders' },
  {
    name: 'merchant',
    role: 'Merchant',
    prepare: () => Promise.resolve('/transactions'),
    ready: 'Seen on chain',
  },
  { name: 'reviews', role: 'Operator', prepare: handInIdentities, ready: 'Grace Hopper' },
];

/** The agent asks for more than its limit. */
async function askForReport({ card }: Demo): Promise<string> {
  const gateway = await connectGateway({ url: card.gatewayUrl, token: card.gatewayToken });
  const report = { serviceId: 'quotes', toolName: 'get_report', arguments: { symbol: 'ACME' } };
  const answer = await gateway.call(report);
  await gateway.close();
  if (answer.kind !== 'refused') throw new Error('the report was not refused');
  const url = answer.data.detail.paymentContext?.['approval'] as { approvalUrl: string };
  return new URL(url.approvalUrl).pathname;
}

/** The agent has filled in a password that it never saw. */
async function openSession({ card, shopUrl, shopCustomer }: Demo): Promise<string> {
  const owner = connectVault({ url: card.vaultUrl, as: card.vaultUser, trust: { simulated: true } });
  const about = { service_id: 'Larkfield Roasters', credential_type: 'username_password' } as const;
  const body = { ...about, plaintext_data: shopCustomer, allowed_urls: [shopUrl] };
  const { id } = await unwrap(owner.createCredential({ body }));
  const session = await unwrap(
    owner.createSession({
      body: {
        credential_ids: [id],
        task: 'Log in and export the list of orders',
        allowed_urls: [shopUrl],
        start_url: `${shopUrl}/login`,
      },
    }),
  );
  for (const field of ['username', 'password']) {
    const operation = {
      operation_type: 'fill',
      selector: `#${field}`,
      value: `{{CREDENTIAL.${field}}}`,
    } as const;
    await unwrap(owner.executeOperation({ params: { id: session.id }, body: operation }));
  }
  await owner.close();
  return `/vault/sessions/${session.id}`;
}

/** Two people say who they are. */
async function handInIdentities({ card }: Demo): Promise<string> {
  for (const [fullName, country] of [
    ['Ada Byron', 'GB'],
    ['Grace Hopper', 'US'],
  ] as const) {
    const wallet = privateKeyToAccount(keyOf(fullName));
    const dashboard = connectDashboard({ url: card.dashboardUrl, wallet });
    const body = { fullName, country, documentType: 'passport', documentNumber: 'X 123 456' } as const;
    await unwrap(dashboard.submitKyc({ body }));
  }
  return '/compliance?view=reviews';
}
