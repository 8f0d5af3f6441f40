type Money = string | { readonly amount: string };

type WithLimits = {
  readonly credentialSubject: {
    readonly budgetConstraints: { readonly totalBudget: Money; readonly perTransactionLimit: Money };
  };
};

const text = (money: Money): string => (typeof money === 'string' ? money : money.amount);

/** The two signed limits of a credential, whichever form it is in. Apart from the schemas, so that a page can read them. */
export function signedLimits({ credentialSubject }: WithLimits): { perTxLimit: string; totalBudget: string } {
  const { totalBudget, perTransactionLimit } = credentialSubject.budgetConstraints;
  return { perTxLimit: text(perTransactionLimit), totalBudget: text(totalBudget) };
}
