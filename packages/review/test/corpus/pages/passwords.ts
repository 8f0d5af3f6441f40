import { type Page, page } from './page.ts';

const fill = 'fill #p';
const password =
  '<input id="p" name="password" type="password" autocomplete="current-password" aria-label="Password">';
const account = '<input id="u" name="username" aria-label="User name">';
const again = (name: string, before: string, within = '', more = ''): Page =>
  page(
    `asked for again: ${name}`,
    '/app',
    fill,
    `${before}<form method="post" action="/session" ${more}>${within}${password}<button>Continue</button></form>`,
  );
const long = `Before we go on with what you have asked for we have to be certain that it is really you who sits before this screen and nobody else, so
  please enter the password that you chose, to delete your account and all that belongs to it`;
const makes = (name: string, body: string, at = '/app'): Page => page(name, at, fill, body);

/** Forms and fields into which no password goes without a question: each says somewhere that it is no log-in. */
export const passwordPages: readonly Page[] = [
  again('the title of a modal', '<div class="modal-title">Delete account</div>'),
  again('bold', '<b>Delete account</b>'),
  again('strong, within', '', '<strong>Delete account</strong>'),
  again('a list', '', '<ul><li>Delete account</ul>'),
  again('a label', '', '<label for="p">Enter your password to delete your account</label>'),
  again('a label of nothing', '', '<label>Transfer € 500 to Bob</label>'),
  again('a legend', '', '<fieldset><legend>Delete account</legend></fieldset>'),
  again('a paragraph', '<p>Enter your password to transfer €500.</p>'),
  again('a long paragraph', `<p>${long}</p>`),
  again('a long paragraph within', '', `<p>${long}, please. <a href="/help">More</a></p>`),
  again(
    'a heading above two others',
    '<h2>Delete account</h2><h3>Security</h3><h4>Confirm that it is you</h4>',
  ),
  again('a name of the form', '', '', 'aria-label="Delete account"'),
  again('a description of the form', '<div id="d" hidden>Delete account</div>', '', 'aria-describedby="d"'),
  page(
    'asked for again: what is folded',
    '/app',
    fill,
    `<details open><summary>Delete account</summary><form method="post" action="/session">${password}<button>Continue</button></form></details>`,
  ),
  page(
    'asked for again: the name of a dialog',
    '/app',
    fill,
    `<div role="dialog" aria-label="Delete account"><form method="post" action="/session">${password}<button>Continue</button></form></div>`,
  ),
  page(
    'asked for again: the description of a dialog',
    '/app',
    fill,
    `<dialog open aria-describedby="d"><span id="d">Enter your password to transfer €500</span><form method="post" action="/session">${password}<button>Continue</button></form></dialog>`,
  ),
  page(
    'asked for again: a dialog that says it below',
    '/app',
    fill,
    `<dialog open><form method="post" action="/session">${password}<button>Continue</button></form><div>Your account will be deleted. Delete account?</div></dialog>`,
  ),
  again('with the account', '<div class="modal-title">Delete account</div>', account),
  again('with the account, to pay', '<div>Enter your password to transfer €500</div>', account),
  again('a deletion as a noun', '<p>Please enter your password to confirm account deletion:</p>'),
  again('a deletion at its end', '<div class="modal-header"><h5>Account delete</h5></div>'),
  again('Chinese', '<span>請輸入密碼以確認刪除操作</span>'),
  again('German', '<span>Account löschen</span>'),
  again(
    'a field that shows who is there, to pay',
    '<h2>Sign in to pay</h2>',
    '<input name="username" aria-label="User name" value="ada" readonly>',
  ),
  again(
    'a field that is off and shows who is there',
    '<h2>Log in to confirm the transfer</h2>',
    '<input name="username" aria-label="User name" value="ada" disabled>',
  ),
  again('an amount that is only shown', '', '<label>Amount <input name="sum" value="500" readonly></label>'),
  makes(
    'a new employee',
    '<h1>New employee</h1><form method="post" action="/employees"><label>Name <input name="name"></label><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Save</button></form>',
  ),
  makes(
    'a new employee, sent by OK',
    '<h1>Employees</h1><form method="post" action="/employees"><label>Name <input name="name"></label><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>OK</button></form>',
  ),
  makes(
    'a registration that says so nowhere',
    '<h1>Let’s get you set up</h1><form method="post" action="/start"><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Get started</button></form>',
    '/start',
  ),
  makes(
    'a registration by Continue',
    '<h2>Open your free account</h2><form method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Continue</button></form>',
    '/welcome',
  ),
  makes(
    'a registration at the address of the log-in',
    '<h2>Create your account</h2><form method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Continue</button></form>',
    '/login',
  ),
  makes(
    'a registration in Spanish',
    '<h2>Únete gratis</h2><form method="post"><label>Correo <input type="email" name="email"></label><label>Contraseña <input id="p" type="password" name="password"></label><button>Siguiente</button></form>',
    '/bienvenida',
  ),
  makes(
    'a link that is protected',
    '<h3>Protect this shared link with a password</h3><form method="post"><input id="p" type="password" name="password" aria-label="Password"><button>Continue</button></form>',
  ),
  makes(
    'a file that is protected',
    '<div>Set a password for this PDF</div><form method="post"><input id="p" type="password" name="password" aria-label="Password"><button>OK</button></form>',
  ),
  makes(
    'an archive, without a form',
    '<div><b>Set a password for this archive</b><input id="p" type="password" aria-label="Password"><button>OK</button></div>',
  ),
  makes(
    'a network',
    '<h2>Wi-Fi</h2><form method="post"><label>Network name <input name="ssid"></label><label>Password <input id="p" type="password" name="psk"></label><button>Apply</button></form>',
  ),
  makes(
    'a mailbox',
    '<h2>Connect your mail account (IMAP)</h2><form method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Sign in</button></form>',
  ),
  makes(
    'a mailbox, by Connect',
    '<h2>Mail</h2><form method="post"><label>E-mail <input type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label><button>Connect</button></form>',
  ),
  makes(
    'an amount beside it, without a form',
    `<h1>Account</h1><div><div><label>Amount <input></label></div><div><label>Password ${password}</label></div><button>Continue</button></div>`,
    '/login',
  ),
  makes(
    'a new address beside it, without a form',
    `<div><div><label>New e-mail <input type="email"></label></div><div>${password}<button aria-pressed="false">Show</button></div><div><button>Log in</button></div></div>`,
    '/login',
  ),
  makes(
    'a new password beside it, without a form',
    `<div><p>Current</p>${password}</div><div><p>New</p><input type="password" autocomplete="new-password"></div><button>Log in</button>`,
    '/login',
  ),
  makes(
    'a card beside it, without a form',
    `<section><div><input autocomplete="cc-number" placeholder="Card"></div><div><input id="p" type="password" autocomplete="current-password"></div><button>Continue</button></section>`,
    '/login',
  ),
  makes(
    'a button that pays beside it, without a form',
    `<div><div><input id="p" type="password" autocomplete="current-password"></div><button>Pay now</button></div>`,
    '/login',
  ),
  makes(
    'a comment beside it, without a form',
    `<div><div><textarea placeholder="Comment"></textarea></div><div><input id="p" type="password" autocomplete="current-password"></div><button>Send</button></div>`,
    '/login',
  ),
];
