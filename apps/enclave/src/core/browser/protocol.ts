/** The parts of the Chrome DevTools Protocol that are used, as Chromium 147 to 156 speak it. */

export type TargetInfo = {
  readonly targetId: string;
  readonly type: string;
  /** `prerender` for a page that nobody looks at yet. */
  readonly subtype?: string;
  readonly openerId?: string;
  readonly browserContextId?: string;
};

export type FrameInfo = {
  readonly id: string;
  readonly parentId?: string;
  readonly loaderId: string;
  readonly url: string;
  readonly unreachableUrl?: string;
};

export type FrameTree = { readonly frame: FrameInfo; readonly childFrames?: readonly FrameTree[] };

export type PausedRequest = {
  readonly requestId: string;
  readonly request: {
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly hasPostData?: boolean;
    readonly postDataEntries?: readonly { readonly bytes?: string }[];
  };
  readonly frameId: string;
  readonly resourceType: string;
  readonly networkId?: string;
  readonly redirectedRequestId?: string;
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
};

export type RemoteObject = {
  readonly type: string;
  readonly subtype?: string;
  readonly objectId?: string;
  readonly value?: unknown;
};

export type Evaluated = { readonly result: RemoteObject; readonly exceptionDetails?: object };
