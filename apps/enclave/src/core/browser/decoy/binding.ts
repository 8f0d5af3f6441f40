import { isUrl } from '@countersign/protocol/url';
import { allowsUrl, type UrlPattern } from '@countersign/protocol/vault/url-scope';
import type { Secret } from '../browser.ts';
import type { FieldFacts } from '../in-page/describe.ts';
import type { PausedRequest } from '../protocol.ts';
import { type BodyField, fieldsOf, objectsIn } from './body.ts';
import type { Fill, Fills } from './fills.ts';

/** What is known of the frame that sends a request. */
export type Sender = {
  readonly loaderId: string;
  /** Whether the agent had a hand in its document. */
  readonly isTouched: boolean;
} | null;

/** A place in a body, and the fill whose text is to stand there. */
export type Replacement = { readonly field: BodyField; readonly fill: Fill };

export type Judgement =
  | { readonly kind: 'clean' }
  /** A decoy stands where it has no business. */
  | { readonly kind: 'alarm' }
  /** So it does, but it is the page's own site that would hear of it, by what its page does of itself. */
  | { readonly kind: 'own-site' }
  | {
      readonly kind: 'deliver';
      readonly body: Buffer;
      readonly replacements: readonly Replacement[];
      /** The enclave itself made it, from text that was reviewed. */
      readonly isPresentation: boolean;
    };

/** Decides whether a request is the one that a fill was made for. */
export function judgeRequest(
  fills: Fills,
  paused: PausedRequest,
  sender: Sender,
  scope: readonly UrlPattern[],
): Judgement {
  if (fills.isEmpty) return { kind: 'clean' };
  const body = bodyOf(paused);
  const presented = presentedIn(fills, paused, sender, body);
  const replacements = presented ?? replacementsIn(fills, paused, sender, scope, body);
  const head = Buffer.from(`${headOf(paused)}\n`);
  if (fills.isIn(Buffer.concat([head, withoutPlaces(body, replacements)])))
    return { kind: !fills.isIn(head) && isOwnSite(fills, paused, sender) ? 'own-site' : 'alarm' };
  return replacements.length === 0
    ? { kind: 'clean' }
    : { kind: 'deliver', body, replacements, isPresentation: presented !== null };
}

/**
 * Whether a page in which the agent had no hand tells its own site, by a script, what was typed into it: while it is typed, to hear
 * how strong it is, or as telemetry.
 */
function isOwnSite(fills: Fills, paused: PausedRequest, sender: Sender): boolean {
  const { request, frameId, resourceType, redirectedRequestId } = paused;
  return (
    sender?.isTouched === false &&
    redirectedRequestId === undefined &&
    /^(XHR|Fetch|Ping)$/.test(resourceType) &&
    /^(POST|PUT|PATCH)$/.test(request.method) &&
    fills
      .all()
      .some(
        (fill) =>
          fill.frameId === frameId &&
          fill.loaderId === sender.loaderId &&
          isUrl(request.url) &&
          new URL(request.url).origin === fill.origin,
      )
  );
}

/** Where decoys stand in a request that the enclave itself makes: in this very one, and once. Null for any other. */
function presentedIn(
  { presentations }: Fills,
  { request, frameId, resourceType, redirectedRequestId }: PausedRequest,
  sender: Sender,
  body: Buffer,
): readonly Replacement[] | null {
  const presented = [...presentations].find(
    (one) =>
      /^(XHR|Fetch)$/.test(resourceType) &&
      redirectedRequestId === undefined &&
      request.method === one.method &&
      isSameAddress(request.url, one.url) &&
      frameId === one.frameId &&
      sender?.loaderId === one.loaderId &&
      body.equals(one.body) &&
      one.places.every(({ fill }) => fill.sentTo === null),
  );
  return presented?.places ?? null;
}

/** Whether a secret may be sent there. */
export const maySend = (secret: Secret, scope: readonly UrlPattern[], url: string): boolean =>
  allowsUrl(scope, url) && (secret.allowedUrls.length === 0 || allowsUrl(secret.allowedUrls, url));

/** As the page has it. */
export function bodyOf({ request }: PausedRequest): Buffer {
  return Buffer.concat(
    (request.postDataEntries ?? []).map(({ bytes }) => Buffer.from(bytes ?? '', 'base64')),
  );
}

/** Whether Chromium told all of it: it keeps streams and files to itself, and what is very long is not read. */
export const isBodyThere = ({ request: { hasPostData, postDataEntries = [] } }: PausedRequest): boolean =>
  hasPostData !== true ||
  (postDataEntries.length > 0 && postDataEntries.every(({ bytes = '' }) => bytes !== ''));

function headOf({ request }: PausedRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [request.method, request.url, request.urlFragment ?? '', ...headers].join('\n');
}

/** The body with nothing where secrets are to stand. */
export function withoutPlaces(body: Buffer, replacements: readonly Replacement[]): Buffer {
  const rest = Buffer.from(body);
  for (const { field } of replacements) rest.fill(0x20, field.start, field.end);
  return rest;
}

