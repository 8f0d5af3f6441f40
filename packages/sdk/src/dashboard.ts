import { parseAddress } from '@countersign/protocol/address';
import type { Approval, approvalRoutes } from '@countersign/protocol/dashboard/approvals';
import type { DashboardCode } from '@countersign/protocol/dashboard/codes';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { DataOf } from '@countersign/protocol/route';
import { type Answer, type Client, createClient } from '@countersign/service/client';
import { mandateToSign, paymentToSign, type Terms } from './to-sign.ts';
import { givenToken, renewedTokens, type Tokens, withToken } from './token.ts';
import { loginMessage, type Wallet } from './wallet.ts';

export type DashboardOptions = {
  /** Such as `http://127.0.0.1:4021`. */
  readonly url: string;
  /**
   * Authenticates a gateway's requests: public keys, screening, reports. Without a wallet it also reads the
   * log, if it has that scope.
   */
  readonly apiKey?: string;
  /** Who is logged in, and signs. */
  readonly wallet?: Wallet;
  /** PEM of the authority to believe in place of the public ones. */
  readonly ca?: string;
  /** Default 10 seconds. */
  readonly timeoutMs?: number;
};

type Routes = Client<typeof dashboardRoutes, DashboardCode>;

/** Every endpoint of the dashboard, by the name that its route has, and what takes a signature of the wallet. */
export type Dashboard = Routes & {
  /** Drafts a mandate and signs it, if it says what was asked for; any other active one is revoked by that. */
  readonly grantMandate: (terms: Terms) => Promise<Answer<{ mandate: Mandate }, DashboardCode>>;
  /** Signs one payment, if the data to sign say what `approval` shows. Then the agent calls again. */
  readonly approvePayment: (
    approval: Approval,
  ) => Promise<Answer<DataOf<typeof approvalRoutes.approveApproval>, DashboardCode>>;
};

/** A dashboard. A wallet is logged in at the first call that needs it, and again when the session has ended. */
export function connectDashboard(options: DashboardOptions): Dashboard {
  const { url, apiKey, wallet = noWallet, ca, timeoutMs = 10_000 } = options;
  const client = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(url),
    timeoutMs,
    ...(apiKey && { apiKey }),
    ...(ca && { tls: { ca } }),
  });
  const tokens = sessions(client, wallet, new URL(url));
  const about = { auth: 'session', tokens, ended: 'AUTHENTICATION_FAILED' } as const;
  // Whoever has a key and no wallet reads the log with the key.
  const readers =
    options.wallet === undefined && apiKey !== undefined ? givenToken<DashboardCode>(apiKey) : tokens;
  const reading = { ...about, auth: 'session-or-key', tokens: readers };
  const dashboard = withToken(withToken(client, dashboardRoutes, about), dashboardRoutes, reading);
  return {
    ...dashboard,
    async grantMandate(terms) {
      const drafted = await dashboard.createMandate({ body: terms });
      if (drafted.kind !== 'ok') return drafted;
      const { mandateId } = drafted.data;
      const toSign = mandateToSign(drafted.data, terms, addressOf(wallet), new Date());
      if (toSign === null) return { kind: 'failed', asked: drafted.asked, why: 'malformed' };
      const signature = await wallet.signTypedData(toSign);
      return dashboard.signMandate({ body: { mandateId, signature } });
    },
    async approvePayment(approval) {
      const toSign = paymentToSign(approval);
      if (toSign === null) return { kind: 'failed', asked: 'the payment to sign', why: 'malformed' };
      const signature = await wallet.signTypedData(toSign);
      return dashboard.approveApproval({ params: { approvalId: approval.approvalId }, body: { signature } });
    },
  };
}

const noWallet: Wallet = {
  address: '0x0000000000000000000000000000000000000000',
  signMessage: () => Promise.reject(new Error('connectDashboard needs a `wallet` to log in and sign with')),
  signTypedData: () => noWallet.signMessage({ message: '' }),
};

const addressOf = ({ address }: Wallet) => {
  const read = parseAddress(address);
  if (read === null) throw new Error('the address of `wallet` is not an address');
  return read;
};

const sessions = (client: Routes, wallet: Wallet, url: URL): Tokens<DashboardCode> =>
  renewedTokens(async () => {
    const asked = await client.nonce({});
    if (asked.kind !== 'ok') return asked;
    const about = { origin: url, address: addressOf(wallet), now: new Date() };
    const message = loginMessage({ ...about, ...asked.data });
    const answer = await client.login({
      body: { message, signature: await wallet.signMessage({ message }) },
    });
    return answer.kind === 'ok' ? { ...answer, data: { token: answer.data.token } } : answer;
  });
