import { isUrl } from '@countersign/protocol/url';
import { credentialType } from '@countersign/protocol/vault/credential';
import { checkFields, fieldsNamed, parseTemplate } from '@countersign/protocol/vault/placeholder';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { maskAddress } from './mask-address.ts';
import { type Address, address, addressOf } from './address.ts';
import { kindsBeside, logsInAlone } from './beside.ts';
import { isSubmit, makesAccount, namedBy, ofUse } from './called.ts';
import { asksSecretAlone, purposeOf, purposeOfGroup, sendNames } from './form.ts';
import { useIn } from './field-use.ts';
import { type Sensitive, sensitiveKinds } from './lexicon.ts';
import { namedByText, namedInTask } from './named.ts';
import type { ObservedForm, ObservedTarget, Review } from './observation.ts';
import { placeFacts, placeOf } from './place.ts';
import { presentedActs, presentedPlace, readScriptAt } from './presented.ts';
import { changesWhenOpened } from './request/gets.ts';
import { kindsOfAddress } from './request/kinds.ts';
import { routeOf } from './request/route.ts';
import { scriptFacts, scriptFactsOf } from './script/facts.ts';
import { operationSeen, sensitive, targetSeen } from './seen.ts';
import { wellFormed } from './well-formed.ts';

const urls = z.array(z.string());

/**
 * Everything that a verdict is made of: plain JSON, hashed by RFC 8785 and kept in the audit record, so that anyone can make
 * the verdict again. No secret, and of the page only addresses without their data and what rules found in its names; the
 * rest by salted commitments.
 */
export const reviewFacts = z.strictObject({
  version: z.literal(1),
  operation: operationSeen,
  session: z.strictObject({
    allowedUrls: urls,
    approval: z.enum(['auto', 'human', 'never']),
    task: sensitive,
    /** How many it may use. */
    credentials: z.int().min(0),
    /** More than a name of the credential went out before, so that a password alone is asked for something else. */
    sent: z.boolean().optional(),
  }),
  credential: z.nullable(z.strictObject({ type: credentialType, allowedUrls: urls })),
  page: address,
  /** Where the operation would lead: `navigate` and links. */
  destination: z.nullable(address),
  /** What opening that address would do by itself: nouns in it are reading. */
  leads: sensitive,
  /** `navigate` to an address that changes something when it is opened, as `/events/7/start`; absent: to none that is known. */
  changes: z.literal(true).optional(),
  target: z.nullable(targetSeen),
  /** Where a `fill` or a presentation would let a secret go. */
  place: z.nullable(placeFacts),
  reading: z.nullable(z.strictObject({ nodes: z.int().min(0), characters: z.int().min(0) })),
  script: z.nullable(scriptFacts),
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
    return { ...seen, url: maskAddress(seen.url, mask) };
  };
  const to = destinationOf(review);
  const reading =
    operation.operation_type === 'execute_script' ? readScriptAt(operation.value, observation.url) : null;
  const judged = {
    operation: operationFacts(review),
    target: target && targetFacts(review, target, addressSeen),
  };
  return wellFormed({
    version: 1 as const,
    ...judged,
    session: sessionFacts(review),
    credential: review.credential && {
      type: review.credential.type,
      allowedUrls: [...review.credential.allowedUrls],
    },
    page: addressSeen(observation.url),
    destination: to === null ? null : addressSeen(to),
    leads: to === null ? [] : leadsTo(to),
    ...changesOf(operation),
    place:
      reading?.kind === 'presents'
        ? presentedPlace(reading.requests, review, mask)
        : placeOf(judged, review, mask),
    reading: operation.operation_type === 'extract' ? observation.reading : null,
    script:
      reading &&
      scriptFactsOf(
        reading,
        (url) => addressSeen(url, observation.url),
        (request) => presentedActs(request, review),
      ),
    commitments: {
      operation: commit(canonicalize(wellFormed(operation)) ?? ''),
      observation: commit(canonicalize(wellFormed(observation)) ?? ''),
    },
  });
}

const changesOf = (operation: Review['operation']): Pick<ReviewFacts, 'changes'> =>
  operation.operation_type === 'navigate' && changesWhenOpened(routeOf(operation.value))
    ? { changes: true }
    : {};

const sessionFacts = (review: Review): ReviewFacts['session'] => ({
  allowedUrls: [...review.allowedUrls],
  approval: review.approval,
  task: namedInTask(review.task),
  credentials: review.credentials,
  ...(review.wasSent === true && { sent: true }),
});

const operationFacts = (review: Review): ReviewFacts['operation'] => ({
  type: review.operation.operation_type,
  ...placeholdersIn(review),
  submits: submits(review.operation, review.observation.target),
  activates: activates(review.operation, review.observation.target),
  ...(review.hasManyWords === true && { words: 'too-many' }),
});

type PlaceholderFacts = Pick<ReviewFacts['operation'], 'fields' | 'placeholders' | 'beside'>;

