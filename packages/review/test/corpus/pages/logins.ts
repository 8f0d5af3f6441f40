import { type Page, page } from './page.ts';

const both = 'fill #u, fill #p, click #go';
const alone = 'fill #p, click #go';

/** Log-ins by what is known of real sites and frameworks: how their forms stand in the page, and what stands beside them. */
export const loginPages: readonly Page[] = [
  page(
    'a hosted second page, which shows who it is in a field that is not typed into',
    '/u/login/password?state=x',
    alone,
    `<header><h1>Enter Your Password</h1><p>Enter your password for Acme Pay to continue to Acme Pay Console</p></header>
    <form method="post" action="/u/login/password?state=x"><input type="hidden" name="state" value="hKFo2">
    <input type="text" readonly value="ada@example.org"><a href="/u/login/identifier">Edit</a>
    <input id="p" name="password" type="password" autocomplete="current-password" aria-label="Password">
    <button type="button" aria-pressed="false">Show password</button><a href="/u/reset-password/request">Reset password</a>
    <button id="go" type="submit" name="action" value="default">Continue</button></form>`,
  ),
  page(
    'a hosted second page at the address of the password',
    '/u/password',
    alone,
    `<h1>Enter your password</h1><p>ada@example.org <a href="/u/identifier">Not you?</a></p><form method="post" action="/u/password">
    <input type="hidden" name="username" value="ada@example.org"><label>Password <input id="p" name="password" type="password" autocomplete="current-password"></label>
    <a href="/forgot">Forgot password?</a><button id="go">Continue</button></form>`,
  ),
  page(
    'a realm that is called pay',
    '/realms/pay/protocol/openid-connect/auth?client_id=bill',
    both,
    `<div id="kc-header">PAY</div><h1>Sign in to your account</h1><form method="post" action="/realms/pay/login-actions/authenticate?session_code=a&execution=b&client_id=bill&tab_id=c">
    <label for="u">Username or email</label><input id="u" name="username" autocomplete="username" tabindex="1"><label for="p">Password</label>
    <input id="p" name="password" type="password" autocomplete="current-password" tabindex="2"><label><input type="checkbox" name="rememberMe"> Remember me</label>
    <a href="/realms/pay/login-actions/reset-credentials">Forgot Password?</a><input type="hidden" name="credentialId"><input id="go" name="login" type="submit" value="Sign In"></form>`,
  ),
  page(
    'a realm theme in Portuguese with placeholders alone',
    '/realms/loja/protocol/openid-connect/auth?client_id=x',
    both,
    `<h1>Bem-vindo à loja 🚀</h1><form action="/realms/loja/login-actions/authenticate?execution=1" method="post">
    <input id="u" name="username" placeholder="Usuário"><input id="p" type="password" name="password" placeholder="Senha"><button id="go" type="submit">Entrar</button></form>`,
  ),
  page(
    'a bill that is paid after the log-in',
    '/billing/start',
    both,
    `<h1>Pay your bill</h1><form method="post" action="/billing/start"><h2>Log in to pay your bill</h2>
    <label>Account number <input id="u" name="account"></label><label>Password <input id="p" name="pw" type="password"></label>
    <button id="go">Log in to pay your bill</button><button formaction="/billing/start" name="guest">Create account</button></form>`,
  ),
  page(
    'a checkout with a returning customer',
    '/checkout/',
    both,
    `<h1>Checkout</h1><p>Returning customer? <a href="#login">Click here to login</a></p><form method="post">
    <p>If you have shopped with us before, please enter your details below. If you are a new customer, please proceed to the Billing section.</p>
    <label>Username or email <input id="u" name="username" autocomplete="username"></label><label>Password <input id="p" name="password" type="password" autocomplete="current-password"></label>
    <label><input type="checkbox" name="rememberme"> Remember me</label><input type="hidden" name="woocommerce-login-nonce" value="ab12cd34ef">
    <button id="go" name="login" value="Login">Sign in to checkout</button><a href="/lost">Lost your password?</a></form>`,
  ),
  page(
    'a panel of a framework, without a form',
    '/',
    both,
    `<div class="x-window"><div class="x-title">Proxmox VE Login</div><div class="x-body"><div class="row"><label for="u">User name:</label><div><input id="u" name="username" type="text"></div></div>
    <div class="row"><label for="p">Password:</label><div><input id="p" name="password" type="password"></div></div>
    <div class="row"><label>Realm:</label><div><input role="combobox" readonly value="Linux PAM standard authentication"></div></div>
    <div class="row"><label>Language:</label><div><input role="combobox" readonly value="English"></div></div></div>
    <div class="toolbar"><label><input type="checkbox"> Save User name</label> <a role="button" id="go" href="#" tabindex="0">Login</a></div></div>`,
  ),
  page(
    'fields and a button of a script, in divs',
    '/admin',
    both,
    `<div class="container"><input id="u" name="login" placeholder="Login"><input id="p" type="password" name="password" placeholder="Password">
    <div id="go" role="button" onclick="void 0">Login</div></div>`,
  ),
  page(
    'two forms beside each other, the log-in second',
    '/my-account/',
    both,
    `<h1>My account</h1><div style="display:flex"><section><h2>Create your account</h2><form method="post"><label>E-mail <input name="email" type="email"></label>
    <label>New password <input name="password" type="password" autocomplete="new-password"></label><button name="register" value="1">Register</button></form></section>
    <aside><form method="post"><p>Already a member?</p><label>E-mail or user name <input id="u" name="username"></label><label>Password <input id="p" name="password" type="password"></label>
    <button id="go" name="login" value="1">Log in</button></form></aside></div>`,
  ),
  page(
    'two forms beside each other, the log-in in the sidebar before any heading',
    '/community',
    both,
    `<aside><form method="post" action="/community"><label>Nickname <input id="u" name="nick"></label><label>Password <input id="p" name="pass" type="password"></label>
    <button id="go">Sign in</button> <a href="/lost">Lost password</a></form></aside><main><h1>Register for the forum</h1>
    <form method="post" action="/register"><label>Nickname <input name="n"></label><label>Password <input name="p1" type="password"></label><label>Repeat password <input name="p2" type="password"></label><button>Register</button></form></main>`,
  ),
  page(
    'a dialog of the page, whose form is of the method of dialogs',
    '/catalogue',
    both,
    `<h1>Catalogue</h1><dialog open aria-labelledby="t"><h2 id="t">Sign in</h2><form method="dialog"><label>E-mail <input id="u" type="email" autocomplete="username"></label>
    <label>Password <input id="p" type="password" autocomplete="current-password"></label><button id="go" value="in">Sign in</button><button value="cancel" formnovalidate>Cancel</button></form></dialog>`,
  ),
  page(
    'a dialog with tabs for both',
    '/news',
    both,
    `<div role="dialog" aria-modal="true" aria-label="Account"><div role="tablist"><button role="tab" aria-selected="true">Log in</button><button role="tab">Create account</button></div>
    <form method="post" action="/ajax"><label>E-mail <input id="u" type="email" name="email"></label><label>Password <input id="p" type="password" name="password"></label>
    <button type="submit" id="go">Log in</button></form></div>`,
  ),
  page(
    'a field for robots, off the page',
    '/anmelden',
    both,
    `<h1>Willkommen</h1><form method="post" action="/anmelden"><div style="position:absolute;left:-9999px;top:-9999px"><label>Website <input name="website" type="text" tabindex="-1" autocomplete="off"></label></div>
    <label>Benutzername <input id="u" name="user"></label><label>Passwort <input id="p" name="pass" type="password"></label><button id="go">Anmelden</button></form>`,
  ),
  page(
    'a field for robots in a box without height, in French',
    '/espace',
    both,
    `<h2>Connexion</h2><form method="post" action="/espace"><div aria-hidden="true" style="height:0;overflow:hidden"><input name="company_url" type="url" tabindex="-1"></div>
    <label>Identifiant <input id="u" name="ident"></label><label>Mot de passe <input id="p" name="mdp" type="password"></label><button id="go">Se connecter</button></form>`,
  ),
  page(
    'a field for robots that is clipped, in Spanish',
    '/clientes',
    both,
    `<h2>Acceso clientes</h2><form method="post" action="/clientes"><p style="position:absolute;clip:rect(0,0,0,0);overflow:hidden"><label>Teléfono <input name="phone2"></label><label>Nombre completo <input name="full_name"></label></p>
    <label>DNI <input id="u" name="dni"></label><label>Clave <input id="p" name="clave" type="password"></label><button id="go">Entrar</button></form>`,
  ),
  page(
    'a field for robots behind the page, in Polish',
    '/panel',
    both,
    `<h2>Zaloguj się</h2><form method="post" action="/panel"><input name="surname" style="position:absolute;opacity:0;z-index:-1">
    <label>Login <input id="u" name="login"></label><label>Hasło <input id="p" name="haslo" type="password"></label><button id="go">Zaloguj się</button></form>`,
  ),
  page(
    'an Italian area for clients',
    '/area-clienti',
    both,
    `<h1>Area clienti</h1><p>Accedi per vedere le tue bollette e i pagamenti.</p><form method="post" action="/area-clienti"><input id="u" placeholder="Codice cliente o e-mail" name="cliente">
    <input id="p" type="password" placeholder="Password" name="pwd"><button id="go">Accedi</button><a href="/recupera">Password dimenticata?</a><button type="button">Registrati</button></form>`,
  ),
  page(
    'a Japanese shop',
    '/mypage/',
    both,
    `<h1>マイページ</h1><form method="post" action="/mypage/"><label>メールアドレス <input id="u" name="login_email"></label><label>パスワード <input id="p" type="password" name="login_pass"></label>
    <label><input type="checkbox" name="login_memory" value="1"> 次回から自動的にログインする</label><button id="go">ログイン</button><a href="/entry">新規会員登録</a></form>`,
  ),
  page(
    'a Russian cabinet',
    '/cabinet',
    both,
    `<h2>Личный кабинет</h2><form method="post" action="/cabinet"><input id="u" placeholder="Телефон или e-mail" name="l"><input id="p" type="password" placeholder="Пароль" name="p">
    <button id="go">Войти</button><button type="button">Забыли пароль?</button><button type="button">Регистрация</button></form>`,
  ),
  page(
    'a Turkish bank',
    '/sube',
    both,
    `<h1>İnternet Şubesi</h1><form method="post" action="/sube"><label>Müşteri No <input id="u" name="musteri"></label><label>Şifre <input id="p" type="password" name="sifre" maxlength="6"></label><button id="go">Giriş</button></form>`,
  ),
  page(
    'a choice of tenants',
    '/web/login',
    both,
    `<form method="post" action="/web/login"><label>Database <select name="db"><option>prod<option>test</select></label><label>Email <input id="u" name="login"></label>
    <label>Password <input id="p" type="password" name="password"></label><button id="go">Log in</button><a href="/web/signup">Don't have an account?</a> <a href="/web/database">Manage Databases</a></form>`,
  ),
  page(
    'a choice of tenants and a check box, clicked and chosen',
    '/start',
    'select #org=2, fill #u, fill #p, click #keep, click #go',
    `<h1>Payroll</h1><form method="post" action="/start"><label>Company <select id="org" name="org"><option value="1">Acme<option value="2">Transfer GmbH</select></label>
    <label>User <input id="u" name="user"></label><label>Password <input id="p" type="password" name="pass"></label><label><input id="keep" type="checkbox" name="keep"> Keep me signed in</label><button id="go">Log on</button></form>`,
  ),
  page(
    'a code of six fields',
    '/two-factor',
    'fill #c=1, click #go',
    `<h1>Check your phone</h1><form method="post" action="/two-factor"><p>Enter the code that we sent to ••• 41.</p><div>${'<input maxlength="1" inputmode="numeric">'.repeat(5)}<input id="c" maxlength="1" inputmode="numeric"></div>
    <button id="go">Verify</button><button type="button">Resend code</button></form>`,
  ),
  page(
    'a code of six fields of a script, with names by ARIA',
    '/login/verify',
    'fill #c=1, click #go',
    `<h2>Enter the code</h2><div role="group" aria-label="Code">${[1, 2, 3, 4, 5].map((n) => `<input aria-label="Please enter OTP character ${n}" maxlength="1">`).join('')}<input id="c" aria-label="Please enter OTP character 6" maxlength="1" autocomplete="one-time-code"></div><button id="go">Continue</button>`,
  ),
  page(
    'buttons that lead elsewhere, before the one that logs in',
    '/session/new',
    both,
    `<h1>Welcome back</h1><form method="post" action="/session"><button type="submit" name="provider" value="x" formaction="/session">Continue with Acme ID</button><label>E-mail <input id="u" type="email" name="email"></label>
    <label>Password <input id="p" type="password" name="password"></label><button type="button">Forgot password?</button><button id="go" type="submit">Log in</button><button type="submit" name="signup">Create account</button></form>`,
  ),
  page(
    'fields that are opened for typing when they get the focus',
    '/portal',
    both,
    `<h1>Student portal</h1><form method="post" action="/portal"><label>Student ID <input id="u" name="sid" onfocus="this.removeAttribute('readonly')"></label><label>Password <input id="p" type="password" name="pw" autocomplete="new-password"></label>
    <input name="dummy" readonly placeholder="E-mail" style="position:absolute;left:-5000px"><button id="go">Sign in</button></form>`,
  ),
  page(
    'an administration with headings of its product',
    '/admin/',
    both,
    `<h1 id="site-name"><a href="/admin/">Order administration</a></h1><main><form action="/admin/" method="post"><input type="hidden" name="csrfmiddlewaretoken" value="Zx9"><label for="u">Username:</label><input id="u" name="username" maxlength="150" autocapitalize="none">
    <label for="p">Password:</label><input id="p" type="password" name="password"><input type="hidden" name="next" value="/admin/"><input id="go" type="submit" value="Log in"></form></main>`,
  ),
  page(
    'a router at home, which asks for the password alone',
    '/',
    alone,
    `<h1>FRITZ!Box</h1><main><h2>Welcome to your FRITZ!Box</h2><p>Please log in with your FRITZ!Box password.</p><form method="post" action="/"><label for="p">FRITZ!Box password</label><input id="p" type="password" name="pass" autocomplete="current-password"><button id="go">Log In</button></form></main>`,
  ),
  page(
    'a page with much to read before it',
    '/portal/',
    both,
    `<header><nav><a href="/pay">Pay bill</a><a href="/transfer">Transfer service</a></nav></header><main><section><h1>Manage your energy</h1><p>View usage, pay bills and transfer service when you move.</p></section>
    <section><form method="post" action="/portal/"><h2>Sign in</h2><input id="u" name="email" placeholder="Email"><input id="p" type="password" name="password" placeholder="Password"><button id="go">Sign in</button></form></section></main>`,
  ),
  page(
    'a log-in in a shadow root, in a page of a device',
    '/',
    both,
    `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<h1>Welcome home!</h1><form><label>Username <input id="u" name="username" autocomplete="username"></label>' +
      '<label>Password <input id="p" name="password" type="password" autocomplete="current-password"></label><label><input type="checkbox"> Keep me logged in</label><button id="go" type="button">Log in</button></form>'</script>`,
  ),
];
