import { tokenRoutes } from '@countersign/protocol/vault/token-routes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { personRoutes } from '@countersign/protocol/control/person-routes';
import { createClient } from '@countersign/service/client';
import type { RelayConfig } from '../control-plane/relay.ts';
import { type Entrance, type No, passOf, whyNot } from './passes.ts';

const timeoutMs = 10_000;

type OpenEntrance = Entrance & { readonly close: () => Promise<void> };

/** Returns the vault's sign-in for people whom we vouch for. */
export function vaultEntrance(url: URL): OpenEntrance {
  const vault = createClient(tokenRoutes, vaultDialect, { baseUrl: url, timeoutMs });
  return {
    to: 'countersign-vault',
    enter: async (assertion) =>
      passOf(
        await vault.signInPerson({ body: { assertion } }),
        ({ access_token: token, expires_in: seconds, username: name }) => ({ token, seconds, name }),
      ),
    leave: async (token) => goneOf(await vault.logout({ token })),
    end: async (assertion) => noOf(await vault.endPerson({ body: { assertion } })),
    close: vault.close,
  };
}

/** The same of the control plane. */
export function controlEntrance({ url, ca }: RelayConfig): OpenEntrance {
  const tls = ca === null ? {} : { ca };
  const control = createClient(personRoutes, controlDialect, { baseUrl: url, timeoutMs, tls });
  return {
    to: 'countersign-control-plane',
    enter: async (assertion) =>
      passOf(await control.signInPerson({ body: { assertion } }), ({ token, expires_in: seconds, name }) => ({
        token,
        seconds,
        name,
      })),
    leave: async (token) => goneOf(await control.signOutPerson({ token, body: {} })),
    end: async (assertion) => noOf(await control.endPerson({ body: { assertion } })),
    close: control.close,
  };
}

/** Why it did not: null for an answer. */
function noOf(answer: Parameters<typeof whyNot>[0] | { readonly kind: 'ok' }): No | null {
  return answer.kind === 'ok' ? null : whyNot(answer);
}

/** A token that the part refuses is left already. */
const goneOf = (answer: Parameters<typeof noOf>[0]): No | null =>
  answer.kind === 'failed' ? whyNot(answer) : null;
