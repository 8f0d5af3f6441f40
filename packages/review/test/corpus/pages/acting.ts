import { type Page, page } from './page.ts';

const click = 'click #it';
const one = (name: string, body: string): Page => page(name, '/app', click, body);
const asks = '<p>Delete item?</p>';

/** What an agent does not do unasked, where only what a person reads tells what it is. */
export const actingPages: readonly Page[] = [
  one(
    'a long answer, as a link',
    '<a id="it" href="/c?x=17">Yes, permanently delete this account and all its data</a>',
  ),
  one(
    'a long answer, as a form by GET',
    '<form action="/c"><input type="hidden" name="x" value="1"><button id="it">Yes, permanently delete this account and all its data</button></form>',
  ),
  one(
    'a long name, as a link',
    '<a id="it" href="/c?x=17">Permanently delete this account and everything in it</a>',
  ),
  one('Yes under a paragraph', `${asks}<a id="it" href="/c?x=17">Yes</a> <a href="/list">No</a>`),
  one('Yes at an address that names nothing', `${asks}<a id="it" href="/yes">Yes</a>`),
  one(
    'OK in a dialog',
    '<div role="dialog"><div class="title">Delete item?</div><button>Cancel</button><button id="it">OK</button></div>',
  ),
  one(
    'Confirm in a dialog with a name',
    '<div role="alertdialog" aria-label="Delete item?"><button id="it">Confirm</button></div>',
  ),
  one(
    'Confirm under a heading',
    '<h3>Delete item?</h3><div>This cannot be undone.</div><button type="button" id="it">Confirm</button>',
  ),
  one(
    'Confirm as a form by GET',
    '<h2>Delete item?</h2><form action="/c"><input type="hidden" name="x" value="17"><button id="it">Confirm</button></form>',
  ),
  one('Ja, in German', '<div role="dialog"><p>Konto wirklich löschen?</p><button id="it">Ja</button></div>'),
  one('Oui, in French', '<p>Supprimer votre compte ?</p><button id="it">Oui</button>'),
  one(
    'OK, in Chinese',
    '<div role="dialog"><p>确定要删除吗？</p><button>取消</button><button id="it">确定</button></div>',
  ),
  one(
    'Continue under a payment',
    '<dialog open><b>Pay € 90 to Acme?</b><button id="it">Continue</button></dialog>',
  ),
  one(
    'a link that says OK in a dialog',
    '<div role="dialog"><strong>Cancel your subscription?</strong><a id="it" href="/go/17">OK</a></div>',
  ),
  page(
    'an option that deletes',
    '/list',
    'select #it=d',
    '<select id="it" onchange="this.form.submit()"><option>Action…<option value="d">Delete selected</select>',
  ),
  page(
    'an option that deletes, by its text',
    '/list',
    'select #it=Delete selected messages',
    '<select id="it"><option>Action…<option>Delete selected messages</select>',
  ),
  page(
    'an option that leads to where something is deleted',
    '/list',
    'select #it=/items/7/delete',
    '<select id="it" onchange="location = this.value"><option>Go to…<option value="/items/7/delete">Seven</select>',
  ),
  page(
    'an option in German',
    '/list',
    'select #it=x',
    '<select id="it"><option>Aktion<option value="x">Ausgewählte löschen</select>',
  ),
  one(
    'a button of a grid that deletes',
    `<a id="it" href="javascript:__doPostBack('grid','Delete$2')">✕</a>`,
  ),
  one('a link of a script that deletes, by its name', '<a id="it" href="javascript:void(0)">Delete</a>'),
  one('a button of a default type that deletes', '<button id="it">Delete account</button>'),
  one('a button that pays', '<div id="it" role="button">Pay € 90</div>'),
  one('an item of a menu that deletes', '<div role="menu"><div role="menuitem" id="it">Delete</div></div>'),
  one('an icon', '<button id="it"><svg width="20" height="20"><title>Delete item</title></svg></button>'),
  one(
    'a form without fields under a text',
    '<strong>Close your account</strong><form method="post" action="/c"><button id="it">I understand</button></form>',
  ),
  page(
    'Enter in a form under a text',
    '/app',
    'press #n',
    '<div>Transfer € 90 to Bob</div><form method="post" action="/c"><input id="n" name="note"><button>Go on</button></form>',
  ),
  one(
    'what a dialog says below',
    '<div role="dialog"><button id="it">Yes</button><p>This will delete your workspace.</p></div>',
  ),
  one('an answer in an item of a list', `<ul><li>${asks}<button id="it">Yes, I am sure</button></ul>`),
  one(
    'a link to confirm a payment',
    '<h2>Confirm your payment</h2><p>€ 90 to Acme</p><a id="it" href="/s/17">Confirm</a>',
  ),
  one(
    'a choice that is not declined',
    '<div role="dialog"><h2>Unsaved</h2><button id="it">No longer needed, delete it</button></div>',
  ),
];
