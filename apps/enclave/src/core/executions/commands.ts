import { hash } from 'node:crypto';
import { actionKeyText, endorse } from '@countersign/audit-log/action-statement';
import { publicKeyText, type Signer } from '@countersign/audit-log/keys';
import { canonicalText } from '@countersign/audit-log/chain';
import { ok } from '@countersign/protocol/result';
import type { Handlers } from '../serve.ts';
import { hkdf } from '../keys/hkdf.ts';
import { isExpired, mintToken, readToken, type TokenParts } from './action-token.ts';
import { bundleHandler, type BundleParts } from './bundle.ts';
import { record } from './record.ts';
import type { TokensUnderWay } from './tokens-under-way.ts';

export type ControlParts = TokenParts &
  BundleParts & {
    /** Signs statements about actions. */
    readonly actionSigner: Signer;
    readonly underWay: TokensUnderWay;
  };

/** Those on executions stand apart. */
type ControlHandlers = Pick<
  Handlers,
  Exclude<keyof Handlers & `control.${string}`, 'control.run' | 'control.conclude' | 'control.newValue'>
>;

/** Answers the control plane's commands: signing, recording and keeping keys. */
export function controlHandlers(parts: ControlParts): ControlHandlers {
  const { audit, signer, keys } = parts;
  return {
    'control.policy': async ({ content, actor }) => {
      // Made here from the content: what is signed is never a hash that somebody gave.
      const bytes = hash('sha256', canonicalText(content), 'buffer');
      const digest = `sha256:${bytes.toString('hex')}`;
      const signature = signer.sign(bytes).toString('base64');
      const { tenant: tenantId, policy_id, policy_version, mode } = content;
      const detail = { policy_id, policy_version, mode, digest, signature };
      const recorded = await record(audit, { eventType: 'policy_created', tenantId, actor, detail });
      return recorded.ok ? ok({ reply: { digest, signature, ...recorded.value } }) : recorded;
    },
    'control.record': async ({ draft }) => {
      const recorded = await record(audit, draft);
      return recorded.ok ? ok({ reply: recorded.value }) : recorded;
    },
    'control.webhookKey': ({ tenantId, webhookId, generation }) => {
      const later = generation === 1 ? '' : `/${generation}`;
      const info = `countersign-control-v1/webhook/${tenantId}/${webhookId}${later}`;
      return ok({ reply: {}, body: hkdf(keys.tokenKey, info) });
    },
    'control.tenantKey': ({ tenantId }) =>
      ok({ reply: {}, body: hkdf(keys.tokenKey, `countersign-control-v1/tenant/${tenantId}`) }),
    ...tokenHandlers(parts),
    'control.actionKey': () => {
      const publicKey = actionKeyText(parts.actionSigner.publicKey);
      const auditPublicKey = publicKeyText(signer.publicKey);
      return ok({ reply: { publicKey, signature: endorse(publicKey, signer), auditPublicKey } });
    },
    'control.bundle': bundleHandler(parts),
  };
}

const tokenHandlers = (parts: ControlParts): Pick<ControlHandlers, 'control.mint' | 'control.readToken'> => ({
  'control.mint': ({ claims }) => ok({ reply: mintToken(parts, claims) }),
  'control.readToken': ({ tenantId, token }) => {
    const claims = readToken(parts, tenantId, token);
    const expired = claims !== null && isExpired(claims, parts.now());
    return ok({ reply: { claims, expired, underWay: claims !== null && parts.underWay.has(token) } });
  },
});