function replacementsIn(
  fills: Fills,
  paused: PausedRequest,
  sender: Sender,
  scope: readonly UrlPattern[],
  body: Buffer,
): Replacement[] {
  const open = fills.all().filter((fill) => isBound(fill, paused, sender, scope));
  const kind = header(paused, 'content-type');
  const fields = [...fieldsOf(body, kind), ...open.flatMap(({ typed }) => objectsIn(body, kind, typed))];
  const taken = new Set<Fill>();
  const bound = fields.flatMap((field) => {
    const fill = open.find((one) => !taken.has(one) && isMeant(one, field, paused));
    if (fill === undefined) return [];
    taken.add(fill);
    return [{ field, fill }];
  });
  if (bound.length === 0) return [];
  const again = fields
    .filter((field) => !bound.some((one) => one.field === field))
    .flatMap((field) => {
      const fill = toldAgain(fills, bound, field, new URL(paused.request.url).origin);
      return fill === undefined ? [] : [{ field, fill }];
    });
  return [...bound, ...again].toSorted((a, b) => a.field.start - b.field.start);
}

/**
 * What this site was told before, it may be told again beside what is new: the user's name beside the password. So may
 * what the page copies into a second field of the usual kind.
 */
function toldAgain(
  fills: Fills,
  bound: readonly Replacement[],
  { name, value }: BodyField,
  origin: string,
): Fill | undefined {
  const told = fills
    .all()
    .find(
      (fill) => fill.sentTo === origin && fill.typed === value && (isName(fill) || isCalledSo(fill, name)),
    );
  const copied = bound.find(
    ({ fill }) => fill.typed === value && usualNames(fill.field).test(plainName(name)),
  );
  return told ?? copied?.fill;
}

/** As the field in which it was typed, or as such fields are; a password is told to no comment a second time. */
function isCalledSo({ field }: Fill, name: string): boolean {
  const called = plainName(name);
  return (field?.names ?? []).map(plainName).includes(called) || usualNames(field).test(called);
}

function isBound(fill: Fill, paused: PausedRequest, sender: Sender, scope: readonly UrlPattern[]): boolean {
  const { request, frameId } = paused;
  const origin = header(paused, 'origin');
  return (
    (fill.sentTo === null || isName(fill)) &&
    frameId === fill.frameId &&
    sender?.loaderId === fill.loaderId &&
    paused.redirectedRequestId === undefined &&
    (origin === '' || origin === 'null' || origin === fill.origin) &&
    fill.parts.every((part) => typeof part === 'string' || maySend(part.secret, scope, request.url)) &&
    isWay(fill, paused)
  );
}

/** How a page sends what was filled: by its form, or by a script. */
const isWay = (fill: Fill, paused: PausedRequest): boolean =>
  paused.resourceType === 'Document'
    ? isSubmission(fill, paused)
    : isCall(fill, paused) || (isName(fill) && isScripted(paused));

/** The name of an account is no secret: a page may look it up while it is typed, and as often as it likes. */
const isName = ({ parts }: Fill): boolean =>
  parts.every((part) => typeof part === 'string' || part.secret.isName === true);

/** True if a person logs in with it, not a machine. */
const isAccount = ({ parts }: Fill): boolean =>
  parts.every((part) => typeof part === 'string' || part.secret.isAccount === true);

const isScripted = ({ request, resourceType }: PausedRequest): boolean =>
  /^(XHR|Fetch)$/.test(resourceType) && /^(POST|PUT|PATCH)$/.test(request.method);

/** The form itself is sent, to where it said when it was filled. */
function isSubmission({ field }: Fill, { request }: PausedRequest): boolean {
  const form = field?.form ?? null;
  if (form === null || request.method !== 'POST') return false;
  return [form.action, ...form.otherActions].some((action) => isSameAddress(action, request.url));
}

/** A script of the page sends it. Where the form says where it goes, the script has no say. */
function isCall({ field }: Fill, paused: PausedRequest): boolean {
  if (!isScripted(paused)) return false;
  const form = field?.form ?? null;
  const isSaid = form !== null && form.says.action && form.method === 'post';
  return !isSaid || isSameAddress(form.action, paused.request.url);
}

function isSameAddress(one: string, other: string): boolean {
  if (!isUrl(one) || !isUrl(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  [a.hash, b.hash] = ['', ''];
  return a.href === b.href;
}

/** Whether this field of a body is where the fill's text goes. */
function isMeant(fill: Fill, { name, value }: BodyField, { resourceType }: PausedRequest): boolean {
  if (value !== fill.typed) return false;
  if (resourceType === 'Document') return fill.field?.name === name;
  // An object that is the whole text: the page has read the text, and nobody knows what it calls it.
  if (name === '' && value.startsWith('{')) return true;
  // The name of an account is no secret, and stands in whatever field the agent fills it into: a script calls it as it likes.
  return isAccount(fill) || isCalledSo(fill, name);
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** What scripts call what stands in such a field. */
const usualNames = (field: FieldFacts | null): RegExp =>
  field?.type === 'password' ? passwordNames : field === null ? allNames : otherNames;
const passwordNames = /pass|pwd|secret|pin$|^pw|credential/;
const otherNames = /user|login|mail|ident|account|name|phone|otp|code|token|pin$|key|secret|card|number/;
const allNames = new RegExp(`${passwordNames.source}|${otherNames.source}`);

const header = ({ request }: PausedRequest, name: string): string =>
  Object.entries(request.headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
