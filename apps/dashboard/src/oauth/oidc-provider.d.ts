/** oidc-provider has no types; these are the few that we use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = Readonly<Record<string, unknown>>;

  export type Adapter = {
    readonly upsert: (id: string, payload: Payload, expiresIn?: number) => Promise<void>;
    readonly find: (id: string) => Promise<Payload | undefined>;
    readonly findByUid: (uid: string) => Promise<Payload | undefined>;
    readonly findByUserCode: (code: string) => Promise<Payload | undefined>;
    readonly consume: (id: string) => Promise<void>;
    readonly destroy: (id: string) => Promise<void>;
    readonly revokeByGrantId: (grantId: string) => Promise<void>;
  };

  export type Client = {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientIdMetadataDocument?: true;
    grantTypeAllowed(type: string): boolean;
  };

  /** The parts of Koa's context that we use. */
  export type Context = {
    body: unknown;
    type: string;
    status: number;
    set(name: string, value: string): void;
    remove(name: string): void;
    readonly oidc: {
      readonly route: string;
      readonly client?: Client;
      readonly params?: Payload;
      readonly result?: { readonly consent?: { grantId?: string } };
    };
  };

  export class Interaction {
    static find(uid: string): Promise<Interaction | undefined>;
    readonly uid: string;
    readonly exp: number;
    readonly returnTo: string;
    readonly params: Payload;
    result?: object;
    save(ttlSeconds: number): Promise<string>;
  }

  export class Grant {
    static find(id: string): Promise<Grant | undefined>;
    constructor(about: { clientId: string; accountId: string });
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly Client: { find(id: string): Promise<Client | undefined> };
    readonly Grant: typeof Grant;
    readonly Interaction: typeof Interaction;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(
      event: 'authorization.error' | 'server_error',
      listener: (context: Context, error: Error & { error?: string }) => void,
    ): this;
    on(event: 'grant.revoked', listener: (context: Context, grantId: string) => void): this;
  }

  export namespace errors {
    class InvalidGrant extends Error {
      constructor(detail: string);
    }
    class InvalidTarget extends Error {
      constructor(description?: string);
    }
  }

  export namespace interactionPolicy {
    function base(): unknown;
  }
}
