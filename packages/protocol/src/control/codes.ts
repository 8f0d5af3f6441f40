/** Codes of the control plane's errors and the HTTP status of each. */
export const controlCodes = {
  invalid_request: 400,
  /** With `line` and `column`, from 1. */
  invalid_policy: 400,
  unauthorized: 401,
  insufficient_role: 403,
  client_certificate_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  not_ready: 503,
} as const;

export type ControlCode = keyof typeof controlCodes;
