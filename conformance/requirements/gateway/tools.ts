import type { Requirement } from '../requirement.ts';

/** Both tools and the shape of what they answer. */
export const gatewayToolRequirements = [
  {
    id: 'gateway.tools.exactly-two',
    source: 'document 1, What the service does 2',
    behaviour: 'tools/list names exactly list_gateway_services and call_service_tool.',
    status: 'tested',
  },
  {
    id: 'gateway.list.all-services',
    source: 'document 1, Endpoints; page 1, Tools',
    behaviour:
      'list_gateway_services without input lists every registered downstream service with its tools.',
    status: 'tested',
  },
  {
    id: 'gateway.list.by-service-id',
    source: 'page 1, Tools',
    behaviour: 'With serviceId only that service is listed.',
    status: 'tested',
  },
  {
    id: 'gateway.list.by-query',
    source: 'page 1, Tools',
    behaviour: 'With query only tools whose name or description match are listed.',
    status: 'tested',
  },
  {
    id: 'gateway.list.result-shape',
    source: 'page 1, Tools',
    behaviour:
      'Each service of the result has serviceId, name, url, transport, status, tools and, where it failed, ' +
      'error.',
    status: 'tested',
  },
  {
    id: 'gateway.list.tool-shape',
    source: 'page 1, Tools',
    behaviour:
      'Each listed tool has name, description, inputSchema and, where the service declares them, ' +
      'outputSchema and annotations.',
    status: 'tested',
  },
  {
    id: 'gateway.list.structured-and-text',
    source: 'page 1, Tools',
    behaviour: 'The result stands in structuredContent and, as the same JSON, in the text of content[0].',
    status: 'tested',
  },
  {
    id: 'gateway.list.transport',
    source: 'page 1, Tools',
    behaviour: 'transport of a listed service is streamable-http or sse: the one that connected.',
    status: 'tested',
  },
  {
    id: 'gateway.list.status',
    source: 'page 1, Tools',
    behaviour: 'status of a listed service is connected, connecting or unavailable.',
    status: 'tested',
  },
  {
    id: 'gateway.list.dead-service',
    source: 'page 1, Tools',
    behaviour: 'One dead service is listed as unavailable with error and hides no other.',
    status: 'tested',
  },
  {
    id: 'gateway.list.list-changed',
    source: 'page 1, Tools',
    behaviour: 'After notifications/tools/list_changed of a service the list shows its new tools.',
    status: 'tested',
  },
  {
    id: 'gateway.call.input',
    source: 'page 1, Tools; document 1, Endpoints',
    behaviour:
      'call_service_tool takes serviceId and toolName, and optionally arguments (object, {} if absent), ' +
      'paymentPayload, idempotencyKey and dryRun.',
    status: 'tested',
  },
  {
    id: 'gateway.call.payment-payload-loose',
    source: 'page 1, Tools',
    behaviour: 'Garbage in paymentPayload is answered with an envelope, not with a protocol error.',
    status: 'tested',
  },
  {
    id: 'gateway.call.idempotency-key-length',
    source: 'page 1, Tools',
    behaviour:
      'idempotencyKey is a string of 8 to 128 characters; a shorter or longer one is refused and nothing ' +
      'is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.call.output-schema',
    source: 'page 1, Tools',
    behaviour:
      'tools/list declares the envelope as outputSchema of call_service_tool, and every result fits it.',
    status: 'tested',
  },
  {
    id: 'gateway.call.structured-and-text',
    source: 'page 1, Tools',
    behaviour: 'The envelope stands in structuredContent and, as the same JSON, in the text of content[0].',
    status: 'tested',
  },
  {
    id: 'gateway.call.is-error',
    source: 'page 1, Tools',
    behaviour: 'isError is true exactly when ok is false and the call did not run into a challenge.',
    status: 'tested',
  },
  {
    id: 'gateway.call.progress',
    source: 'page 1, Tools',
    behaviour: 'A caller that sent a progressToken gets a progress notification at each stage.',
    status: 'tested',
  },
  {
    id: 'gateway.call.progress-passed-on',
    source: 'page 1, Tools',
    behaviour:
      'Progress notifications of the downstream service are passed on to the caller whole: value, total and message; ' +
      'only a value that does not rise is replaced by the next that does.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.every-result',
    source: 'document 1, What the service does 6; document 1, GatewayEnvelope',
    behaviour:
      'Every result of call_service_tool is one envelope: free, paid, refused, challenged or failed.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.fields',
    source: 'document 1, GatewayEnvelope',
    behaviour:
      'An envelope has ok (boolean), stage, code, message, traceId, timestamp (strings) and detail (object).',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.stage',
    source: 'document 1, GatewayEnvelope',
    behaviour:
      'stage is tool_execution, compliance_check, assurance_check, payment_requested or payment_required.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.timestamp',
    source: 'document 1, GatewayEnvelope',
    behaviour: 'timestamp is ISO 8601.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.trace-id',
    source: 'document 1, GatewayEnvelope',
    behaviour:
      'traceId differs for every call and stands in the log lines and in the reported transaction of that ' +
      'call.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.call',
    source: 'document 1, GatewayEnvelope',
    behaviour: 'detail.serviceId and detail.toolName are those of the call.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.payment-made',
    source: 'document 1, GatewayEnvelope; page 1, Envelope codes',
    behaviour: 'detail.paymentMade is true exactly when a payment of this call settled.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.payment-response',
    source: 'document 1, GatewayEnvelope; page 1, Envelope codes',
    behaviour:
      'detail.paymentResponse is null or the settle response as received: success, transaction, network, ' +
      'payer and errorReason where given.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.compliance-decision',
    source: 'document 1, GatewayEnvelope',
    behaviour: 'detail.complianceDecision is the decision about the payer, or null when none was made.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.payee-compliance-decision',
    source: 'document 1, GatewayEnvelope',
    behaviour: 'detail.payeeComplianceDecision is the decision about the payee, or null when none was made.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.assurance-result',
    source: 'document 1, GatewayEnvelope',
    behaviour: 'detail.assuranceResult is the result of the assurance check, or null when none was made.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.payment-context',
    source: 'document 1, GatewayEnvelope; page 1, Envelope codes',
    behaviour:
      'detail.paymentContext is null for a free call; else x402Version, scheme, network, asset, amount, ' +
      'payTo, maxTimeoutSeconds, amountDecimal, currency, payer, cartMandate.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.payment-context.optional',
    source: 'page 1, Envelope codes',
    behaviour:
      'detail.paymentContext further holds, where they apply: resource, nonce, validBefore, approval, ' +
      'receiptId.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.downstream-content',
    source: 'document 1, GatewayEnvelope',
    behaviour:
      'detail.downstreamContent is the content that the downstream tool answered: its text unchanged; an image, audio ' +
      'or resource without its payload, with contentIndex, its place in content.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.message-is-ours',
    source: 'page 1, Tools',
    behaviour:
      'Text that a downstream wrote stands only in detail.downstreamContent and detail.paymentContext, ' +
      'never in message.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.call-fields',
    source: 'document 1, ComplianceDecision',
    behaviour:
      'A ComplianceDecision has serviceId, toolName, counterparty, passed (boolean), reasonCode, message ' +
      'and checkedAt (timestamp).',
    status: 'tested',
  },
  {
    id: 'gateway.decision.kyc-status',
    source: 'document 1, ComplianceDecision',
    behaviour: 'kycStatus of a decision is the answer of the dashboard: pending, approved or rejected.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.kyt',
    source: 'document 1, ComplianceDecision',
    behaviour:
      'kytDecision (pass, reject), kytRiskLevel (low, medium, high, severe) and kytRiskScore (number) of a ' +
      'decision are the answer of the dashboard.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.counterparty',
    source: 'document 1, ComplianceDecision; page 1, Envelope codes',
    behaviour:
      'counterparty is the address checked: the gateway wallet for the payer, accepts[0].payTo for the ' +
      'payee.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.reason-code',
    source: 'page 1, Envelope codes',
    behaviour:
      'reasonCode is APPROVED, KYC_NOT_APPROVED, KYC_NOT_FOUND, KYT_REJECTED, COMPLIANCE_API_ERROR or ' +
      'COMPLIANCE_NOT_CONFIGURED.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.passed',
    source: 'page 1, Envelope codes',
    behaviour:
      'passed is true, with reasonCode APPROVED, only when kycStatus is approved and kytDecision is pass.',
    status: 'tested',
  },
  {
    id: 'gateway.assurance-result.fields',
    source: 'document 1, AssuranceResult',
    behaviour:
      'An AssuranceResult has passed (boolean) and checkedAt, and may have errorCode, errorMessage and ' +
      'mandateId (strings).',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
