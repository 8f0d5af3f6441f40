import { type Page, page } from './page.ts';
const both = 'fill #u, fill #p, click #go';
const alone = 'fill #p, click #go';
const account = (label: string, rest = 'name="username"'): string =>
  `<label>${label} <input id="u" ${rest}></label>`;
const password = (label = 'Password', rest = 'name="password"') =>
  `<label>${label} <input id="p" type="password" ${rest}></label>`;
/** Written when the rules were done, each looked at once before anything was changed by it: log-ins. */
export const laterLogins: readonly Page[] = [
  page(
    'gitlab',
    '/users/sign_in',
    both,
    `<h1>GitLab Community Edition</h1><ul role="tablist"><li><a href="#a" role="tab">Sign in</a></ul><form action="/users/sign_in" method="post"><input type="hidden" name="authenticity_token" value="x">${account('Username or primary email', 'name="user[login]"')}${password('Password', 'name="user[password]" autocomplete="current-password"')}<a href="/f">Forgot your password?</a><label><input type="checkbox">Remember me</label><button id="go">Sign in</button></form>`,
  ),
  page(
    'nextcloud',
    '/login',
    both,
    `<form method="post" name="login"><h2>Log in to Nextcloud</h2>${account('Account name or email', 'name="user"')}${password()}<button id="go">Log in</button></form><button>Log in with a device</button>`,
  ),
  page(
    'pma',
    '/index.php?route=/',
    both,
    `<h1>Welcome to phpMyAdmin</h1><form method="post" action="index.php?route=/" name="login_form"><fieldset><legend>Log in</legend><label>Server choice: <select name="server"><option>a</select></label>${account('Username:', 'name="pma_username"')}${password('Password:', 'name="pma_password"')}</fieldset><input id="go" type="submit" value="Log in"></form>`,
  ),
  page(
    'ms second',
    '/common/login',
    alone,
    `<div>ada@example.org</div><div role="heading" aria-level="1">Enter password</div><form method="post" action="/common/login"><input id="p" name="passwd" type="password" placeholder="Password" autocomplete="current-password"><a href="#">Forgot my password</a><input type="submit" id="go" value="Sign in"></form>`,
  ),
  page(
    'google second',
    '/v3/signin/challenge/pwd',
    alone,
    `<h1>Welcome</h1><div>ada@example.org</div><form><div>Enter your password</div><input id="p" type="password" name="Passwd" autocomplete="current-password"><label><input type="checkbox"> Show password</label></form><button id="go" type="button">Next</button>`,
  ),
  page(
    'aws',
    '/oauth',
    both,
    `<h1>IAM user sign in</h1><form method="post" action="/authenticate"><label>Account ID or alias <input name="account"></label><label><input type="checkbox"> Remember this account</label>${account('IAM username')}${password()}<button id="go">Sign in</button></form>`,
  ),
  page(
    'discord',
    '/',
    both,
    `<form><h1>Welcome back!</h1><div>We're so excited to see you again!</div>${account('EMAIL OR PHONE NUMBER', 'name="email"')}${password('PASSWORD')}<button type="button">Forgot your password?</button><button id="go" type="submit">Log In</button><div>Need an account? <button type="button">Register</button></div></form>`,
  ),
  page(
    'invitation',
    '/invite/17',
    both,
    `<h1>Sign in to accept your invitation</h1><form method="post" action="/session">${account('E-mail')}${password()}<button id="go">Continue</button></form>`,
  ),
  page(
    'gov second',
    '/enter-password',
    alone,
    `<h1>Enter your password</h1><form method="post" action="/enter-password"><input type="hidden" name="_csrf" value="a1b2">${password('Password', 'name="password" autocomplete="current-password"')}<button type="button" aria-label="Show password">Show</button><button id="go">Continue</button></form>`,
  ),
  page(
    'mychart',
    '/MyChart/',
    both,
    `<h1>MyChart</h1><div><form method="post" action="/MyChart/Authentication/Login/DoLogin">${account('MyChart Username')}${password()}<button id="go">Sign in</button></form><div>New user?<button>Sign up now</button></div><h2>Pay as a guest</h2><button>Pay now</button></div>`,
  ),
  page(
    'terms',
    '/account',
    both,
    `<h2>Customer log in</h2><p>By logging in you agree to our Terms. We may send you e-mail and share data with partners.</p><form method="post" action="/account">${account('E-mail')}${password()}<button id="go">Log in</button></form><p>Don’t have an account? Sign up and get 10% off your first purchase.</p>`,
  ),
  page(
    'span reset',
    '/x',
    both,
    `<form method="post" action="/x"><h3>Login</h3>${account('User')}${password()}<span onclick="void 0">Reset your password</span><button id="go">Login</button></form>`,
  ),
  page(
    'newsletter',
    '/club',
    both,
    `<header><form action="/s"><input type="search" name="q"></form></header><main><h1>Club</h1><form method="post" action="/club">${account('Member number', 'name="m"')}${password()}<button id="go">Enter</button></form></main><footer><h3>Subscribe</h3><form method="post" action="/nl"><input type="email" name="e"><button>Subscribe</button></form></footer>`,
  ),
  page(
    'dutch',
    '/mijn',
    both,
    `<h1>Mijn omgeving</h1><form method="post" action="/mijn">${account('Gebruikersnaam', 'name="g"')}${password('Wachtwoord', 'name="w"')}<button id="go">Inloggen</button></form>`,
  ),
  page(
    'swedish formless',
    '/',
    both,
    `<div class="card"><h2>Logga in</h2><div>${account('Användarnamn')}</div><div>${password('Lösenord')}</div><div><button id="go">Logga in</button></div></div>`,
  ),
  page(
    'korean',
    '/m',
    both,
    `<h2>로그인</h2><form method="post" action="/m"><input id="u" placeholder="아이디"><input id="p" type="password" placeholder="비밀번호"><button id="go">로그인</button><a href="/join">회원가입</a></form>`,
  ),
  page(
    'arabic',
    '/ar',
    both,
    `<h2>تسجيل الدخول</h2><form method="post" action="/ar"><input id="u" placeholder="البريد الإلكتروني"><input id="p" type="password" placeholder="كلمة المرور"><button id="go">دخول</button></form>`,
  ),
  page(
    'bank terms',
    '/banking',
    both,
    `<h1>Online banking</h1><p>Never share your PIN with anybody. We will never ask you to transfer money.</p><form method="post" action="/banking">${account('Customer ID')}${password('PIN', 'name="pin"')}<button id="go">Log on</button></form>`,
  ),
  page(
    'spa formless with signup elsewhere',
    '/',
    both,
    `<div><div class="left"><h2>New here?</h2><button>Create account</button></div><div class="right"><h2>Sign in</h2>${account('E-mail')}${password()}<div role="button" tabindex="0" id="go">Sign in</div></div></div>`,
  ),
  page(
    'vault token',
    '/ui/vault/auth',
    alone,
    `<h1>Sign in to Vault</h1><form><label>Method <select><option>Token</select></label>${password('Token', 'name="token"')}<button id="go">Sign in</button></form>`,
  ),
];
const one = (name: string, body: string, at = '/app'): Page => page(name, at, 'click #it', body);
/** Clicks that read. */
export const laterHarmless: readonly Page[] = [
  one('nav button transfer', `<nav><button id="it">Transfer</button></nav>`),
  one('nav link #', `<nav><ul><li><a id="it" href="#pay">Pay & transfer</a></ul></nav>`),
  one(
    'sort header',
    `<table><thead><tr><th aria-sort="none"><button id="it">Purchase</button></th></tr></table>`,
  ),
  one('share dialog', `<button id="it" aria-haspopup="dialog">Share</button>`),
  one('details', `<button id="it">Order details</button>`),
  one('mailbox', `<a id="it" href="#inbox/5">Sent messages</a>`),
  one(
    'cookie accept',
    `<div class="cc"><span>This website uses cookies to ensure you get the best experience.</span><a id="it" role="button" tabindex="0">Got it!</a></div>`,
  ),
  one(
    'cookie ok',
    `<div class="cc"><p>We use cookies and share information with our partners.</p><button id="it">OK</button></div>`,
  ),
  one(
    'cookie save',
    `<div role="dialog" aria-label="Your choices"><p>Cookies</p><button id="it">Confirm my choices</button></div>`,
  ),
  one(
    'accordion div',
    `<div role="button" aria-expanded="false" id="it">How to cancel your subscription</div>`,
  ),
  one('load more', `<button id="it">Load more comments</button>`),
  one('show replies', `<button id="it">3 replies</button>`),
  one('calendar', `<button id="it" aria-label="Next month">›</button>`),
  one('dismiss tip', `<div role="dialog"><h2>New: pay by card</h2><button id="it">Got it</button></div>`),
  one('dismiss ok', `<div role="dialog"><h2>Your session was renewed</h2><button id="it">OK</button></div>`),
  one('continue reading', `<h1>How we delete your data</h1><p>Long.</p><button id="it">Continue</button>`),
  one(
    'close x',
    `<dialog open><form method="dialog"><h2>Delete item?</h2><button id="it">Cancel</button></form></dialog>`,
  ),
  one('pagination', `<form method="get"><button id="it" name="page" value="2">2</button></form>`),
  one('language', `<form method="get"><select id="l"><option>de</select><button id="it">OK</button></form>`),
  one('pdf', `<a id="it" href="/statements/5.pdf">Statement October</a>`),
  page(
    'sort',
    '/l',
    'select #it=date',
    `<label>Sort by <select id="it"><option value="date">Post date<option value="price">Price</select></label>`,
  ),
  page(
    'status filter',
    '/l',
    'select #it=x',
    `<select id="it" name="status"><option value="">Any<option value="x">To pay</select>`,
  ),
  one('folder', `<ul><li id="it">Deleted items</ul>`),
  one('card heading', `<h2><a id="it" href="/orders?open=1">Pay later orders</a></h2>`),
  one('order row', `<div role="listitem" id="it">Order 7 · Pay now or later · open</div>`),
  one('Rechnungen', `<button id="it">Zahlungen anzeigen</button>`),
  one('compra', `<a id="it" href="/x?y=1">Mis compras</a>`),
  one(
    'menu item link',
    `<div role="menu"><a role="menuitem" id="it" href="/account/payments">Payments</a></div>`,
  ),
  one('tooltip info', `<button id="it" aria-label="About deleting items">?</button>`),
  one(
    'bootstrap tab',
    `<ul class="nav nav-tabs"><li><a id="it" data-bs-toggle="tab" href="#transfer">Transfer</a></ul><div id="transfer"></div>`,
  ),
];
/** Acts. */
export const laterActs: readonly Page[] = [
  one(
    'bs modal yes',
    `<div class="modal show"><div class="modal-header"><h5 class="modal-title">Delete workspace</h5></div><div class="modal-body">Are you sure?</div><div class="modal-footer"><button>No</button><button id="it">Yes</button></div></div>`,
  ),
  one(
    'sweetalert',
    `<div role="dialog" aria-modal="true"><h2>Are you sure?</h2><div>You won't be able to revert this! The file will be deleted.</div><button id="it">OK</button></div>`,
  ),
  one('yes please', `<div>Do you want to cancel your order?</div><button id="it">Yes please</button>`),
  one('get form', `<p>Remove photo?</p><form action="/p/5"><button id="it">Yes</button></form>`),
  one(
    'table row yes',
    `<table><tr><td>Delete this address?</td><td><a id="it" href="/a/5?ok=1">Yes</a></td></tr></table>`,
  ),
  one('long buy', `<a id="it" href="/x?n=5">Buy now and pay with your saved card ending in 4242</a>`),
  one('long close', `<a id="it" href="/x?n=5">Close my account and remove everything I have ever posted</a>`),
  one('long es', `<a id="it" href="/x?n=5">Sí, eliminar mi cuenta y todos mis datos para siempre</a>`),
  page(
    'opt',
    '/l',
    'select #it=3',
    `<select id="it" onchange="go()"><option>Bulk actions<option value="3">Delete permanently</select>`,
  ),
  page(
    'opt2',
    '/l',
    'select #it=3',
    `<select id="it" onchange="go()"><option>Bulk actions<option value="3">Move to trash</select>`,
  ),
  one('nav delete', `<nav><button id="it">Delete account</button></nav>`),
  one(
    'transfer confirm',
    `<div><div>You are sending € 500 to Bob. Transfer money?</div><div><button>Back</button><button id="it">Confirm</button></div></div>`,
  ),
  one(
    'agree',
    `<h3>Close your account</h3><p>All is lost.</p><form method="post" action="/c"><button id="it">Continue</button></form>`,
  ),
  one('invite', `<div role="dialog"><h2>Invite Bob to the team?</h2><button id="it">OK</button></div>`),
  one(
    '2fa',
    `<div role="dialog"><p>Turn off two-factor authentication?</p><button id="it">Yes, turn off</button></div>`,
  ),
  one(
    'soup amount confirm',
    `<div><div><label>Amount<input name="amount"></label></div><div><label>IBAN<input name="iban"></label></div><button id="it">Continue</button></div>`,
  ),
];
const again = (name: string, before: string, within = '', at = '/app'): Page =>
  page(
    name,
    at,
    'fill #p',
    `${before}<form method="post" action="/session">${within}${password('Password', 'name="password" autocomplete="current-password"')}<button>Confirm</button></form>`,
  );
