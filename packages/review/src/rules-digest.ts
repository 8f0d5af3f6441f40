/** Put in when the program is built, or its tests begin: `cli/bin/rules-digest.js`. */
declare const COUNTERSIGN_RULES_DIGEST: string;

/**
 * SHA-256, in lower-case hex, of the rules of this build: of all code that makes a verdict of facts. Each record of a verdict names it
 * (spec: vault.review.rules-digest).
 */
export const rulesDigest: string = COUNTERSIGN_RULES_DIGEST;
