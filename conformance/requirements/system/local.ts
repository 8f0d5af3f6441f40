import type { Requirement } from '../requirement.ts';

/** What npm start offers once it is up: connection card, sample services, ready accounts. */
export const systemLocalRequirements = [
  {
    id: 'system.card.file',
    source: 'page 0, Connection card',
    behaviour:
      'When all is ready, and not before, DIR/local.json exists with mode 0600; a reader polling for it ' +
      'never sees a partial file.',
    status: 'tested',
  },
  {
    id: 'system.card.payment-fields',
    source: 'page 0, Connection card',
    behaviour:
      'The card holds gatewayUrl, gatewayToken, dashboardUrl, facilitatorUrl, rpcUrl, chainId, ' +
      'tokenAddress, databaseUrl and services as [{serviceId, url}].',
    status: 'tested',
  },
  {
    id: 'system.card.party-fields',
    source: 'page 0, Connection card; page 2, What npm start sets up',
    behaviour:
      'The card holds owner {privateKey, address, accountId, apiKey}, merchant {privateKey, address, ' +
      'apiKey}, operator {privateKey, address} and operatorApiKey.',
    status: 'tested',
  },
  {
    id: 'system.card.vault-fields',
    source: 'page 0, Connection card',
    behaviour: 'The card holds vaultUrl, anchorAddress and vaultUser {username, password}.',
    status: 'tested',
  },
  {
    id: 'system.card.control-plane-fields',
    source: 'page 0, Connection card',
    behaviour:
      'The card holds controlPlaneUrl, controlPlaneCa, controlPlaneKeys {admin, service, approver}, ' +
      'controlPlaneClientCert {cert, key} as paths, and webhookSecret.',
    status: 'tested',
  },
  {
    id: 'system.card.page',
    source: 'issue 17, 3',
    behaviour: 'docs/spec/connection-card.md names every member of the card.',
    status: 'tested',
  },
  {
    id: 'system.card.gateway-url',
    source: 'page 2, What npm start sets up',
    behaviour: 'gatewayUrl of the card ends in /mcp.',
    status: 'tested',
  },
  {
    id: 'system.card.merchant-signs-carts',
    source: 'page 0, Connection card',
    behaviour:
      'The carts of the sample services are signed by merchant.address of the card, whose public key the ' +
      'dashboard returns.',
    status: 'tested',
  },
  {
    id: 'system.card.vault-user-is-admin',
    source: 'page 0, Connection card',
    behaviour: 'A login with vaultUser of the card gives an access token with scope admin.',
    status: 'tested',
  },
  {
    id: 'system.card.removed-on-stop',
    source: 'page 0, Connection card',
    behaviour: 'DIR/local.json is gone once the system has stopped.',
    status: 'tested',
  },
  {
    id: 'system.sample.ping',
    source: 'page 0, Sample service quotes',
    behaviour: 'Tool ping of quotes takes {} and is free.',
    status: 'tested',
  },
  {
    id: 'system.sample.prices',
    source: 'page 0, Sample service quotes; page 0, Sample service archive',
    behaviour:
      'get_quote {symbol} costs 0.01 USDC, get_report {symbol} 5 (above the demo limit), get_tick {symbol} ' +
      '0.001, and fetch_article {id} of archive 0.02.',
    status: 'tested',
  },
  {
    id: 'system.sample.broken',
    source: 'page 0, Sample service quotes',
    behaviour: 'Tool broken of quotes takes {}, costs 0.01 USDC, settles and then answers isError.',
    status: 'tested',
  },
  {
    id: 'system.sample.no-cart',
    source: 'page 0, Sample service quotes',
    behaviour: 'Tool no_cart of quotes takes {}, costs 0.01 USDC and sends no cart mandate.',
    status: 'tested',
  },
  {
    id: 'system.sample.any-argument',
    source: 'page 0, Sample service quotes',
    behaviour: 'Every non-empty symbol or id is answered by the sample tools.',
    status: 'tested',
  },
  {
    id: 'system.sample.owner-pays',
    source: 'page 0, Sample service quotes',
    behaviour: 'The gateway wallet of npm start is the wallet of the owner on the card.',
    status: 'tested',
  },
  {
    id: 'system.sample.shop',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Beside the sample services runs a demo site with a login form; the orders behind it are shown to whoever ' +
      'logged in, until they log out.',
    status: 'tested',
  },
  {
    id: 'system.setup.accounts',
    source: 'page 2, What npm start sets up',
    behaviour:
      'Owner and merchant have accounts at the dashboard with known public keys (endpoint 1 answers 200 ' +
      'for both), also with --no-story.',
    status: 'tested',
  },
  {
    id: 'system.setup.kyc-approved',
    source: 'page 2, What npm start sets up',
    behaviour: 'POST /api/kyc/check answers kycStatus approved for owner and merchant, also with --no-story.',
    status: 'tested',
  },
  {
    id: 'system.setup.demo-mandate',
    source: 'page 2, What npm start sets up; page 0, Sample service quotes',
    behaviour: 'The owner has one active mandate with perTxLimit 1 and totalBudget 20, also with --no-story.',
    status: 'tested',
  },
  {
    id: 'system.setup.api-keys',
    source: 'page 2, What npm start sets up',
    behaviour: 'The API keys of owner and merchant on the card work, also with --no-story.',
    status: 'tested',
  },
  {
    id: 'system.setup.operator',
    source: 'page 2, What npm start sets up',
    behaviour: 'The operator wallet of the card may review KYC submissions, also with --no-story.',
    status: 'tested',
  },
  {
    id: 'system.setup.demonstration-list',
    source: 'page 2, What npm start sets up; page 2, KYC and KYT',
    behaviour:
      'npm start imports a small screening list that calls itself a demonstration; ' +
      '0x00000000000000000000000000000000000Bad01 stands on it and is rejected.',
    status: 'tested',
  },
  {
    id: 'system.setup.rate-limits',
    source: 'page 2, What npm start sets up',
    behaviour: 'Under npm start the dashboard allows 600 logins and 60000 requests a minute for one address.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
