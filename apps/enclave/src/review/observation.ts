import type { CredentialType } from '@countersign/protocol/vault/credential';
import type { Operation } from '@countersign/protocol/vault/operation';

/** What the browser saw just before an operation. It holds text of the page, and so never leaves the enclave as it is. */
export type Observation = {
  /** Of the page. */
  readonly url: string;
  /** What `selector` means; null where the operation has none or it matches nothing. */
  readonly target: ObservedTarget | null;
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
  /** Name that assistive technology would read (accname 1.2), and `name`, `id`, `placeholder` of a field. */
  readonly names: readonly string[];
  readonly visible: boolean;
  /** Another element lies over its middle. */
  readonly covered: boolean;
  /** Absolute address of the link it is or stands in; null without. */
  readonly link: string | null;
  /** The form it belongs to. */
  readonly form: ObservedForm | null;
};

export type ObservedForm = {
  /** Absolute; with the `formaction` of the element, where it has one. */
  readonly action: string;
  /** `UNSAID`: GET by itself, but as a rule a script sends it. */
  readonly method: 'GET' | 'POST' | 'DIALOG' | 'UNSAID';
  /** Each field's type, `autocomplete` and names. */
  readonly fields: readonly Pick<ObservedTarget, 'type' | 'autocomplete' | 'names'>[];
};

/** What the session and the credential say, as their owner wrote it. */
export type Review = {
  readonly operation: Operation;
  readonly task: string;
  readonly approval: 'auto' | 'human' | 'never';
  readonly allowedUrls: readonly string[];
  /** The credential that placeholders mean; null when the session has none or several and none was named. */
  readonly credential: { readonly type: CredentialType; readonly allowedUrls: readonly string[] } | null;
  readonly observation: Observation;
};
