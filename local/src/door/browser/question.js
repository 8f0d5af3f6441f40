// What a wallet of one's own would ask: exactly what is signed, and yes or no.

document.head.append(
  Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/door/question.css' }),
);

function element(name, about = {}, ...children) {
  const made = Object.assign(document.createElement(name), about);
  made.append(...children);
  return made;
}

/** What cannot be seen, or turns the reading order, stands there by its code. */
const legible = (text) =>
  text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`,
  );

const rowsOf = (fields) =>
  fields.map(([name, value]) =>
    element('div', {}, element('dt', { textContent: name }), element('dd', { textContent: legible(value) })),
  );

/** Whether the person said yes. `parts` are lists of names and values, `text` is a message as it stands. */
export function askPerson({ name, title, parts = [], text = null }) {
  const dialog = element('dialog', { className: 'door-question' });
  dialog.setAttribute('aria-labelledby', 'door-question');
  const heading = element('h2', { id: 'door-question', textContent: title, tabIndex: -1, autofocus: true });
  const no = element('button', { type: 'button', textContent: 'Decline' });
  const yes = element('button', { type: 'button', textContent: 'Sign', className: 'yes' });
  const body = element('div', { className: 'body', tabIndex: 0 });
  body.setAttribute('role', 'group');
  body.setAttribute('aria-label', 'What is signed');
  if (text !== null) body.append(element('pre', { textContent: legible(text) }));
  for (const fields of parts) body.append(element('dl', {}, ...rowsOf(fields)));
  dialog.append(
    element('p', { className: 'who', textContent: `Demo wallet · ${name}` }),
    heading,
    body,
    element('p', { className: 'note', textContent: 'A key of this demo signs. It holds play money.' }),
    element('div', { className: 'buttons' }, no, yes),
  );
  document.body.append(dialog);
  return new Promise((resolve) => {
    no.addEventListener('click', () => dialog.close());
    yes.addEventListener('click', () => dialog.close('yes'));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
    heading.focus();
  });
}
