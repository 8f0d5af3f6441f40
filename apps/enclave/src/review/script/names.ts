import type { Sink } from './findings.ts';
import { kinds, labels, newValue, type Value } from './value.ts';

/** What scripts may name, as data. A name that is in none of these lists is the page's own, and may do anything. */
const harmless = `Array ArrayBuffer BigInt Boolean DataView Date Error RangeError SyntaxError TypeError Infinity Intl
  JSON Map Math NaN Number Object Promise RegExp Set String Symbol Uint8Array Uint16Array Uint32Array Int32Array
  Float64Array WeakMap WeakSet TextEncoder TextDecoder URL URLSearchParams AbortController DOMParser XMLSerializer Event
  InputEvent KeyboardEvent MouseEvent CustomEvent HTMLElement HTMLInputElement Element Node NodeFilter NodeList
  XPathResult MutationObserver IntersectionObserver ResizeObserver FormData Headers CSS DOMRect undefined isNaN isFinite
  parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob btoa structuredClone
  setTimeout setInterval clearTimeout clearInterval queueMicrotask requestAnimationFrame cancelAnimationFrame
  requestIdleCallback getComputedStyle matchMedia performance scrollTo scrollBy scroll scrollX scrollY innerWidth
  innerHeight devicePixelRatio screen crypto dispatchEvent addEventListener removeEventListener`;

const valued: Readonly<Record<string, number>> = {
  window: kinds.global,
  self: kinds.global,
  globalThis: kinds.global,
  frames: kinds.global,
  document: kinds.document,
  location: kinds.location,
  history: kinds.history,
  localStorage: kinds.storage,
  sessionStorage: kinds.storage,
  navigator: kinds.navigator,
  fetch: kinds.fetch,
  console: kinds.console,
};

const denied: Readonly<Record<string, Sink>> = {
  ...named(
    'dynamic-code',
    'eval Function AsyncFunction GeneratorFunction Reflect Proxy importScripts trustedTypes',
  ),
  ...named(
    'worker',
    'Worker SharedWorker ServiceWorker Worklet AudioWorklet CSSAnimationWorklet serviceWorker',
  ),
  ...named(
    'message',
    'postMessage BroadcastChannel MessageChannel MessagePort opener parent top frameElement',
  ),
  ...named('clipboard', 'clipboard ClipboardItem clipboardData ClipboardEvent'),
  ...named('forbidden-api', 'indexedDB caches cookieStore openDatabase webkitStorageInfo showSaveFilePicker'),
  ...named(
    'forbidden-api',
    `XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource RTCPeerConnection webkitRTCPeerConnection
    RTCDataChannel Image Audio Request FontFace Notification PushManager PaymentRequest open sendBeacon fetchLater
    alert confirm prompt print showModalDialog external getSelection credentials PasswordCredential navigation`,
  ),
};

/** On any object: ways to another window, to code, to markup, out of the page. */
const deniedMembers: Readonly<Record<string, Sink>> = {
  ...named(
    'dynamic-code',
    'constructor __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ caller callee',
  ),
  ...named(
    'dynamic-code',
    'contentWindow contentDocument defaultView getOwnPropertyDescriptor getOwnPropertyDescriptors defineProperty defineProperties setPrototypeOf',
  ),
  ...named('markup', 'write writeln insertAdjacentHTML setHTMLUnsafe createContextualFragment'),
  ...named('clipboard', 'execCommand clipboard clipboardData'),
  ...named('message', 'postMessage opener'),
  ...named(
    'forbidden-api',
    'sendBeacon getSelection requestFullscreen insertRule addRule replaceSync adoptedStyleSheets',
  ),
  ...named('worker', 'serviceWorker audioWorklet addModule'),
};

function named(sink: Sink, names: string): Record<string, Sink> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, sink]));
}

const harmlessNames = new Set(harmless.split(/\s+/));

/** What a free name stands for: a value, the reason why it may not be used, or null when nobody knows it. */
export function globalNamed(name: string): Value | Sink | null {
  if (Object.hasOwn(valued, name)) {
    const kind = valued[name] ?? 0;
    return newValue({ kinds: kind, labels: kind === kinds.storage ? labels.stored : 0 });
  }
  if (Object.hasOwn(denied, name)) return denied[name] ?? null;
  return harmlessNames.has(name) ? newValue() : null;
}

export const deniedMember = (name: string): Sink | null =>
  Object.hasOwn(deniedMembers, name) ? (deniedMembers[name] ?? null) : null;

/** Attributes and properties whose value the browser requests, navigates to or sends a form to. */
export const urlAttributes: ReadonlyMap<string, Sink> = new Map(
  Object.entries({
    ...named('network', 'src srcset data poster background ping manifest imagesrcset profile codebase'),
    ...named('navigation', 'href xlink:href'),
    ...named('form-action', 'action formaction'),
  }),
);

export const fieldMembers = new Set([
  'value',
  'defaultValue',
  'valueAsNumber',
  'valueAsDate',
  'files',
  'selectedOptions',
  'rawValue',
]);
/** Of an element: texts, in which no element is any more. */
export const textMembers = new Set(
  'textContent innerText className id tagName nodeName text label alt title href src content dateTime name type lang'.split(
    ' ',
  ),
);
export const markupMembers = new Set(['innerHTML', 'outerHTML', 'srcdoc']);

/** Elements that a script may make: none of these requests, runs or sends anything. */
export const harmlessElements = new Set(
  'div span p ul ol li table tr td th option textarea template label b i em strong br'.split(' '),
);

/** A selector that may mean a field with a secret: by its words, or because it means every field. */
export function maySelectSecret(selector: string | null): boolean {
  if (selector === null) return true;
  if (
    /pass|pwd|secret|token|otp|\bpin\b|cvv|cvc|card|ssn|iban|2fa|mfa|totp|credential|api-?key/i.test(selector)
  )
    return true;
  return selector
    .split(',')
    .some((one) => /(^|[\s>+~])(\*|input|form|textarea)(:[\w()-]+)*$/.test(one.trim()));
}
