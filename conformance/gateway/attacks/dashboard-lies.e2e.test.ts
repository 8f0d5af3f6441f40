import { newPrivateKey } from '@countersign/local/market';
import type { Merchant } from '@countersign/local/merchant/merchant';
import {
  intentMandateDomain,
  intentMandateTypes,
  type MandateCredential,
  payerDid,
  rebuildMandateMessage,
} from '@countersign/protocol/dashboard/mandate-credential';
import type { Address } from '@countersign/protocol/address';
import { type TypedDataDefinition, verifyTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Battlefield, startBattlefield } from '../fixtures/battlefield.ts';
import { lieAbout, type Lie, type LyingDashboard, startLyingDashboard } from '../fixtures/lying-dashboard.ts';
import { sale, sellTool } from '../fixtures/sell-tool.ts';

let field: Battlefield;
let merchant: Merchant;
/** Nobody knows him: no account, no screening. */
let thief: Merchant;
let liars: LyingDashboard[] = [];

beforeAll(async () => {
  field = await startBattlefield();
  merchant = field.world.merchant;
  thief = await field.world.newMerchant({ registered: false });
});
afterEach(async () => {
  for (const liar of liars) await liar.stop();
  liars = [];
});
afterAll(() => field?.stop());

async function lying(lie: Lie): Promise<LyingDashboard> {
  const liar = await startLyingDashboard(field.world.card.dashboardUrl, lie);
  liars.push(liar);
  return liar;
}

type Ask = (path: string, body: object) => Promise<Told>;
type Told = { readonly status: number; readonly body: string };

/** Asks a dashboard as the owner's gateway does. */
const asking =
  (url: string, apiKey = field.owner.apiKey): Ask =>
  async (path, body) => {
    const told = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey, ...body }),
    });
    return { status: told.status, body: await told.text() };
  };
const dataOf = ({ body }: Told) => (JSON.parse(body) as { data: unknown }).data;

/** A sale of this merchant under a dashboard that lies; to a client that asks it too, and believes what it says. */
async function sellUnder(
  lie: Lie,
  { seller, price = '0.01' }: { readonly seller: Merchant; readonly price?: string },
  believes: (ask: Ask) => Promise<boolean>,
) {
  const { url } = await lying(lie);
  return field.attack({
    tools: () => [sellTool(seller, { price })],
    env: { COMPLIANCE_BASE_URL: url, COMPLIANCE_TIMEOUT_MS: '1500' },
    unguarded: async ({ buy }) => {
      if (await believes(asking(url))) await buy(sale.toolName);
    },
  });
}

const kyc = '/api/kyc/check';
const kyt = '/api/compliance/kyt/check';
const publicKey = '/api/accounts/public-key';
const vc = '/api/mandates/intent/vc';

const screens =
  (seller: () => Merchant) =>
  async (ask: Ask): Promise<boolean> => {
    const walletAddress = seller().address;
    const known = dataOf(await ask(kyc, { walletAddress })) as { kycStatus?: string } | null;
    const risk = dataOf(await ask(kyt, { walletAddress, chain: 'base-sepolia' })) as {
      decision?: string;
    } | null;
    return known?.kycStatus === 'approved' && risk?.decision !== 'reject';
  };

test('an answer about somebody else’s KYC does not vouch for the payee [attack 26] [attack 26 control]', async () => {
  const lie = lieAbout(kyc, () => ({
    walletAddress: merchant.address,
    kycCompleted: true,
    kycStatus: 'approved',
  }));
  const { answer, spent, lost } = await sellUnder(
    lie,
    { seller: thief },
    screens(() => thief),
  );
  expect(answer).toMatchObject({ stage: 'compliance_check', code: 'COMPLIANCE_API_ERROR' });
  expect({ spent, lost }).toEqual({ spent: 0n, lost: 10_000n });
});

test('an answer about somebody else’s KYT does not vouch for the payee [attack 26] [attack 26 control]', async () => {
  const denied = await field.world.newMerchant({ registered: true });
  await field.world.deny(denied.address);
  const lie = lieAbout(kyt, (data: object) => ({
    ...data,
    address: merchant.address,
    decision: 'pass',
    riskLevel: 'low',
    riskScore: 0,
  }));
  const { answer, spent, lost } = await sellUnder(
    lie,
    { seller: denied },
    screens(() => denied),
  );
  expect(answer).toMatchObject({ stage: 'compliance_check', code: 'COMPLIANCE_API_ERROR' });
  expect({ spent, lost }).toEqual({ spent: 0n, lost: 10_000n });
});

