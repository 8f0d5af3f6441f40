/** Kinds of what a script may do beside reading. */
export const actKinds = [
  'write',
  'click',
  'event',
  'focus',
  'markup',
  'request',
  'message',
  'timer',
  'listener',
  'storage',
  'navigation',
  'scroll',
  'dialog',
  'code',
  'device',
] as const;
export type ActKind = (typeof actKinds)[number];

/** Operations that do what a script would do. */
export const insteads = [
  'click',
  'fill',
  'select',
  'press',
  'navigate',
  'scroll',
  'wait',
  'extract',
] as const;
export type Instead = (typeof insteads)[number];

/** Something that a script would do to the page or beyond it. */
export type Act = {
  readonly what: ActKind;
  /** From 1. */
  readonly line: number;
  /** The operation that does the same; null where there is none. */
  readonly instead: Instead | null;
};

export type Deed = Pick<Act, 'what' | 'instead'>;
type Table = ReadonlyMap<string, Deed>;

const table = (...rows: readonly (readonly [names: string, what: ActKind, instead?: Instead])[]): Table =>
  new Map(
    rows.flatMap(([names, what, instead = null]) =>
      names.split(' ').map((name) => [name, { what, instead }] as const),
    ),
  );

/** Names that are nothing but a way to act, on whatever they stand: it is enough that one is named. */
export const actingMembers = table(
  ['click submit requestSubmit', 'click', 'click'],
  ['dispatchEvent fireEvent initEvent', 'event', 'click'],
  ['execCommand', 'event', 'press'],
  ['setRangeText stepUp stepDown', 'write', 'fill'],
  [
    'setAttribute removeAttribute toggleAttribute setAttributeNS removeAttributeNS setAttributeNode',
    'markup',
  ],
  ['appendChild insertBefore removeChild replaceChild replaceWith replaceChildren', 'markup'],
  ['insertAdjacentHTML insertAdjacentElement insertAdjacentText setHTML setHTMLUnsafe', 'markup'],
  ['attachShadow showModal showPopover hidePopover togglePopover showPicker', 'markup'],
  ['setProperty removeProperty insertRule deleteRule writeln requestFullscreen', 'markup'],
  ['fetch XMLHttpRequest', 'request', 'extract'],
  ['sendBeacon WebSocket EventSource WebTransport RTCPeerConnection', 'request'],
  ['postMessage Worker SharedWorker BroadcastChannel serviceWorker', 'message'],
  ['addEventListener removeEventListener attachEvent', 'listener'],
  ['setTimeout setInterval requestAnimationFrame requestIdleCallback', 'timer', 'wait'],
  ['MutationObserver IntersectionObserver ResizeObserver PerformanceObserver', 'timer', 'wait'],
  ['scrollTo scrollBy scrollIntoView scrollIntoViewIfNeeded', 'scroll', 'scroll'],
  ['pushState replaceState', 'navigation', 'navigate'],
  ['eval importScripts', 'code'],
  ['indexedDB cookieStore caches', 'storage'],
  ['clipboard geolocation mediaDevices sendKeys showOpenFilePicker showSaveFilePicker', 'device'],
  ['setSelectionRange setCustomValidity', 'write', 'fill'],
);

/** Names of the window that act where they are the script's no own: it is enough that one is named. */
export const actingGlobals: Table = new Map([
  ...actingMembers,
  ...table(['Function', 'code'], ['Image Audio', 'request'], ['Notification', 'device']),
]);

/** Functions of the window that act when they are called. */
export const calledGlobals = table(
  ['open', 'navigation', 'navigate'],
  ['alert confirm prompt print', 'dialog'],
  ['close stop moveTo moveBy resizeTo resizeBy', 'device'],
  ['focus blur', 'focus', 'press'],
  ['scroll', 'scroll', 'scroll'],
);

/** Methods that act when they are called on what may be of the page: others have methods of the same name. */
export const calledMembers = table(
  ['remove append prepend before after normalize animate', 'markup'],
  ['focus blur select', 'focus', 'press'],
  ['reset', 'click', 'click'],
  ['scroll', 'scroll', 'scroll'],
  ['play pause load show', 'click', 'click'],
);

/** Methods of one object of the window. */
export const calledOn: ReadonlyMap<string, Table> = new Map([
  ['location', table(['assign replace reload', 'navigation', 'navigate'])],
  ['history', table(['back forward go', 'navigation', 'navigate'])],
  ['document', table(['open write close', 'markup'])],
  ['localStorage', table(['setItem removeItem clear', 'storage'])],
  ['sessionStorage', table(['setItem removeItem clear', 'storage'])],
  ['classList', table(['add remove toggle replace', 'markup'])],
]);

/** What a write to a member of the page does. Of any other name it is markup. */
export const written = table(
  ['value valueAsNumber valueAsDate defaultValue files', 'write', 'fill'],
  ['checked defaultChecked indeterminate open', 'write', 'click'],
  ['selected selectedIndex', 'write', 'select'],
  ['location href hash search pathname host hostname port protocol', 'navigation', 'navigate'],
  ['scrollTop scrollLeft', 'scroll', 'scroll'],
  ['cookie', 'storage'],
);

/** Members that elements have and things of a script seldom: who writes one to something unknown means an element. */
export const membersOfElements: ReadonlySet<string> = new Set(
  (
    'value valueAsNumber checked indeterminate selected selectedIndex files textContent innerText innerHTML outerHTML ' +
    'outerText nodeValue className href src srcdoc srcset action formAction disabled readOnly required contentEditable ' +
    'hidden scrollTop scrollLeft tabIndex cssText returnValue designMode cookie location defaultValue style'
  ).split(' '),
);
