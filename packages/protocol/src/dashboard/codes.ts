/** Business codes of the dashboard API and the HTTP status each travels with (spec: dashboard.error). */
export const dashboardCodes = {
  SUCCESS: { code: 80000000, http: 200 },
  SYSTEM_ERROR: { code: 80000001, http: 500 },
  PARAM_ERROR: { code: 80000002, http: 400 },
  REPEATED_SUBMIT: { code: 80000003, http: 409 },
  UNAUTHORIZED_OPERATION: { code: 80000004, http: 403 },
  BUSINESS_NOT_FOUND: { code: 80000011, http: 404 },
  INVALID_PARAM: { code: 80000012, http: 400 },
  AUTHENTICATION_FAILED: { code: 80000019, http: 401 },
  API_KEY_INVALID: { code: 80000040, http: 401 },
  ACCESS_TOKEN_REQUIRED: { code: 80000044, http: 401 },
  MANDATE_NOT_FOUND: { code: 80000053, http: 404 },
  MANDATE_EXPIRED: { code: 80000054, http: 400 },
  MANDATE_EXHAUSTED: { code: 80000055, http: 400 },
  INTENT_PER_TX_EXCEEDED: { code: 80000056, http: 400 },
  INTENT_BUDGET_EXCEEDED: { code: 80000057, http: 400 },
  RATE_LIMITED: { code: 80000061, http: 429 },
} as const;

export type DashboardCode = keyof typeof dashboardCodes;