test.each([
  ['of another wallet', (other: Merchant) => ({ walletAddress: other.address }), 'ASSURANCE_API_ERROR'],
  ['of another key, under the merchant’s address', () => ({}), 'MERCHANT_SIGNATURE_INVALID'],
])('a public key %s vouches for no cart [attack 26]', async (_whose, change, code) => {
  const other = await field.world.newMerchant({ registered: true });
  const told = await asking(field.world.card.dashboardUrl)(publicKey, { walletAddress: other.address });
  const data = dataOf(told) as { publicKey: string };
  const lie = lieAbout(publicKey, (real: object) => ({
    ...real,
    publicKey: data.publicKey,
    ...change(other),
  }));
  const { answer, spent } = await sellUnder(lie, { seller: merchant }, async () => true);
  expect(answer.code).toBe(code);
  expect(spent).toBe(0n);
});

type Found = {
  readonly mandate: { readonly id: string; readonly expiresAt: string };
  readonly remainingBudget: string;
  readonly vcJson: MandateCredential;
};
type Signer = ReturnType<typeof privateKeyToAccount>;

/** The mandate as it stands, with limits of a thousand: whose signature stands below it is the question. */
async function inflated(
  found: Found,
  about: { readonly chainId: number; readonly signer: Signer; readonly fields?: readonly string[] },
): Promise<Found> {
  const { chainId, signer, fields } = about;
  const limit = { amount: '1000', currency: 'USDC' };
  const { credentialSubject, proof } = found.vcJson;
  const budgetConstraints = { totalBudget: limit, perTransactionLimit: limit };
  const issuer = payerDid(chainId, signer.address as Address);
  const credential: MandateCredential = {
    ...found.vcJson,
    issuer,
    credentialSubject: { ...credentialSubject, budgetConstraints },
  };
  const types = {
    IntentMandate: intentMandateTypes.IntentMandate.filter(({ name }) => fields?.includes(name) ?? true),
  };
  const eip712 = { domain: intentMandateDomain(chainId), types, primaryType: 'IntentMandate' as const };
  const message = rebuildMandateMessage(credential, found.mandate.expiresAt);
  const proofValue = await signer.signTypedData({ ...eip712, message });
  const verificationMethod = `${issuer}#controller`;
  return {
    ...found,
    mandate: { ...found.mandate, perTxLimit: '1000', totalBudget: '1000' } as Found['mandate'],
    remainingBudget: '1000',
    vcJson: { ...credential, proof: { ...proof, verificationMethod, eip712, proofValue } },
  };
}

/** Verifies a credential by what it says of itself. */
async function believesItself({ mandate, vcJson }: Found): Promise<boolean> {
  const { verificationMethod, eip712, proofValue } = vcJson.proof;
  const address = /0x[0-9a-fA-F]{40}/.exec(verificationMethod)?.[0] as Address;
  const message = rebuildMandateMessage(vcJson, mandate.expiresAt);
  const signed = { ...eip712, message } as unknown as TypedDataDefinition;
  return verifyTypedData({ ...signed, address, signature: proofValue as Address });
}

const owner = (): Signer => privateKeyToAccount(field.owner.wallet.privateKey);
const forgeries: Readonly<Record<string, { code: string; forge: (found: Found) => Promise<Found> }>> = {
  'in types of its own, which leave the limits out': {
    code: 'VC_PROOF_INVALID',
    forge: (found) => inflated(found, { chainId: 84532, signer: owner(), fields: ['id', 'payerAddress'] }),
  },
  'for another chain': {
    code: 'VC_PROOF_INVALID',
    forge: (found) => inflated(found, { chainId: 1, signer: owner() }),
  },
  'by another controller': {
    code: 'MANDATE_TAMPERED',
    forge: (found) => inflated(found, { chainId: 84532, signer: privateKeyToAccount(newPrivateKey()) }),
  },
};

