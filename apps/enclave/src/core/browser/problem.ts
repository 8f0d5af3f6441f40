import type { OperationProblem } from '@countersign/protocol/vault/sandbox';

const messages: Readonly<Record<OperationProblem['code'], string>> = {
  no_such_element: 'No element of the page matches the selector, which must be CSS: look at the page again.',
  not_editable:
    'The element takes no such value: choose a field that can be edited and has this option or room.',
  not_visible:
    'The element cannot be seen or another one lies over it: close what covers it, or choose another.',
  navigation_failed: 'The page could not be loaded: check the address, and whether the site answers.',
  out_of_scope: 'The address is outside of the allowed_urls of the session or of the credential.',
  script_failed: 'The script threw, or its result is not JSON of at most 1 MiB, 64 levels and 100,000 items.',
  timeout: 'The page did not answer in time.',
  held: 'A secret stands in the page: submit its form first.',
  not_permitted:
    'Credentials may not be used like this: fill them into a visible field of a form that is sent by POST.',
  interrupted: 'The page changed in the meantime: look at it again, and repeat the operation.',
};

/** Ends an operation; caught once, where operations begin. */
export class OperationFailed extends Error {
  readonly problem: OperationProblem;
  constructor(code: OperationProblem['code'], message: string = messages[code]) {
    super(message);
    this.problem = { code, message };
  }
}

/** Rejects as `timeout` when `work` takes longer, in milliseconds. The work itself goes on. */
export async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OperationFailed('timeout')), limit);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