function placeholdersIn({ operation, credential }: Review): PlaceholderFacts {
  const { selector, value } = textsOf(operation);
  const [inSelector, inValue] = [parseTemplate(selector), parseTemplate(value)];
  if (!inSelector.ok || !inValue.ok) return { fields: [], placeholders: 'malformed' };
  const fields = fieldsNamed([...inValue.value, ...inSelector.value]);
  if (fields.length === 0) return { fields, placeholders: 'none' };
  const placed = operation.operation_type === 'fill' || operation.operation_type === 'execute_script';
  if (!placed || fieldsNamed(inSelector.value).length > 0) return { fields, placeholders: 'misplaced' };
  const known = credential === null || checkFields(inValue.value, credential.type).ok;
  return {
    fields,
    placeholders: known ? 'value' : 'unknown-field',
    ...(inValue.value.length > 1 && { beside: true }),
  };
}

const textsOf = (operation: Review['operation']): { selector: string; value: string } => ({
  selector: 'selector' in operation ? (operation.selector ?? '') : '',
  value: 'value' in operation && typeof operation.value === 'string' ? operation.value : '',
});

/** Enter sends the form of a field and presses buttons and links, Space buttons alone. */
const keys = { enter: /(^|\+)(enter|numpadenter|return)$/i, space: /(^|\+)(space|spacebar| )$/i };

/** Types of inputs that Enter or Space presses instead of sending their form. */
const pressed = /^(button|reset|checkbox|radio|file|color)$/;

function submits(operation: Review['operation'], target: ObservedTarget | null): boolean {
  if (target === null || target.form === null) return false;
  if (operation.operation_type === 'click') return isSubmit(target);
  if (operation.operation_type !== 'press') return false;
  if (keys.space.test(operation.value)) return isSubmit(target);
  return keys.enter.test(operation.value) && !pressed.test(target.type) && target.tag !== 'a';
}

function activates(operation: Review['operation'], target: ObservedTarget | null): boolean {
  if (operation.operation_type === 'click') return true;
  if (operation.operation_type !== 'press') return false;
  const isTypedInto =
    target?.tag === 'textarea' ||
    (target?.tag === 'input' && !isSubmit(target) && !pressed.test(target.type));
  return keys.enter.test(operation.value) || (keys.space.test(operation.value) && !isTypedInto);
}

/** A link that calls a script of its page leads nowhere, as long as the page is as its server made it. */
function destinationOf({ operation, observation: { target, touched } }: Review): string | null {
  if (operation.operation_type === 'navigate') return operation.value;
  const link = activates(operation, target) ? (target?.link ?? null) : null;
  return !touched && /^javascript:/i.test(link ?? '') ? null : link;
}

const leadsTo = (to: string): Sensitive[] => (isUrl(to) ? inOrder(kindsOfAddress('GET', to)) : []);

const inOrder = (found: readonly Sensitive[]): Sensitive[] =>
  sensitiveKinds.filter((kind) => found.includes(kind));

function targetFacts(
  { operation, observation, wasSent }: Review,
  target: ObservedTarget,
  addressSeen: typeof addressOf,
): NonNullable<ReviewFacts['target']> {
  const isAgain = wasSent === true && target.form !== null && asksSecretAlone(target.form);
  const isOther = isAgain || makesAccount(target, sentBy(operation, target));
  const purpose = target.form && (isOther ? 'other' : purposeOf(target.form, target));
  const isSent = submits(operation, target) && purpose === 'other';
  const group = purposeOfGroup(target);
  const isLogin = (purpose ?? group) === 'login';
  const named = namedBy({ target, operation, pageUrl: observation.url, isLogin });
  return {
    frame: addressSeen(target.frameUrl),
    use: useIn(target, target.form),
    visible: target.visible,
    covered: target.covered,
    sensitive: inOrder([...named, ...(isSent ? sentWith(target) : byOtherButton(operation, target))]),
    ...(group !== null && { group }),
    form: target.form &&
      purpose && {
        action: addressSeen(target.form.action, target.frameUrl),
        method: target.form.method,
        purpose,
      },
  };
}

/** What the button is called by which an operation sends the form: Enter in a field presses one. */
function sentBy(operation: Review['operation'], target: ObservedTarget): readonly string[] {
  if (target.form === null || !submits(operation, target)) return [];
  return isSubmit(target) ? target.names : byEnterIn(target.form);
}

/** What Enter does at a log-in or a search whose first button is for something else: `Pay as guest`. */
function byOtherButton(operation: Review['operation'], target: ObservedTarget): Sensitive[] {
  const pressed = isSubmit(target) ? [] : sentBy(operation, target);
  return pressed.some(logsInAlone) ? [] : pressed.flatMap(namedByText);
}

const byEnterIn = (form: ObservedForm): readonly string[] =>
  form.submitter?.names ?? sendNames(form)[0] ?? [];

/** What is sent with a form that is neither log-in nor search: its fields, what stands beside them, where to, and the button that Enter presses. */
function sentWith({ tag, form, titles = [] }: ObservedTarget): Sensitive[] {
  if (form === null) return [];
  const isButton = tag === 'button';
  const byEnter = isButton ? [] : byEnterIn(form).flatMap(namedByText);
  const uses = form.fields.filter(({ visible }) => visible).flatMap((field) => ofUse(useIn(field, form)));
  const method = form.method === 'POST' ? 'POST' : 'GET';
  return [
    ...byEnter,
    ...uses,
    ...kindsBeside(form, titles),
    ...(isUrl(form.action) ? kindsOfAddress(method, form.action) : []),
  ];
}
