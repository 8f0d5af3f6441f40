import { credentialType } from '@countersign/protocol/vault/credential';
import { operationTypes } from '@countersign/protocol/vault/operation';
import { checkFields, fieldsNamed, parseTemplate } from '@countersign/protocol/vault/placeholder';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { type Address, address, addressOf } from './address.ts';
import { namedByPath, namedByText, namedInTask, type Sensitive, sensitiveKinds } from './lexicon.ts';
import type { ObservedForm, ObservedTarget, Review } from './observation.ts';
import { analyseScript } from './script/analyse.ts';
import { scriptFinding } from './script/findings.ts';

const sensitive = z.array(z.enum(sensitiveKinds));
const urls = z.array(z.string());

/** What a field is for, as far as a secret may go into it. */
const fieldUses = ['secret', 'identity', 'new-secret', 'one-time-code', 'payment', 'file', 'other'] as const;

/**
 * Everything that a verdict is made of: plain JSON, hashed by RFC 8785 and kept in the audit record, so that anyone can make
 * the verdict again. No secret, and of the page only addresses without their data and what rules found in its names; the
 * rest by salted commitments.
 */
export const reviewFacts = z.strictObject({
  version: z.literal(1),
  operation: z.strictObject({
    type: z.enum(operationTypes),
    /** Fields of the credential that placeholders name, where they stand, and whether the credential has them. */
    fields: z.array(z.string().max(64)),
    placeholders: z.enum(['none', 'value', 'misplaced', 'malformed', 'unknown-field']),
    /** A key that may submit a form. */
    submits: z.boolean(),
  }),
  session: z.strictObject({
    allowedUrls: urls,
    approval: z.enum(['auto', 'human', 'never']),
    task: sensitive,
  }),
  credential: z.nullable(z.strictObject({ type: credentialType, allowedUrls: urls })),
  page: address,
  /** Where the operation would lead: `navigate` and links. */
  destination: z.nullable(address),
  target: z.nullable(
    z.strictObject({
      frame: address,
      use: z.enum(fieldUses),
      visible: z.boolean(),
      covered: z.boolean(),
      sensitive,
      form: z.nullable(
        z.strictObject({
          action: address,
          method: z.enum(['GET', 'POST', 'DIALOG', 'UNSAID']),
          purpose: z.enum(['login', 'search', 'other']),
        }),
      ),
    }),
  ),
  reading: z.nullable(z.strictObject({ nodes: z.int().min(0), characters: z.int().min(0) })),
  script: z.nullable(z.array(scriptFinding).max(200)),
  /** Salted: of the operation's text, and of what was seen. */
  commitments: z.strictObject({ operation: z.string().max(128), observation: z.string().max(128) }),
});
export type ReviewFacts = z.infer<typeof reviewFacts>;

/** RFC 8785 text of the facts: what is hashed. */
export const factsText = (facts: ReviewFacts): string => canonicalize(facts) ?? '';

/** What the session lends. */
export type Discretion = {
  /** A salted commitment; the salt is kept apart from the record. */
  readonly commit: (text: string) => string;
  /** Takes the secrets of the session out of a text: a page may write one into a path. */
  readonly mask: (text: string) => string;
};

/** Draws the facts out of what the browser saw. */
export function factsOf(review: Review, { commit, mask }: Discretion): ReviewFacts {
  const { operation, observation } = review;
  const { target } = observation;
  const addressSeen = (text: string, base?: string): Address => {
    const seen = addressOf(text, base);
    return { ...seen, url: mask(seen.url) };
  };
  return {
    version: 1,
    operation: {
      type: operation.operation_type,
      ...placeholdersIn(review),
      submits: submits(operation, target),
    },
    session: {
      allowedUrls: [...review.allowedUrls],
      approval: review.approval,
      task: namedInTask(review.task),
    },
    credential: review.credential && {
      type: review.credential.type,
      allowedUrls: [...review.credential.allowedUrls],
    },
    page: addressSeen(observation.url),
    destination: destinationOf(review, addressSeen),
    target: target && targetFacts(target, addressSeen),
    reading: operation.operation_type === 'extract' ? observation.reading : null,
    script:
      operation.operation_type === 'execute_script' ? analyseScript(operation.value).slice(0, 200) : null,
    commitments: {
      operation: commit(canonicalize(operation) ?? ''),
      observation: commit(canonicalize(observation) ?? ''),
    },
  };
}

type PlaceholderFacts = Pick<ReviewFacts['operation'], 'fields' | 'placeholders'>;

function placeholdersIn({ operation, credential }: Review): PlaceholderFacts {
  const { selector, value } = textsOf(operation);
  const [inSelector, inValue] = [parseTemplate(selector), parseTemplate(value)];
  if (!inSelector.ok || !inValue.ok) return { fields: [], placeholders: 'malformed' };
  const fields = fieldsNamed([...inValue.value, ...inSelector.value]);
  if (fields.length === 0) return { fields, placeholders: 'none' };
  const placed = operation.operation_type === 'fill' || operation.operation_type === 'execute_script';
  if (!placed || fieldsNamed(inSelector.value).length > 0) return { fields, placeholders: 'misplaced' };
  const known = credential === null || checkFields(inValue.value, credential.type).ok;
  return { fields, placeholders: known ? 'value' : 'unknown-field' };
}

