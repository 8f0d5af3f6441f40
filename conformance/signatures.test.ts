import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAddress } from '@countersign/protocol/address';
import {
  type AgentWalletMessage,
  agentConsentTypedData,
  agentConsentTypes,
  agentWalletTypedData,
  agentWalletTypes,
} from '@countersign/protocol/dashboard/agent-wallet';
import {
  buildMandateCredential,
  type IntentMandateMessage,
  intentMandateTypedData,
  intentMandateTypes,
  proveMandateCredential,
  rebuildMandateMessage,
  returnedForm,
} from '@countersign/protocol/dashboard/mandate-credential';
import { payeeDomainTypedData, payeeDomainTypes } from '@countersign/protocol/dashboard/payee-domain';
import {
  recoveryDomain,
  recoveryTypedData,
  recoveryTypes,
} from '@countersign/protocol/dashboard/recovery-statement';
import { cartMessage } from '@countersign/protocol/gateway/cart-mandate';
import {
  type PaymentMandateMessage,
  paymentMandateTypedData,
  paymentMandateTypes,
} from '@countersign/protocol/gateway/payment-mandate';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { hashMessage } from '@countersign/service/ethereum/message';
import { recoverSigner, signHash } from '@countersign/service/ethereum/signature';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { hashMessage as viemHashMessage, hashTypedData, keccak256 as viemKeccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';

/** The first key of every local chain: known to everybody, worth nothing. */
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const owner = privateKeyToAccount(privateKey);
const chainId = 84_532;
const argumentsText = '{"city":"Zürich","days":3}';

const cart = {
  merchant_id: 'weather "Zürich"',
  merchant_address: owner.address,
  total_amount: '0.010',
  currency: 'USDC',
  pay_to: owner.address,
};
const mandateSigned = {
  id: 'mdt_1',
  accountId: 'acc_1',
  payerAddress: owner.address,
  perTxLimit: '5',
  totalBudget: '20.0',
  expiresAt: '2030-01-01T00:00:00.000Z',
};
const approvalSigned = {
  approvalId: 'apr_1',
  serviceId: 'weather',
  toolName: 'forecast',
  argumentsHash: viemKeccak256(toHex(argumentsText)),
  payer: owner.address,
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  amount: '7500000',
  expiresAt: '2026-01-01T00:15:00.000Z',
} as const;

const statementSigned = {
  agentId: 'agt_1',
  accountId: 'acc_1',
  owner: owner.address,
  agentWallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  name: 'Research “Zürich”',
  networks: ['eip155:84532', 'eip155:8453'],
  expiresAt: '2027-01-01T00:00:00.000Z',
} as const;
const domainSigned = {
  domain: 'shop.example',
  address: owner.address,
  networks: ['eip155:8453'],
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2027-01-01T00:00:00Z',
} as const;
const agentKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const agent = privateKeyToAccount(agentKey);

const address = (text: string) => parseAddress(text) ?? expect.fail(`${text} is no address`);
const mandate: IntentMandateMessage = { ...mandateSigned, payerAddress: address(owner.address) };
const statement: AgentWalletMessage = {
  ...statementSigned,
  owner: address(statementSigned.owner),
  agentWallet: address(statementSigned.agentWallet),
  networks: [...statementSigned.networks],
};
const consent = { owner: address(owner.address), agentWallet: address(agent.address) };
const payeeDomain = {
  ...domainSigned,
  address: address(owner.address),
  networks: [...domainSigned.networks],
};
const approval: PaymentMandateMessage = {
  ...approvalSigned,
  payer: address(approvalSigned.payer),
  payTo: address(approvalSigned.payTo),
  asset: address(approvalSigned.asset),
};

const recoverySigned = {
  NameRecoveryAddress: {
    accountId: 'acc_1',
    wallet: owner.address,
    recoveryAddress: agent.address,
    nonce: '0123456789abcdef',
  },
  RecoverAccount: {
    wallet: agent.address,
    recoveryAddress: owner.address,
    recoveringAccountId: 'acc_2',
    nonce: '0123456789abcdef',
  },
  ObjectToRecovery: { id: 'rcl_1', wallet: owner.address, nonce: '0123456789abcdef' },
} as const;
const recovery = {
  NameRecoveryAddress: {
    ...recoverySigned.NameRecoveryAddress,
    wallet: address(owner.address),
    recoveryAddress: address(agent.address),
  },
  RecoverAccount: {
    ...recoverySigned.RecoverAccount,
    wallet: address(agent.address),
    recoveryAddress: address(owner.address),
  },
  ObjectToRecovery: { ...recoverySigned.ObjectToRecovery, wallet: address(owner.address) },
};
const recoveryForViem = {
  domain: { name: 'Countersign Recovery', version: '1', chainId },
  types: recoveryTypes,
} as const;

/** What viem is to sign: its own reading of the types, and messages that no code of ours has touched. */
const forViem = {
  mandate: {
    domain: { name: 'Platform Intent Mandate', version: '1', chainId },
    types: intentMandateTypes,
    primaryType: 'IntentMandate',
    message: mandateSigned,
  },
  approval: {
    domain: { name: 'Platform Payment Mandate', version: '1', chainId },
    types: paymentMandateTypes,
    primaryType: 'PaymentMandate',
    message: approvalSigned,
  },
  statement: {
    domain: { name: 'Countersign Agent Wallet', version: '1', chainId },
    types: agentWalletTypes,
    primaryType: 'AgentWallet',
    message: statementSigned,
  },
  consent: {
    domain: { name: 'Countersign Agent Wallet', version: '1', chainId },
    types: agentConsentTypes,
    primaryType: 'AgentConsent',
    message: { owner: owner.address, agentWallet: agent.address },
  },
  payeeDomain: {
    domain: { name: 'Countersign Payee Domain', version: '1' },
    types: payeeDomainTypes,
    primaryType: 'PayeeDomain',
    message: domainSigned,
  },
  recoveryNaming: {
    ...recoveryForViem,
    primaryType: 'NameRecoveryAddress',
    message: recoverySigned.NameRecoveryAddress,
  },
  recoveryClaim: {
    ...recoveryForViem,
    primaryType: 'RecoverAccount',
    message: recoverySigned.RecoverAccount,
  },
  recoveryObjection: {
    ...recoveryForViem,
    primaryType: 'ObjectToRecovery',
    message: recoverySigned.ObjectToRecovery,
  },
} as const;

const file = '../docs/spec/vectors/signatures.json';
const kept = () => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Vectors;
type Signed = { digest: `0x${string}`; signature: `0x${string}` };
type Vectors = {
  cart: Signed & { message: string };
  mandate: Signed;
  approval: Signed & { argumentsText: string };
  agentWallet: Signed;
  agentConsent: Signed;
  payeeDomain: Signed;
  recoveryNaming: Signed;
  recoveryClaim: Signed;
  recoveryObjection: Signed;
};

test('the vectors of docs/spec/signatures.md are what viem signs', async () => {
  const mandateSignature = await owner.signTypedData(forViem.mandate);
  const credential = proveMandateCredential(
    buildMandateCredential(mandate, {
      chainId,
      platformId: 'countersign',
      title: 'Weather',
      issuedAt: '2026-01-01T00:00:00.000Z',
    }),
    {
      chainId,
      payer: mandate.payerAddress,
      created: '2026-01-01T00:00:01.000Z',
      signature: mandateSignature,
    },
  );
  const vectors = {
    privateKey,
    address: owner.address,
    chainId,
    cart: {
      cart,
      message: cartMessage(cart),
      digest: viemHashMessage(cartMessage(cart)),
      signature: await owner.signMessage({ message: cartMessage(cart) }),
    },
    mandate: {
      typedData: intentMandateTypedData(mandate, chainId),
      digest: hashTypedData(forViem.mandate),
      signature: mandateSignature,
      credential,
      returned: returnedForm(credential),
    },
    approval: {
      argumentsText,
      typedData: paymentMandateTypedData(approval, chainId),
      digest: hashTypedData(forViem.approval),
      signature: await owner.signTypedData(forViem.approval),
    },
    agentWallet: {
      typedData: agentWalletTypedData(statement, chainId),
      digest: hashTypedData(forViem.statement),
      signature: await owner.signTypedData(forViem.statement),
    },
    agentConsent: {
      privateKey: agentKey,
      typedData: agentConsentTypedData(consent, chainId),
      digest: hashTypedData(forViem.consent),
      signature: await agent.signTypedData(forViem.consent),
    },
    payeeDomain: {
      typedData: payeeDomainTypedData(payeeDomain),
      digest: hashTypedData(forViem.payeeDomain),
      signature: await owner.signTypedData(forViem.payeeDomain),
    },
    recoveryNaming: {
      typedData: recoveryTypedData('NameRecoveryAddress', recovery.NameRecoveryAddress, chainId),
      digest: hashTypedData(forViem.recoveryNaming),
      signature: await owner.signTypedData(forViem.recoveryNaming),
    },
    recoveryClaim: {
      typedData: recoveryTypedData('RecoverAccount', recovery.RecoverAccount, chainId),
      digest: hashTypedData(forViem.recoveryClaim),
      signature: await owner.signTypedData(forViem.recoveryClaim),
    },
    recoveryObjection: {
      typedData: recoveryTypedData('ObjectToRecovery', recovery.ObjectToRecovery, chainId),
      digest: hashTypedData(forViem.recoveryObjection),
      signature: await owner.signTypedData(forViem.recoveryObjection),
    },
  };
  for (const form of [vectors.mandate.credential, vectors.mandate.returned])
    expect(rebuildMandateMessage(form, mandate.expiresAt)).toEqual(mandate);
  await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot(file);
});

const hashRecovery = (name: keyof typeof recovery) =>
  typedDataHasher(name, recoveryTypes[name])(recoveryDomain(chainId), recovery[name]);

test('our own code makes and reads the vectors byte for byte [dashboard.typed-data.vectors] [dashboard.agents.vectors] [dashboard.payees.domain.vectors] [dashboard.recovery.vectors]', () => {
  const vectors = kept();
  const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
  const typed = (
    data:
      | ReturnType<typeof intentMandateTypedData>
      | ReturnType<typeof paymentMandateTypedData>
      | ReturnType<typeof agentWalletTypedData>
      | ReturnType<typeof agentConsentTypedData>
      | ReturnType<typeof payeeDomainTypedData>,
  ) =>
    typedDataHasher(
      data.primaryType,
      (data.types as Record<string, Parameters<typeof typedDataHasher>[1]>)[data.primaryType] ?? [],
    )(data.domain, data.message);
  const digests = {
    cart: hashMessage(vectors.cart.message),
    mandate: typed(intentMandateTypedData(mandate, chainId)),
    approval: typed(paymentMandateTypedData(approval, chainId)),
    agentWallet: typed(agentWalletTypedData(statement, chainId)),
    agentConsent: typed(agentConsentTypedData(consent, chainId)),
    payeeDomain: typed(payeeDomainTypedData(payeeDomain)),
    recoveryNaming: hashRecovery('NameRecoveryAddress'),
    recoveryClaim: hashRecovery('RecoverAccount'),
    recoveryObjection: hashRecovery('ObjectToRecovery'),
  };
  for (const [name, digest] of Object.entries(digests)) {
    const { digest: expected, signature } = vectors[name as keyof Vectors];
    const signer = name === 'agentConsent' ? agent : owner;
    const key = Buffer.from((name === 'agentConsent' ? agentKey : privateKey).slice(2), 'hex');
    expect(hex(digest)).toBe(expected);
    expect(recoverSigner(digest, signature)?.address).toBe(signer.address);
    expect(signHash(digest, key)).toBe(signature);
  }
  expect(hex(keccak256(vectors.approval.argumentsText))).toBe(approval.argumentsHash);
});
