import type { Requirement } from '../requirement.ts';

/** What the enclave proves about itself, and who checks it. */
export const vaultAttestationRequirements = [
  {
    id: 'vault.tee.providers',
    source: 'page 3, Two processes',
    behaviour:
      'TEE_PROVIDER is tdx, sev-snp, dstack, gramine, nitro or simulated; anything else: exit code 2.',
    status: 'tested',
  },
  {
    id: 'vault.tee.simulated-default',
    source: 'page 3, Two processes',
    behaviour: 'Without TEE_PROVIDER it is simulated, and hardware of the report is false.',
    status: 'tested',
  },
  {
    id: 'vault.tee.simulated-told',
    source: 'page 3, Two processes',
    behaviour: 'With simulated, start-up lines, /health, the report and the console say SIMULATED.',
    status: 'tested',
  },
  {
    id: 'vault.tee.provider-gives',
    source: 'page 3, Two processes',
    behaviour:
      'Each provider gives a quote over 64 bytes of report data, measurements and a sealing root secret.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.report',
    source: 'document 3, Endpoints A; page 3, Two processes',
    behaviour:
      'GET /api/v1/attestation/report answers {provider, hardware, quote (base64), reportData (hex), ' +
      'measurements, auditPublicKey, sealPublicKey, nonce, createdAt}.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.nonce',
    source: 'page 3, Two processes',
    behaviour: 'nonce=<hex> of the query comes back in nonce, as sent; without it nonce is the empty string.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.report-data',
    source: 'page 3, Two processes',
    behaviour: 'reportData is SHA-512 of the RFC 8785 text of {auditPublicKey, nonce, sealPublicKey}.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.key-form',
    source: 'page 3, Two processes',
    behaviour:
      'Keys of the report are raw bytes in base64: auditPublicKey Ed25519 with 32, sealPublicKey P-256 ' +
      'uncompressed with 65.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify',
    source: 'page 3, Two processes',
    behaviour:
      'countersign attest verify FILE|URL says offline, one by one, whether quote chain, measurements, key ' +
      'binding and nonce hold.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.exit-codes',
    source: 'page 3, Two processes; page 3, Audit log',
    behaviour:
      'attest verify exits with 0 good, 1 bad, 2 incomplete, 3 good but from a simulated TEE, and 64 where nothing ' +
      'was judged; with --json it prints JSON then, too.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.quote-chain',
    source: 'page 3, Two processes',
    behaviour:
      'With hardware, attest verify follows the signature chain of the quote up to the root of the vendor ' +
      'and refuses every changed byte.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.measurements',
    source: 'page 3, Two processes',
    behaviour: 'attest verify checks measurements against an allow-list.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.bare-evidence',
    source: 'page 3, Two processes',
    behaviour:
      'attest verify takes vendor evidence alone, as a file or on standard input, as bytes, in hex or base64: DCAP quotes v3, v4 and v5, dstack’s ' +
      'answer to GetQuote, SEV-SNP reports with --chain, Nitro documents; it says that keys are not checked.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.debug',
    source: 'page 3, Two processes',
    behaviour: 'Evidence of a TEE in debug mode is bad, whatever else holds.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.collateral',
    source: 'page 3, Two processes',
    behaviour:
      'A quote without Intel’s collateral, or with expired one, is incomplete; a forged quote is bad also then.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.tdx-module',
    source: 'issue 16, line 10',
    behaviour:
      'The TDX module is judged by the authenticated TCB info: its identity by version, MRSIGNERSEAM, SEAMATTRIBUTES and its own TCB levels; ' +
      'where it has a version the first two numbers of TEE_TCB_SVN are not held against the levels of the platform.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.guest-policy',
    source: 'issue 16, line 10',
    behaviour:
      'What a TDX guest’s owner may choose (SEPT_VE_DISABLE, MIGRATABLE, MRSERVICETD, unknown attributes) is a step of its own, refused ' +
      'unless the policy’s allow names it, and never said to be Intel’s judgement.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.vlek',
    source: 'issue 16, line 10',
    behaviour:
      'The issuers of VLEKs (ASVK) of Milan, Genoa and Turin are built in; one that nobody has is told as missing, and is no forgery.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.snp-requirements',
    source: 'issue 16, line 10',
    behaviour:
      'A policy may require least firmware versions, a VMPL and the guest policy of an SEV-SNP guest.',
    status: 'tested',
  },
  {
    id: 'vault.attestation.verify.snp-revocation',
    source: 'issue 16, line 10',
    behaviour:
      'AMD’s revocation list that was given is checked, and must be signed by the root of the chain and not expired.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
