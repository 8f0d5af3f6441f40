import type { Requirement } from '../requirement.ts';

/** The mandate credential, its typed data and the vc endpoint. */
export const dashboardCredentialRequirements = [
  {
    id: 'dashboard.credential.context',
    source: 'document 2, Mandate verifiable credential',
    behaviour:
      '@context of a mandate credential is an array that contains https://www.w3.org/2018/credentials/v1.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.type',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'type is an array with VerifiableCredential and PlatformIntentMandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.issuer',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'issuer is did:ethr:eip155:<chainId>:<payerAddress>.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.issuance-date',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'issuanceDate is an ISO 8601 time.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.subject.ids',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'credentialSubject has mandateId, accountId and title.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.subject.payer',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'credentialSubject.payer has address (the wallet) and platformId.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.subject.budget.creation-form',
    source: 'document 2, Mandate verifiable credential',
    behaviour:
      'In the creation form budgetConstraints has totalBudget and perTransactionLimit as decimal strings ' +
      'and currency USDC.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.subject.budget.returned-form',
    source: 'document 2, Mandate verifiable credential; page 2, Mandates',
    behaviour:
      'In the form returned by vc totalBudget and perTransactionLimit of budgetConstraints are objects ' +
      '{amount, currency}.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.proof.type',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'proof.type is EthereumEip712Signature2021 and proof.proofPurpose assertionMethod.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.proof.created',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'proof.created is an ISO 8601 time.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.proof.verification-method',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'proof.verificationMethod is did:ethr:eip155:<chainId>:<payerAddress>#controller.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.proof.eip712',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'proof.eip712 has domain {name, version, chainId}, types with IntentMandate, and primaryType.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.proof.value',
    source: 'document 2, Mandate verifiable credential',
    behaviour: 'proof.proofValue is the 0x-prefixed signature given to sign.',
    status: 'tested',
  },
  {
    id: 'dashboard.credential.rebuild',
    source: 'page 2, Mandates',
    behaviour:
      'The signed message can be rebuilt from credentialSubject and mandate of the vc answer alone, and ' +
      'proofValue verifies over it.',
    status: 'tested',
  },
  {
    id: 'dashboard.typed-data.domain',
    source: 'document 2, Typed-data signature parameters',
    behaviour:
      'The typed-data domain is name Platform Intent Mandate, version 1 and chainId of the settlement ' +
      'network.',
    status: 'tested',
  },
  {
    id: 'dashboard.typed-data.primary-type',
    source: 'document 2, Typed-data signature parameters',
    behaviour: 'The primary type is IntentMandate.',
    status: 'tested',
  },
  {
    id: 'dashboard.typed-data.fields',
    source: 'document 2, Typed-data signature parameters',
    behaviour:
      'IntentMandate has id, accountId, perTxLimit, totalBudget, expiresAt as string and payerAddress as ' +
      'address.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.found',
    source: 'document 2, Endpoints 2',
    behaviour:
      'POST /api/mandates/intent/vc {apiKey, payerWalletAddress} with an active mandate answers 200 with ' +
      'data.found true, mandate, remainingBudget, usagePercent and vcJson.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.mandate-fields',
    source: 'document 2, Endpoints 2',
    behaviour:
      'data.mandate of vc has id, perTxLimit, totalBudget, usedAmount (decimal strings), transactionCount, ' +
      'expiresAt and status.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.remaining-budget',
    source: 'document 2, Endpoints 2; page 2, Mandates, Holds',
    behaviour: 'data.remainingBudget of vc is a decimal string.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.remaining-budget.held',
    source: 'page 2, Mandates, Holds',
    behaviour: 'data.remainingBudget of vc leaves out what is held.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.usage-percent',
    source: 'document 2, Endpoints 2; page 2, Mandates',
    behaviour: 'data.usagePercent of vc is used / total as a number from 0 to 100 with two digits.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.not-found',
    source: 'document 2, Endpoints 2; document 2, Errors',
    behaviour:
      'Without a valid mandate vc is 404, 80000053, with data.found false and mandate, remainingBudget, ' +
      'usagePercent, vcJson all null.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.reason',
    source: 'document 2, Endpoints 2; page 2, Mandates',
    behaviour:
      'msg of that 404 names the reason of the newest mandate: MANDATE_NOT_FOUND, MANDATE_EXPIRED, ' +
      'MANDATE_EXHAUSTED, MANDATE_REVOKED or MANDATE_PENDING.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.expired-by-clock',
    source: 'page 2, Mandates',
    behaviour: 'vc answers MANDATE_EXPIRED from the moment of expiresAt on, without a sweeper having run.',
    status: 'tested',
  },
  {
    id: 'dashboard.vc.had-mandate',
    source: 'decision 0018',
    behaviour:
      'data.hadMandate of that 404 tells whether the wallet ever had a mandate that was signed, also a deleted one; ' +
      'null where the key is of another account.',
    status: 'tested',
  },
  {
    id: 'dashboard.typed-data.vectors',
    source: 'issue 17, 3',
    behaviour:
      'Carts, mandates and approvals are signed as docs/spec/signatures.md says: its vectors, made by another ' +
      'implementation, are made and read byte for byte.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
