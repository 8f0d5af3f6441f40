/** What the wallet signs, as the statement of an EIP-4361 message, to have the account's personal data erased. */
export const erasureStatement =
  'Erase my personal data at Countersign. This ends my mandates, API keys and sessions, and cannot be undone.';
