/** The statement of the EIP-4361 message that a wallet signs to have the account's personal data erased. */
export const erasureStatement =
  'Erase my personal data at Countersign. This ends my mandates, API keys and sessions, and cannot be undone.';
