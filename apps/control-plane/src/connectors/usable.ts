import type { ConnectorType, Definition } from '@countersign/protocol/control/connector';
import { operationOf } from '@countersign/protocol/control/openapi/operation';
import { placeOf } from '@countersign/protocol/control/openapi/place';
import { type CredentialType, credentialTypes } from '@countersign/protocol/vault/credential';
import { actionsOf } from './actions.ts';

/** The credentials that open a connector. Nothing here renews an access token or shows a certificate of its own. */
const opens: Readonly<Record<ConnectorType, readonly CredentialType[]>> = {
  http: ['api_key', 'username_password'],
  'mcp-tool': ['api_key', 'username_password'],
  postgres: ['api_key', 'database_connection'],
  browser: credentialTypes,
};

/** Why a credential opens no connector of a type; null where it does. */
export const whyNotOpen = (type: ConnectorType, credential: CredentialType): string | null =>
  opens[type].includes(credential)
    ? null
    : `credential_id: is of type ${credential}, which cannot be used by a ${type} connector: use one of ${opens[type].join(', ')}`;

/** Why an action can never be done, whatever its params; null where it can. */
export function whyNeverDone(
  { type, definition }: { readonly type: ConnectorType; readonly definition: unknown },
  hasCredential: boolean,
  action: string,
): string | null {
  if (type !== 'http') return null;
  const document = definition as Definition<'http'>;
  const operation = operationOf(document, action);
  if (operation === null) return 'its parameters or its body cannot be read';
  if (operation.body === 'other') return 'it takes no JSON body, and no other kind can be sent';
  return placeOf(document, operation, hasCredential) === 'none' ? noWay : null;
}

const noWay =
  'its security cannot be met: apiKey, http bearer or basic, oauth2 and openIdConnect are supported, one at a time and ' +
  'with a fixed token; mutualTLS, other http schemes and two together are not';

/** Why none of the actions can ever be done; null where one can. */
export function whyUseless(
  connector: { readonly type: ConnectorType; readonly definition: unknown },
  hasCredential: boolean,
): string | null {
  let first: string | null = null;
  for (const action of actionsOf(connector.type, connector.definition)) {
    const why = whyNeverDone(connector, hasCredential, action);
    if (why === null) return null;
    first ??= `definition: ${action} can never run, and neither can any of its other actions: ${why}`;
  }
  return first;
}
