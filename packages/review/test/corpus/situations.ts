import type { ObservedForm, ObservedTarget, Review } from '../../src/observation.ts';

/** What a rule objects to: its id, what happens, and whether that is rejected or put before a person. */
export type Objectionable = readonly [
  rule: string,
  situation: string,
  review: Review,
  verdict: 'deny' | 'ask',
];

/** Situations of tests: a login on a shop that the session allows, and what differs from it. */
export const shop = 'https://shop.example';

export const field = (type: string, names: string, autocomplete = ''): ObservedForm['fields'][number] => ({
  tag: type === 'textarea' ? 'textarea' : 'input',
  type,
  autocomplete,
  names: [names],
  visible: true,
});

export const loginForm: ObservedForm = {
  action: `${shop}/session`,
  method: 'POST',
  fields: [field('text', 'user name', 'username'), field('password', 'password', 'current-password')],
};

export const otherForm: ObservedForm = {
  action: `${shop}/profile`,
  method: 'POST',
  fields: [
    field('text', 'nickname'),
    field('text', 'city'),
    field('text', 'motto'),
    field('text', 'language'),
  ],
};

export const target = (given: Partial<ObservedTarget> = {}): ObservedTarget => ({
  frameUrl: `${shop}/login`,
  tag: 'button',
  type: 'button',
  autocomplete: '',
  field: 'it',
  names: ['More'],
  visible: true,
  covered: false,
  link: null,
  form: null,
  ...given,
});

export const passwordField = (given: Partial<ObservedTarget> = {}): ObservedTarget =>
  target({
    tag: 'input',
    type: 'password',
    names: ['Password'],
    autocomplete: 'current-password',
    form: loginForm,
    ...given,
  });

export const link = (name: string, href: string): ObservedTarget =>
  target({ tag: 'a', type: '', names: [name], link: href });

export const submit = (name: string, form: ObservedForm): ObservedTarget =>
  target({ type: 'submit', names: [name], form });

type Given = Partial<Omit<Review, 'observation'>> & {
  readonly url?: string;
  readonly target?: ObservedTarget | null;
  readonly reading?: Review['observation']['reading'];
  readonly touched?: boolean;
};

export const review = (
  operation: Review['operation'],
  { url = `${shop}/login`, target = null, reading = null, touched = false, ...given }: Given = {},
): Review => ({
  operation,
  task: 'Log in and read my orders',
  approval: 'auto',
  allowedUrls: [shop],
  credentials: 1,
  credential: { type: 'username_password', allowedUrls: [shop] },
  ...given,
  observation: { url, target, touched, reading },
});

export const navigate = (value: string, given?: Given) =>
  review({ operation_type: 'navigate', value }, given);
export const click = (on: ObservedTarget, given?: Given) =>
  review({ operation_type: 'click', selector: '#it' }, { target: on, ...given });
export const fill = (value: string, into: ObservedTarget, given?: Given) =>
  review({ operation_type: 'fill', selector: '#it', value }, { target: into, ...given });
export const script = (value: string, given?: Given) =>
  review({ operation_type: 'execute_script', value }, given);
export const extract = (nodes: number, characters: number, given?: Given) =>
  review(
    { operation_type: 'extract', selector: '#it' },
    { target: target(), reading: { nodes, characters }, ...given },
  );
