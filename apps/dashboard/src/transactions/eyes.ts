/** What counts for a wallet, or what others merely claim about it. */
export type Standing = 'counted' | 'claimed';

/** Whose eyes: those of the wallet `$1`, or an operator's, who sees all. */
export type Eyes = 'party' | 'operator';

/** Whether a record is the word of the wallet `$1`, of itself or its agent; an operator speaks for the payer. */
export const isOwn = `(case t.reported_by when 'payee' then coalesce(t.payee_owner, t.payee) else coalesce(t.payer_owner, t.payer) end is not distinct from $1)`;

/** Who is shown what the reporter noted, and may narrow by it: else a filter would tell what is not shown. */
export const disclosed: Readonly<Record<Eyes, string>> = { party: isOwn, operator: 'true' };

/** `any`: both, as operators see it. */
export const eyesOf = ({ standing }: { readonly standing: Standing | 'any' }): Eyes =>
  standing === 'any' ? 'operator' : 'party';
