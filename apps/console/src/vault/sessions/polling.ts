/** Where no event tells of a change, it is seen after so long. */
export const askAgainMs = 5_000;
