/** Codes of the control plane's errors and the HTTP status of each. */
export const controlCodes = {
  invalid_request: 400,
  /** Carries `line` and `column`, counted from 1. */
  invalid_policy: 400,
  /** Nobody could ever satisfy it: too few approvers, or an approver or a service that is not there. */
  unsatisfiable_policy: 400,
  idempotency_key_required: 400,
  unauthorized: 401,
  insufficient_role: 403,
  client_certificate_required: 403,
  /** Nobody approves what they asked for. */
  self_approval: 403,
  /** The policy names others. */
  not_an_approver: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** The first call with this key and body still runs. */
  idempotency_key_in_use: 409,
  /** The request does not fit the object's current state, or the object exists already. */
  conflict: 409,
  /** Connectors need the credential. */
  credential_in_use: 409,
  /** Another rotation of the credential has not finished. */
  rotation_under_way: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** The key was used before, with another body. */
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  not_ready: 503,
} as const;

export type ControlCode = keyof typeof controlCodes;