const textsOf = (operation: Review['operation']): { selector: string; value: string } => ({
  selector: 'selector' in operation ? (operation.selector ?? '') : '',
  value: 'value' in operation && typeof operation.value === 'string' ? operation.value : '',
});

function submits(operation: Review['operation'], target: ObservedTarget | null): boolean {
  if (operation.operation_type === 'press')
    return /^(enter|numpadenter|return)$/i.test(operation.value) && (target?.form ?? null) !== null;
  const button =
    target !== null &&
    (target.tag === 'button'
      ? target.type !== 'button' && target.type !== 'reset'
      : ['submit', 'image'].includes(target.type));
  return operation.operation_type === 'click' && button && target.form !== null;
}

function destinationOf(
  { operation, observation }: Review,
  addressSeen: typeof addressOf,
): ReviewFacts['destination'] {
  if (operation.operation_type === 'navigate') return addressSeen(operation.value);
  const follows = operation.operation_type === 'click' || operation.operation_type === 'press';
  const link = follows ? (observation.target?.link ?? null) : null;
  return link === null ? null : addressSeen(link, observation.url);
}

function targetFacts(
  target: ObservedTarget,
  addressSeen: typeof addressOf,
): NonNullable<ReviewFacts['target']> {
  return {
    frame: addressSeen(target.frameUrl),
    use: useOf(target),
    visible: target.visible,
    covered: target.covered,
    sensitive: sensitiveIn(target),
    form: target.form && {
      action: addressSeen(target.form.action, target.frameUrl),
      method: target.form.method,
      purpose: purposeOf(target.form),
    },
  };
}

/** By the accessible name, by where the form goes, and by what kinds of fields it has. */
function sensitiveIn(target: ObservedTarget): Sensitive[] {
  const found = new Set<Sensitive>(target.names.flatMap(namedByText));
  const uses = [target, ...(target.form?.fields ?? [])].map(useOf);
  if (uses.includes('new-secret')) found.add('credential_change');
  if (uses.includes('payment')) found.add('payment');
  if (uses.includes('file')) found.add('file_upload');
  for (const url of [target.link, target.form?.action ?? null])
    if (url !== null && URL.canParse(url))
      for (const kind of namedByPath(new URL(url).pathname)) found.add(kind);
  return sensitiveKinds.filter((kind) => found.has(kind));
}

type Field = Pick<ObservedTarget, 'type' | 'autocomplete' | 'names'>;

/** HTML, Autofill; then the type; then the words of its names. The first that fits. */
const usesOfFields: readonly (readonly [
  (typeof fieldUses)[number],
  (type: string, autofill: string, words: string) => boolean,
])[] = [
  ['file', (type) => type === 'file'],
  ['payment', (_, autofill) => /\bcc-/.test(autofill)],
  ['new-secret', (_, autofill) => /\bnew-password\b/.test(autofill)],
  [
    'one-time-code',
    (_, autofill, words) =>
      /\bone-time-code\b/.test(autofill) ||
      /\b(otp|totp|one[- ]time|verification code|2fa|mfa)\b/i.test(words),
  ],
  ['new-secret', (type, _, words) => type === 'password' && /\b(new|repeat)\b/i.test(words)],
  ['secret', (type, autofill) => type === 'password' || /\bcurrent-password\b/.test(autofill)],
  ['identity', (type, autofill) => type === 'email' || /\b(username|email|tel)\b/.test(autofill)],
  ['identity', (_type, _, words) => /user|e-?mail|login|account|用户名|邮箱/i.test(words)],
  [
    'secret',
    (_type, _, words) =>
      /pass(word|phrase)?\b|secret|token|api[-_ ]?key|credential|\bdid\b|proof|密码|密钥/i.test(words),
  ],
];

function useOf({ type, autocomplete, names }: Field): (typeof fieldUses)[number] {
  const words = names.join(' ');
  return usesOfFields.find(([, fits]) => fits(type, autocomplete.toLowerCase(), words))?.[0] ?? 'other';
}

function purposeOf({ fields, method }: ObservedForm): 'login' | 'search' | 'other' {
  const uses = fields.map(useOf);
  if (uses.includes('new-secret') || uses.includes('payment') || uses.includes('file')) return 'other';
  const few = fields.length <= 6;
  if (
    few &&
    (uses.includes('secret') ||
      uses.includes('one-time-code') ||
      (uses.includes('identity') && fields.length <= 3))
  )
    return 'login';
  return method === 'GET' || method === 'UNSAID' || fields.some(({ type }) => type === 'search')
    ? 'search'
    : 'other';
}
