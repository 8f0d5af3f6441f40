/** `note`: works, and could be better. `what` says what to do where it is not `ok`. */
export type Finding = { readonly outcome: 'ok' | 'note' | 'bad'; readonly what: string };

export const ok = (what: string): Finding => ({ outcome: 'ok', what });
export const note = (what: string): Finding => ({ outcome: 'note', what });
export const bad = (what: string): Finding => ({ outcome: 'bad', what });
