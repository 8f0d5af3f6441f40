/** A page as its server makes it, and what is done there. */
export type Page = {
  readonly name: string;
  /** Its path. */
  readonly at: string;
  readonly body: string;
  /** `fill #p`: the password; `fill #u`: the name of the account; `click #it`; `press #it`: Enter; `select #it=value`. */
  readonly steps: readonly string[];
};

export const page = (name: string, at: string, steps: string, body: string): Page => ({
  name,
  at,
  body,
  steps: steps.split(', '),
});
