import { parseAmount } from '@countersign/protocol/amount';
import type { Mandate } from '@countersign/protocol/dashboard/mandate';
import {
  type IntentMandateMessage,
  intentMandateDomain,
  intentMandateTypes,
} from '@countersign/protocol/dashboard/mandate-credential';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { signHash } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { type Account, type Dashboard, expectOk, logIn, type Site } from './dashboard-account.ts';
import type { ApiKeys, Keys } from './keys.ts';
import { keyBytes } from './private-key.ts';

export type Onboarded = {
  readonly owner: { readonly accountId: string; readonly apiKey: string };
  readonly merchant: { readonly apiKey: string };
  /** Only the server's command line makes one; null when there is none that works. */
  readonly operatorApiKey: string | null;
};

const timeoutMs = 10_000;

/**
 * What people would do once in the console: owner and merchant log in, prove who they are and are approved by an
 * operator; the owner signs a mandate. A later start finds it done, with the API keys it was `given`, and repeats nothing.
 */
export async function onboard(site: Site, keys: Keys, given: Partial<ApiKeys>): Promise<Onboarded> {
  const dashboard = createClient(dashboardRoutes, dashboardDialect, { baseUrl: site.origin, timeoutMs });
  try {
    const [owner, merchant, operator] = await Promise.all([
      logIn(dashboard, keys.owner, site),
      logIn(dashboard, keys.merchant, site),
      logIn(dashboard, keys.operator, site),
    ]);
    const [ownerKey, merchantKey, operatorWorks] = await Promise.all([
      workingApiKey(dashboard, owner, given.owner),
      workingApiKey(dashboard, merchant, given.merchant),
      works(dashboard, given.operator, operator),
      approve(dashboard, owner, operator, 'Demo Owner'),
      approve(dashboard, merchant, operator, 'Demo Merchant'),
      ensureMandate(dashboard, owner, site.chainId),
    ]);
    return {
      owner: { accountId: owner.accountId, apiKey: ownerKey },
      merchant: { apiKey: merchantKey },
      operatorApiKey: operatorWorks ? (given.operator ?? null) : null,
    };
  } finally {
    await dashboard.close();
  }
}

async function workingApiKey(
  dashboard: Dashboard,
  account: Account,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined && (await works(dashboard, given, account))) return given;
  const created = await dashboard.createKey({ token: account.token, body: { name: 'npm start' } });
  return expectOk('make an API key', created).apiKey;
}

/** Somebody may have revoked it, or taken another database. */
async function works(
  dashboard: Dashboard,
  apiKey: string | undefined,
  { wallet }: Account,
): Promise<boolean> {
  if (apiKey === undefined) return false;
  const body = { apiKey, walletAddress: wallet.address };
  return (await dashboard.kycCheck({ body })).kind === 'ok';
}

export async function approve(
  dashboard: Dashboard,
  account: Account,
  operator: Account,
  fullName: string,
): Promise<void> {
  const { token, accountId } = account;
  const documentNumber = `DEMO-${accountId}`.slice(0, 64);
  const body = { fullName, country: 'DE', documentType: 'passport', documentNumber } as const;
  const submitted = await dashboard.submitKyc({ token, body });
  // An earlier start was here; its submission may still wait if it was killed in between.
  const again = submitted.kind === 'refused' && submitted.code === 'REPEATED_SUBMIT';
  if (!again) expectOk('submit KYC', submitted);

  const list = await dashboard.listKycReviews({
    token: operator.token,
    body: { kycStatus: 'pending', limit: 100 },
  });
  const waiting = expectOk('list KYC reviews', list).data.find((review) => review.accountId === accountId);
  if (waiting === undefined) return;
  const decided = await dashboard.decideKycReview({
    token: operator.token,
    params: { id: waiting.id },
    body: { decision: 'approve' },
  });
  expectOk('approve KYC', decided);
}

const demo = {
  title: 'Demo mandate of npm start',
  perTxLimit: '1',
  totalBudget: '20',
  validDays: 30,
} as const;

async function ensureMandate(dashboard: Dashboard, owner: Account, chainId: number): Promise<void> {
  const { token } = owner;
  const active = expectOk(
    'list mandates',
    await dashboard.listMandates({ token, body: { status: 'active' } }),
  );
  if (active.data.some((mandate) => lastsForAStory(mandate, Date.now()))) return;

  const { mandate } = expectOk('draft a mandate', await dashboard.createMandate({ token, body: demo }));
  const signature = signMandate(mandate, owner, chainId);
  expectOk(
    'sign the mandate',
    await dashboard.signMandate({ token, body: { mandateId: mandate.id, signature } }),
  );
}

const oneDayMs = 24 * 60 * 60 * 1000;

/** A mandate that people made themselves stays, whatever is left of it. Ours has to pay for one more story. */
function lastsForAStory(mandate: Mandate, now: number): boolean {
  if (mandate.title !== demo.title) return true;
  const left = parseAmount(mandate.remainingBudget);
  const needed = parseAmount('6');
  const lasting = Date.parse(mandate.expiresAt) - now > oneDayMs;
  return lasting && left !== null && needed !== null && left >= needed;
}

const hashMandate = typedDataHasher('IntentMandate', intentMandateTypes.IntentMandate);

/** The owner's signature (EIP-712) that makes a drafted mandate active. */
export function signMandate(mandate: Mandate, { wallet }: Account, chainId: number): string {
  const { id, accountId, perTxLimit, totalBudget, expiresAt } = mandate;
  const payerAddress = wallet.address;
  const message: IntentMandateMessage = { id, accountId, payerAddress, perTxLimit, totalBudget, expiresAt };
  return signHash(hashMandate(intentMandateDomain(chainId), message), keyBytes(wallet.privateKey));
}
