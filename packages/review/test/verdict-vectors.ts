import type { RecordOfReview } from '../src/recorded.ts';
import { click, extract, fill, navigate, passwordField, shop, target } from './corpus/situations.ts';
import { ask, deny, recordOf, requestOf, rulesDigest } from './recorded.ts';

export type VerdictCase = { readonly name: string; readonly records: readonly RecordOfReview[] };

const allowed = recordOf(click(target()));
const asked = recordOf(click(target({ names: ['Export all'] })));
const refused = recordOf(navigate('https://elsewhere.example/'));
const write = requestOf('POST /api/theme', '{"dark":true}');
const own = { operationId: 'one', operationType: 'click', rulesDigest };
const held = {
  eventType: 'human_approval_requested',
  detail: {
    ...own,
    requests: [write],
    requestReviews: [{}],
    verdict: 'ask',
    rules: [ask('request.unknown-write')],
  },
};
const late = {
  eventType: 'policy_rejected',
  detail: {
    rulesDigest,
    request: write,
    url: `${shop}/api/theme`,
    verdict: 'deny',
    rules: [deny('request.late')],
  },
};
const { facts: _facts, ...withoutFacts } = refused.detail;
const { rulesDigest: _digest, ...withoutDigest } = refused.detail;

const with_ = ({ eventType, detail }: RecordOfReview, more: object, as = eventType): RecordOfReview => ({
  eventType: as,
  detail: { ...detail, ...more },
});

const same: readonly VerdictCase[] = [
  { name: 'nothing is said against it', records: [allowed] },
  {
    name: 'a secret goes into a log-in',
    records: [recordOf(fill('{{CREDENTIAL.password}}', passwordField()))],
  },
  { name: 'a person is asked', records: [asked] },
  {
    name: 'a person is asked, and agrees',
    records: [asked, with_(asked, { phase: 'intent', approvedBy: 'user:olga' }, 'sandbox_operation')],
  },
  { name: 'it leads elsewhere', records: [refused] },
  {
    name: 'the second judge asks a person',
    records: [recordOf(click(target()), { verdict: 'ask', reason: 'unusual' })],
  },
  { name: 'the second judge is silent', records: [recordOf(click(target()), 'silent')] },
  {
    name: 'the page is no longer the one that was agreed to',
    records: [
      with_(
        asked,
        {
          approvedBy: 'user:olga',
          beyondFacts: ['approval.page-changed'],
          verdict: 'deny',
          rules: [ask('intent.bulk_export'), deny('approval.page-changed')],
        },
        'policy_rejected',
      ),
    ],
  },
  {
    name: 'an export of much that the task does not name',
    records: [with_(recordOf(extract(900, 90_000)), { operationType: 'export' }, 'policy_rejected')],
  },
  { name: 'a request is held', records: [allowed, held] },
  {
    name: 'too many requests are held',
    records: [
      allowed,
      with_(
        held,
        {
          requestReviews: [{ beyondFacts: ['request.too-many'] }],
          verdict: 'deny',
          rules: [ask('request.unknown-write'), deny('request.too-many')],
        },
        'policy_rejected',
      ),
    ],
  },
  {
    name: 'a request deletes',
    records: [
      allowed,
      with_(
        held,
        { requests: [requestOf('DELETE /api/orders/7')], verdict: 'deny', rules: [deny('request.delete')] },
        'policy_rejected',
      ),
    ],
  },
  { name: 'a request comes late', records: [late] },
  {
    name: 'a request comes late that was refused before',
    records: [with_(late, { waived: ['request.unknown-write'], refusedBefore: true })],
  },
];

const differing: readonly VerdictCase[] = [
  {
    name: 'a refusal became a yes',
    records: [
      with_(
        refused,
        { phase: 'intent', verdict: 'allow', rules: [{ rule: 'none', verdict: 'allow' }] },
        'sandbox_operation',
      ),
    ],
  },
  { name: 'nobody agreed', records: [with_(asked, { phase: 'intent' }, 'sandbox_operation')] },
  {
    name: 'a person agreed to what is refused',
    records: [with_(refused, { phase: 'intent', approvedBy: 'user:olga' }, 'sandbox_operation')],
  },
  { name: 'another rule', records: [with_(refused, { rules: [deny('scope.page')] })] },
  {
    name: 'an objection that no list has',
    records: [
      with_(
        allowed,
        {
          beyondFacts: ['because.i-say-so'],
          verdict: 'deny',
          rules: [{ rule: 'none', verdict: 'allow' }, deny('because.i-say-so')],
        },
        'policy_rejected',
      ),
    ],
  },
  {
    name: 'another request than was held',
    records: [allowed, with_(held, { requests: [requestOf('DELETE /api/orders/7')] })],
  },
  {
    name: 'done, and no verdict',
    records: [with_(refused, { phase: 'intent', verdict: undefined, rules: undefined }, 'sandbox_operation')],
  },
  {
    name: 'done, and no facts',
    records: [with_(allowed, { facts: undefined })],
  },
  {
    name: 'done, though the facts were too large',
    records: [with_(allowed, { facts: undefined, factsSha256: '3'.repeat(64) })],
  },
  { name: 'facts of another operation', records: [with_(allowed, { operationType: 'fill' })] },
  { name: 'no digest after one', records: [allowed, with_(allowed, { rulesDigest: undefined })] },
  { name: 'facts that are none', records: [with_(refused, { facts: { version: 2 } })] },
];

const notJudged: readonly VerdictCase[] = [
  { name: 'an earlier build', records: [{ ...refused, detail: withoutDigest }] },
  { name: 'other rules', records: [with_(refused, { rulesDigest: '2'.repeat(64) })] },
  {
    name: 'too much for a record',
    records: [
      {
        ...refused,
        detail: {
          ...withoutFacts,
          factsSha256: '3'.repeat(64),
          rules: [deny('scope.destination'), deny('record.too-large')],
        },
      },
    ],
  },
  { name: 'held requests without their operation', records: [held] },
  {
    name: 'an address that the gate refused',
    records: [
      {
        eventType: 'policy_rejected',
        detail: { url: 'https://elsewhere.example/', verdict: 'deny', rules: [deny('scope.request')] },
      },
    ],
  },
  {
    name: 'no verdict at all',
    records: [
      {
        eventType: 'sandbox_operation',
        detail: { phase: 'outcome', operationId: 'one', status: 'executed' },
      },
    ],
  },
];

/** The lines of `docs/spec/vectors/verdicts.jsonl`, without what they come to. */
export const verdictCases: Readonly<Record<'same' | 'differs' | 'not-judged', readonly VerdictCase[]>> = {
  same,
  differs: differing,
  'not-judged': notJudged,
};
