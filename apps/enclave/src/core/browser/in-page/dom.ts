/**
 * The part of the DOM that our isolated world in a page uses. Declared by hand, since the type libraries of
 * browsers and of Node conflict.
 */

export type Rect = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
};

export type DomNode = {
  readonly parentNode: DomNode | null;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly isConnected: boolean;
  readonly ownerDocument: unknown;
  readonly contains: (other: DomNode | null) => boolean;
  /** 2: the other stands before, 4: after. */
  readonly compareDocumentPosition: (other: DomNode) => number;
  readonly getRootNode: () => Root;
};

export type Root = DomNode & {
  readonly host?: DomElement;
  readonly activeElement: DomElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<DomElement> & { readonly length: number };
  readonly elementFromPoint: (x: number, y: number) => DomElement | null;
  readonly getElementById: (id: string) => DomElement | null;
};

export type DomElement = DomNode & {
  readonly localName: string;
  readonly id: string;
  readonly shadowRoot: Root | null;
  readonly children: Iterable<DomElement> & { readonly length: number };
  readonly isContentEditable: boolean;
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly innerText?: string;
  readonly labels?: Iterable<DomElement> | null;
  readonly form?: DomForm | null;
  readonly name?: string;
  readonly placeholder?: string;
  readonly type?: string;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  /** Negative where the page sets none. */
  readonly maxLength?: number;
  readonly href?: string;
  readonly formAction?: string;
  readonly formMethod?: string;
  readonly alt?: string;
  readonly title?: string;
  readonly multiple?: boolean;
  readonly options?: Iterable<DomOption>;
  readonly selectedOptions?: Iterable<DomOption>;
  readonly rows?: Iterable<DomElement>;
  readonly cells?: Iterable<DomElement>;
  readonly colSpan?: number;
  readonly control?: DomElement | null;
  value?: string;
  readonly closest: (selector: string) => DomElement | null;
  readonly matches: (selector: string) => boolean;
  readonly querySelectorAll: (selector: string) => Iterable<DomElement> & { readonly length: number };
  readonly getAttribute: (name: string) => string | null;
  readonly hasAttribute: (name: string) => boolean;
  readonly getBoundingClientRect: () => Rect;
  readonly checkVisibility: (options: object) => boolean;
  readonly scrollIntoView: (options: object) => void;
  readonly focus: (options?: object) => void;
  readonly select?: () => void;
  readonly replaceChildren: () => void;
  readonly dispatchEvent: (event: unknown) => boolean;
};

export type DomOption = DomElement & { selected: boolean; readonly label: string; readonly value: string };

export type DomForm = DomElement & {
  readonly action: string;
  readonly method: string;
  readonly elements: Iterable<DomElement>;
};

export type DomDocument = Root & {
  readonly body: DomElement | null;
  readonly documentElement: DomElement | null;
  readonly title: string;
  readonly hasFocus: () => boolean;
  readonly baseURI: string;
  /** Walks elements (1) and text nodes (4) in document order. */
  readonly createTreeWalker: (
    root: DomNode,
    what: number,
  ) => {
    currentNode: DomNode;
    readonly nextNode: () => DomNode | null;
    readonly previousNode: () => DomNode | null;
  };
  readonly createRange: () => { readonly selectNodeContents: (node: DomNode) => void };
};

export type DomWindow = {
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly scrollX: number;
  readonly scrollY: number;
  readonly location: { readonly href: string };
  readonly requestAnimationFrame: (then: () => void) => number;
  readonly getSelection: () => { removeAllRanges: () => void; addRange: (range: unknown) => void } | null;
  readonly getComputedStyle: (
    element: DomElement,
    part?: string,
  ) => {
    readonly content: string;
    readonly paddingLeft: string;
    readonly paddingTop: string;
    readonly clip: string;
    readonly clipPath: string;
    readonly overflowX: string;
    readonly overflowY: string;
  };
};