test.each(Object.entries(forgeries))(
  'a credential signed %s gives nobody more than the owner signed [attack 15] [attack 15 control]',
  async (_how, { code, forge }) => {
    const lie: Lie = async (path, ask) => {
      const answer = await ask();
      if (path !== vc) return answer;
      const envelope = JSON.parse(answer.body) as { data: Found };
      return { ...answer, body: JSON.stringify({ ...envelope, data: await forge(envelope.data) }) };
    };
    const { answer, spent, lost } = await sellUnder(lie, { seller: merchant, price: '30' }, async (ask) => {
      const found = dataOf(await ask(vc, { payerWalletAddress: field.owner.wallet.address })) as Found;
      const { perTransactionLimit } = found.vcJson.credentialSubject.budgetConstraints;
      return (perTransactionLimit as { amount: string }).amount === '1000' && believesItself(found);
    });
    expect(answer).toMatchObject({ stage: 'assurance_check', code });
    expect({ spent, lost }).toEqual({ spent: 0n, lost: 30_000_000n });
  },
);

test('a mandate that is really another owner’s is not ours [attack 26]', async () => {
  const rich = await field.world.newOwner({ mandate: { perTxLimit: '50', totalBudget: '90' } });
  const askForHer = asking(field.world.card.dashboardUrl, rich.apiKey);
  const lie: Lie = (path, ask) =>
    path === vc ? askForHer(vc, { payerWalletAddress: rich.wallet.address }) : ask();
  const { answer, spent } = await sellUnder(lie, { seller: merchant, price: '10' }, async () => false);
  expect(answer).toMatchObject({ stage: 'assurance_check', code: 'MANDATE_TAMPERED' });
  expect(spent).toBe(0n);
});

test('a dashboard that forgets what was spent does not stretch the total that the owner signed [gateway.attack.forgetful-dashboard] [attack 37] [attack 37 control]', async () => {
  const limits = { perTxLimit: '0.01', totalBudget: '0.02' };
  const poor = await field.world.newOwner({ mandate: limits });
  // It knows no holds, and says today what it said first.
  const noHolds = { status: 404, body: '{"code":80000011,"msg":"not found","data":null}' };
  let first: Promise<Told> | undefined;
  const lie: Lie = (path, ask) => {
    if (path === '/api/mandates/intent/hold') return noHolds;
    return path === vc ? (first ??= ask()) : ask();
  };
  const { url } = await lying(lie);
  const tools = [sellTool(merchant)];
  const agent = await field.guard(tools, { COMPLIANCE_BASE_URL: url, COMPLIANCE_API_KEY: poor.apiKey }, poor);
  const spent = await field.cost(poor.wallet.address, async () => {
    const codes: string[] = [];
    for (let n = 0; n < 4; n++) codes.push((await agent.call(sale)).code);
    expect(codes).toEqual(['SUCCESS', 'SUCCESS', 'WALLET_APPROVAL_REQUIRED', 'WALLET_APPROVAL_REQUIRED']);
  });
  expect(spent).toBe(20_000n);

  // The control asks what is left before each payment, and is told so.
  const naked = await field.expose(tools);
  const lost = await field.cost(field.bare.address, async () => {
    for (let n = 0; n < 4; n++) {
      const answer = await asking(url, poor.apiKey)(vc, { payerWalletAddress: poor.wallet.address });
      const { remainingBudget } = dataOf(answer) as Found;
      if (Number(remainingBudget) >= 0.01) await naked.buy(sale.toolName);
    }
  });
  await naked.close();
  expect(lost).toBe(40_000n);
});

const vague: Readonly<Record<string, (data: object) => unknown>> = {
  'an unknown decision': (data) => ({ ...data, decision: 'unknown' }),
  'an unknown risk': (data) => ({ ...data, riskLevel: 'unknown' }),
  'no decision': ({ ...data }) => ({ ...data, decision: undefined }),
  nothing: () => null,
};

test.each(Object.entries(vague))(
  'a screening that answers %s is no pass [attack 27] [attack 27 control]',
  async (_what, change) => {
    const { answer, spent, lost } = await sellUnder(
      lieAbout(kyt, change),
      { seller: merchant },
      screens(() => merchant),
    );
    expect(answer).toMatchObject({ stage: 'compliance_check', code: 'COMPLIANCE_API_ERROR' });
    expect({ spent, lost }).toEqual({ spent: 0n, lost: 10_000n });
  },
);

test('an error that comes with HTTP 200 is an error [attack 27]', async () => {
  const lie: Lie = (path, ask) =>
    path === kyt ? { status: 200, body: '{"code":80000001,"msg":"busy","data":null}' } : ask();
  const { answer, spent } = await sellUnder(lie, { seller: merchant }, async () => false);
  expect(answer.code).toBe('COMPLIANCE_API_ERROR');
  expect(spent).toBe(0n);
});
