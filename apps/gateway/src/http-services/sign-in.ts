import { hashMessage } from '@countersign/service/ethereum/message';
import type { Logger } from '@countersign/service/logger';
import type { Span } from '@countersign/service/trace';
import type { ApprovalsPort, MandatePort } from '../ports/dashboard.ts';
import type { Wallet } from '../ports/wallet.ts';
import { readChallenge, signInText } from '../rules/sign-in.ts';

/** Who signs in at services where that was paid for, and where never. */
export type SignIn = {
  readonly wallet: Pick<Wallet, 'address' | 'sign'>;
  readonly chainIds: readonly number[];
  /** Hosts of our own, at which a login is more than a right to goods, as they were configured. */
  readonly neverAt: readonly string[];
  /** Says where people log in to it, and whether the wallet may act at all. */
  readonly dashboard: LoginDashboard;
  readonly log: Logger;
  /** Unix ms. */
  readonly now: () => number;
};

export type LoginDashboard = Pick<ApprovalsPort, 'publicUrl'> & Pick<MandatePort, 'activeMandate'>;

/**
 * The header that shows a service who asks; null where it offers no sign-in, or one that we do not sign. It goes to the host
 * that asked, and names it.
 */
export async function signInHeaders(
  requirement: unknown,
  origin: string,
  by: SignIn,
  span: Span,
): Promise<Readonly<Record<string, string>> | null> {
  const asked = readChallenge(requirement, { origin, chainIds: by.chainIds, now: by.now() });
  if (asked === null || !(await maySignIn(by, new URL(origin).host, span))) return null;
  const { address } = by.wallet;
  const hash = hashMessage(signInText(asked, address));
  const { domain, nonce, chainId, ...info } = asked;
  by.log.info({ host: domain, nonce, hash: `0x${Buffer.from(hash).toString('hex')}` }, 'signed in');
  const signature = by.wallet.sign(hash);
  const proof = {
    ...info,
    domain,
    nonce,
    address,
    chainId: `eip155:${chainId}`,
    type: 'eip191',
    signature,
  };
  return { 'sign-in-with-x': Buffer.from(JSON.stringify(proof)).toString('base64') };
}

/**
 * Never for the host at which people log in to the dashboard, which it alone knows: while it does not say, nothing is signed.
 * Nor by a wallet whose mandate is over.
 */
async function maySignIn({ wallet, neverAt, dashboard }: SignIn, host: string, span: Span): Promise<boolean> {
  if (neverAt.includes(host)) return false;
  const [site, mandate] = await Promise.all([
    dashboard.publicUrl(span),
    dashboard.activeMandate(wallet.address, span),
  ]);
  return site !== null && site.host !== host && (mandate.kind === 'found' || mandate.kind === 'never');
}

/** The service does not know the right: its price stands. */
export const isNoRight = (status: number): boolean =>
  [401, 402, 403].includes(status) || (status >= 300 && status < 400);
