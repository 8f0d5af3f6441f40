import type { CredentialType } from '@countersign/protocol/vault/credential';
import type { KnownPlace } from '@countersign/protocol/vault/credential-use';
import type { Operation } from '@countersign/protocol/vault/operation';

/** What the browser saw just before an operation. It holds text of the page, and so never leaves the enclave as it is. */
export type Observation = {
  /** Of the page. */
  readonly url: string;
  /** What `selector` means; null where the operation has none or it matches nothing. */
  readonly target: ObservedTarget | null;
  /** Whether the page may be another than the one that its server made: scripts, markup of the agent, changed forms. */
  readonly touched: boolean;
  /** How much `extract` would read. */
  readonly reading: { readonly nodes: number; readonly characters: number } | null;
};

export type ObservedTarget = {
  /** Of the frame in which the element stands. */
  readonly frameUrl: string;
  /** Lower-case. */
  readonly tag: string;
  /** `type` of an input or button, lower-case; empty without. */
  readonly type: string;
  /** As written. */
  readonly autocomplete: string;
  /** Its `name`, else its `id`, else its type with its label: what a site knows the field by. */
  readonly field: string;
  /** Name that assistive technology would read (accname 1.2), and `name`, `id`, `placeholder` of a field. */
  readonly names: readonly string[];
  readonly visible: boolean;
  /** Another element lies over its middle. */
  readonly covered: boolean;
  /** Absolute address of the link it is or stands in; null without. */
  readonly link: string | null;
  /** The form it belongs to. */
  readonly form: ObservedForm | null;
  /** Of a field or button without a form: the fields and buttons that stand together with it. */
  readonly group?: readonly ObservedField[];
  /** Sentences that a person reads above and in that form or group, of whatever elements; of a short button, directly above it. */
  readonly titles?: readonly string[];
  /** A digest of what its form or group holds, those fields too that nobody sees. */
  readonly filled?: string;
  /** Of ARIA, as written. */
  readonly role?: string;
  /** Pressing it unfolds a part of the page (a tab, an accordion, a menu), or goes to a place (in a navigation, to a part of its page, a column that is sorted). */
  readonly shows?: 'part' | 'place';
  /** Of a list: value and text of what may be chosen. */
  readonly options?: readonly (readonly [value: string, text: string])[];
};

export type ObservedForm = {
  /** Absolute; with the `formaction` of the element, where it has one. */
  readonly action: string;
  /** `UNSAID`: GET by itself, but as a rule a script sends it. */
  readonly method: 'GET' | 'POST' | 'DIALOG' | 'UNSAID';
  /** Where any of its buttons would send it instead. */
  readonly otherActions?: readonly string[];
  /** By which method any of its buttons would, upper-case. */
  readonly otherMethods?: readonly string[];
  /** The button that sends it: the one that is acted on, else the one by which Enter in a field does. */
  readonly submitter?: { readonly names: readonly string[] } | null;
  /** All its fields and buttons, in their order: those too that a person does not see. */
  readonly fields: readonly ObservedField[];
};

export type ObservedField = Pick<ObservedTarget, 'tag' | 'type' | 'autocomplete' | 'names' | 'visible'> & {
  /** Of a field that nobody sees: what it says, where that is a word or two; `?` for anything else. */
  readonly value?: string;
  /** It shows something that nobody can change. */
  readonly fixed?: true;
  /** It takes one sign. */
  readonly single?: true;
};

/** What the session and the credential say, as their owner wrote it. */
export type Review = {
  readonly operation: Operation;
  readonly task: string;
  readonly approval: 'auto' | 'human' | 'never';
  readonly allowedUrls: readonly string[];
  /** How many credentials the session may use. */
  readonly credentials: number;
  /** The credential that placeholders mean; null when the session has none or several and none was named. */
  readonly credential: {
    readonly type: CredentialType;
    readonly allowedUrls: readonly string[];
    /** Where it was allowed; absent: nowhere so far. `agreed`: a person has approved the very operations. */
    readonly uses?: readonly KnownPlace[] | 'agreed';
  } | null;
  readonly observation: Observation;
  /** It has more words than the session has room for. */
  readonly hasManyWords?: boolean;
  /** In this session more of the credential than a name went out; where none is meant, of any. */
  readonly wasSent?: boolean;
};
