/** ASCII alone: two user names that look alike are the same. E-mail addresses fit. */
const allowed = /^[a-z0-9][a-z0-9._@+-]{2,63}$/;

/** A user name as it is kept and looked for: NFKC, in lower case; null for what is none. */
export function readUserName(text: string): string | null {
  const name = text.normalize('NFKC').trim().toLowerCase();
  return allowed.test(name) ? name : null;
}

const minLength = 12;

/** Passwords are compared in one Unicode form, whichever the keyboard gave (NIST SP 800-63B, 5.1.1.2). */
export const normalPassword = (text: string): string => text.normalize('NFKC');

/** Why this cannot be a password, or null: of the text that is compared, not of the one that was typed. */
export function whyNoPassword(password: string, userName: string): string | null {
  const counted = normalPassword(password);
  if (Array.from(counted).length < minLength) return `password: must have at least ${minLength} characters`;
  return counted.toLowerCase().includes(userName) ? 'password: must not contain the user name' : null;
}
