import type { ConnectionScope } from '@countersign/protocol/dashboard/oauth';
import { connectionScopes } from '@countersign/protocol/dashboard/oauth';
import { parse } from 'hono/utils/cookie';
import type { Interaction, Provider } from 'oidc-provider';
import { placeOf, shownName } from './client-metadata.ts';

/** A client that waits for its owner's word. */
export type WaitingRequest = {
  readonly interaction: Interaction;
  readonly clientId: string;
  readonly client: {
    readonly name: string | null;
    readonly verifiedHost: string | null;
    readonly documentUrl: string | null;
    readonly returnsTo: string;
  };
  readonly resource: string;
  readonly scopes: readonly ConnectionScope[];
  /** Whether `offline_access` is asked for. It gives nothing beyond: whether a client renews its tokens is said in its metadata. */
  readonly isOffline: boolean;
};

/**
 * The request of this id, if it waits in this very browser: whoever opens a link to somebody else's request has not its
 * cookie, so nobody is led to allow what another browser began.
 */
export async function findRequest(
  provider: Provider,
  uid: string,
  headers: Headers,
): Promise<WaitingRequest | null> {
  const cookies = parse(headers.get('cookie') ?? '', '_interaction');
  if (!/^[\w-]{8,64}$/.test(uid) || cookies['_interaction'] !== uid) return null;
  const interaction = await provider.Interaction.find(uid);
  if (interaction === undefined) return null;
  const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = interaction.params;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string' || typeof resource !== 'string')
    return null;
  const client = await provider.Client.find(clientId);
  if (client === undefined) return null;
  const documentUrl = client.clientIdMetadataDocument === true ? clientId : null;
  const asked = String(scope).split(' ');
  return {
    interaction,
    clientId,
    client: {
      name: shownName(client.clientName),
      verifiedHost: documentUrl === null ? null : new URL(documentUrl).host,
      documentUrl,
      returnsTo: placeOf(redirectUri),
    },
    resource,
    scopes: connectionScopes.filter((each) => asked.includes(each)),
    isOffline: asked.includes('offline_access'),
  };
}

/** Answers the request; gives where the browser goes on. */
export async function answerRequest({ interaction }: WaitingRequest, result: object): Promise<string> {
  interaction.result = result;
  await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)));
  return interaction.returnTo;
}