/** Passwords that are asked for to do or to make something. */
export const laterPasswords: readonly Page[] = [
  again('td', '<table><tr><td>Delete account</td></tr></table>'),
  again('dt', '<dl><dt>Delete account</dt></dl>'),
  again('span in div', '<div><span><span>Transfer</span> <b>€ 500</b></span></div>'),
  again('figcaption', '<figure><figcaption>Delete account</figcaption></figure>'),
  again('em+br', '<em>Security</em><br>Enter your password to delete your account<br>'),
  again('output', '', '<output>You are paying € 500 to Bob. Pay now?</output>'),
  again('email change', '<div>Change e-mail address</div>'),
  again('email change2', '<p>To change your email, enter your password.</p>'),
  again('api key', '<p>Enter your password to reveal your API key.</p>'),
  again('2fa', '<p>Enter your password to disable two-factor authentication.</p>'),
  again('invite', '<p>Confirm with your password to make Bob an owner: transfer ownership</p>'),
  again('export', '<h3>Export your data</h3><p>Please re-enter your password.</p>'),
  again('withdraw', '<strong>Withdraw 0.5 BTC</strong>'),
  again('order', '<div class="sum">Order total € 20. Place order</div>'),
  again('de', '<p>Geben Sie Ihr Passwort ein, um € 500 zu überweisen.</p>'),
  again('fr', '<p>Saisissez votre mot de passe pour supprimer votre compte.</p>'),
  again('es', '<p>Introduce tu contraseña para transferir 500 €.</p>'),
  again('login path', '<div>Delete account</div>', '', '/login'),
  page(
    'sudo no text',
    '/app',
    'fill #p',
    `<h2>Security</h2><form method="post" action="/settings/security"><label>Password <input id="p" type="password" name="pw"></label><button>Update</button></form>`,
  ),
  page(
    'share protect',
    '/share/5/settings',
    'fill #p',
    `<h2>Link settings</h2><form method="post" action="/share/5"><label><input type="checkbox" checked> Require password</label><input id="p" type="password" placeholder="Password" name="pw"><button>Apply</button></form>`,
  ),
  page(
    'pdf unlock',
    '/tools/pdf',
    'fill #p',
    `<h1>Protect PDF</h1><p>Set a password to protect your PDF file</p><input type="file"><input id="p" type="password" placeholder="Enter new PDF password"><button>Protect</button>`,
  ),
  page(
    'zip',
    '/tools',
    'fill #p',
    `<h1>Create archive</h1><div><input placeholder="Name"><input id="p" type="password" placeholder="Password"><button>Create</button></div>`,
  ),
  page(
    'wifi',
    '/network',
    'fill #p',
    `<h1>Wireless</h1><div><div>SSID <input value="home"></div><div>Password <input id="p" type="password"></div><button>Save</button></div>`,
  ),
  page(
    'add user',
    '/admin/users',
    'fill #p',
    `<h1>Users</h1><h2>Add user</h2><form method="post" action="/admin/users"><input name="login" placeholder="Login"><input id="p" type="password" name="password" placeholder="Password"><button>Add</button></form>`,
  ),
  page(
    'signup plain',
    '/',
    'fill #p',
    `<h1>Start saving today</h1><form method="post" action="/"><input name="email" type="email" placeholder="E-mail"><input id="p" type="password" name="password" placeholder="Password"><button>Try it free</button><p>Already have an account? <a href="/login">Log in</a></p></form>`,
  ),
  page(
    'signup plain2',
    '/',
    'fill #p',
    `<h1>Join us</h1><form method="post" action="/"><input name="email" type="email" placeholder="E-mail"><input id="p" type="password" name="password" placeholder="Password"><button>Next</button></form><div>Already a member? <button>Log in</button></div>`,
  ),
  page(
    'imap',
    '/settings/accounts',
    'fill #p',
    `<h2>Add account</h2><div><input type="email" placeholder="E-mail"><input id="p" type="password" placeholder="Password"><button>Sign in</button></div>`,
  ),
  page(
    'db',
    '/connections',
    'fill #p',
    `<h2>New connection</h2><form method="post"><input name="user" placeholder="User"><input id="p" type="password" name="password" placeholder="Password"><button>Connect</button></form>`,
  ),
  page(
    'soup amount',
    '/pay',
    'fill #p',
    `<div><span>Amount</span><input inputmode="decimal"></div><div><span>Password</span><input id="p" type="password"></div><a role="button">Continue</a>`,
  ),
  page(
    'soup address',
    '/login',
    'fill #p',
    `<div><span>New address</span><input name="new_address"></div><div><span>Password</span><input id="p" type="password" autocomplete="current-password"></div><button>Continue</button>`,
  ),
  page(
    'soup address2',
    '/login',
    'fill #p',
    `<div><div><label>Street<input name="street"></label></div><div><label>Password<input id="p" type="password" autocomplete="current-password"></label></div><button>Log in</button></div>`,
  ),
  page(
    'readonly re-auth',
    '/app',
    'fill #p',
    `<h2>Confirm access</h2><p>Sign in again to delete your account</p><form method="post" action="/session"><input name="username" value="ada" readonly><input id="p" type="password" name="pw"><button>Sign in</button></form>`,
  ),
];
