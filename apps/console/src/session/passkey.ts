import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** The dashboard made these options by the same standard, and judges what comes of them. */
type Options = { readonly challenge: string };

/** A new passkey as the dashboard reads it; null when the person or the browser made none. */
export async function makePasskey(options: Options) {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject } = response;
    return { id, rawId, type, response: { clientDataJSON, attestationObject } };
  } catch {
    return null;
  }
}

/** A passkey that signed the challenge; null when the person or the browser showed none. */
export async function showPasskey(options: Options) {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
  } catch {
    return null;
  }
}
