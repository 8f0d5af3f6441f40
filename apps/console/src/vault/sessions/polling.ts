/** Polling interval for changes without an event, in milliseconds. */
export const askAgainMs = 5_000;
