/** Words by which fields and buttons of log-in forms are called, in the languages of the corpus. All matched without case. */

export const passwordWords =
  /pass ?(word|wd|phrase|code)?\b|pass[-_]?(word|wd|phrase|code)|\bpwd?\b|\bpsw|passwor|passwort|kennwort|contrase|\bclave\b|mot ?de ?passe|\bmdp\b|\bsenha|palavra[- ]passe|wachtwoord|has[lł]o|heslo|parol|пароль|лозинка|şifre|\bsifre\b|jelsz[oó]|l[oö]senord|passord|adgangskode|kodeord|salasana|κωδικός πρόσβασης|סיסמ|كلمة (السر|المرور)|گذرواژه|رمز عبور|パスワード|暗証番号|비밀번호|密码|密碼|口令|mật khẩu|รหัสผ่าน|kata sandi|sandi|पासवर्ड|lozinka|geslo|slaptažodis|parole|salasõna|kata laluan|secret|token|api[-_ ]?key|credential|\bdid\b|proof|密钥|\bpin\b|memorable|contrasenya|\bşifrə|парола|лозинк|zaporka|salasõn|parool|პაროლ|գաղտնաբառ|құпия|পাসওয়ার্ড|கடவுச்சொல்|పాస్‌వర్డ్|पासवर्ड|पारण|पासकोड|پاس ورڈ|lykilorð|fjalëkalim|nenosiri|pasahitza|contrasinal|gjeldende passord|ລະຫັດ|ពាក្យសម្ងាត់|စကားဝှက်/iu;

export const accountWords =
  /user|usr\b|e-?mail|\bmail\b|log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in ?(name|id)|account|identifi|identyfik|customer|client|member|employee|student|card (id|number)|patient|phone|mobile|\btel\b|\bcpf\b|\bdni\b|\bnif\b|\brut\b|\bnie\b|\buid\b|\bid\b|benutzer|anmelde|kunden|konto|teilnehmer|usuari|correo|cliente|c[oó]digo de (cliente|usuario)|utilisateur|identifiant|courriel|compte|utente|codice (utente|cliente|fiscale)|utilizador|gebruiker|klant|użytkown|uzytkown|логин|пользовател|почт|телефон|користувач|пошт|uživatel|uzivatel|používateľ|kullan[ıi]c[ıi]|e-?posta|felhaszn|användar|personnummer|brukernavn|bruger|fødselsnummer|käyttäjä|tunnus|utilizator|потребител|χρήστη|όνομα|משתמש|דוא|المستخدم|البريد|نام کاربری|ユーザ|メール|会員|ログイン|아이디|이메일|휴대|用户|用戶|邮箱|郵箱|手机|手機|账号|帳號|账户|đăng nhập|tài khoản|ผู้ใช้|อีเมล|pengguna|surel|उपयोगकर्ता|ईमेल|korisni|uporabnik|vartotoj|lietotāj|kasutaja|usuàri|correu|\bconta\b|istifadəçi|потребителско|имейл|корисничк|korisničk|používate|მომხმარებ|ელფოსტა|օգտ(ա|ատեր)|пайдаланушы|ব্যবহারকারী|ইমেইল|பயனர்|மின்னஞ்சல்|వినియోగదారు|ఇమెయిల్|صارف|ای میل|notanda|netfang|përdorues|mtumiaji|barua pepe|erabiltzaile|ຜູ້ໃຊ້|អ្នកប្រើ|အသုံးပြုသူ|หมายเลขโทรศัพท์|số điện thoại|nomor (hp|ponsel)|電話番号|電子郵件|身分證/iu;

export const codeWords =
  /\b(otp|totp|tan|2fa|mfa|one[- ]?time|sms[- ]?code|passcode|auth(entication|enticator)?[-_ ]?code|verification|verify[-_ ]?code|security[-_ ]?code|confirmation[-_ ]?code|login[-_ ]?code|access[-_ ]?code|backup[-_ ]?code|recovery[-_ ]?code|6[- ]digit|digit \d)\b|otp|verification ?code|bestätigungscode|sicherheitscode|einmal(code|passwort|kennwort)|c[oó]digo de (verificaci|seguridad|confirm|acceso|segurança|verifica)|code de (v[ée]rification|s[ée]curit[ée]|confirmation|validation)|codice di (verifica|sicurezza|conferma)|verificatiecode|beveiligingscode|kod (weryfikacyjny|sms|jednorazowy)|код (подтвержд|из|безопас|підтвердж)|doğrulama kodu|ověřovací kód|biztonsági kód|verifieringskod|engangskode|kertakäyttö|cod de verificare|κωδικός επαλήθευσης|קוד אימות|رمز (التحقق|تایید)|確認コード|認証コード|인증번호|인증 코드|验证码|驗證碼|动态码|mã xác (minh|nhận|thực)|รหัส ?otp|kode verifikasi|सत्यापन कोड|dynamic code|^(code|código|codigo|codice|kod|kód|код|kode)$/iu;

/** A word beside a password that says that it will be a new one. */
export const newWords =
  /\b(new|repeat|re-?type|re-?enter|confirm|confirmation|again|create|choose|set|verify pass|second)\b|new[-_]?pass|pass(word)?[-_ ]?(confirm|repeat|again|2)\b|confirm[-_]?pass|retype|\bneues?\b|wiederhol|bestätigen|nuev[ao]|repet|repit|confirma|nouveau|conferma|nuov[ao]|ripeti|novo|nova\b|nieuw|herhaal|bevestig|now[ey]|powtórz|potwierdź|нов(ый|ого)|повтор|подтверд(и|ите)|новий|nové|znovu|yeni|tekrar|onayla|új|megerősít|nytt|ny (adgang|kode)|gjenta|gentag|bekræft|bekreft|bekräfta|upprepa|uusi|vahvista|nou[ăa]|νέο|επιβεβαίωση|חדש|אימות סיסמ|جديد|تأكيد|新しい|再入力|確認用|새 비밀|비밀번호 확인|新密码|确认密码|新密碼|mật khẩu mới|xác nhận mật khẩu|ใหม่|ยืนยันรหัส|baru|konfirmasi/iu;

/** With a card by which one borrows or belongs nothing is paid. */
export const paymentWords =
  /\bcvv|\bcvc|\bcsc\b|card[-_ ]?(number|holder|security|num|cvc|cvv)(?<!\b(library|loyalty|member(ship)?|student|bonus|club)[-_ ]?card[-_ ]?\w+)|credit ?card|\biban\b|expir(y|ation) ?(date|month|year)|name on card|kartennummer|número de (la )?tarjeta|num[ée]ro de (la )?carte|numero (della )?carta|número do cartão|kaartnummer|numer karty|номер карты|kart numaras|カード番号|카드 ?번호|卡号|\bamount\b|betrag|importe|montant|importo|kwota|сумма|金额|金額/iu;

/** What a new person or a delivery is asked for, and a log-in is not. */
export const personWords =
  /\b(first|last|full|given|family|middle)[-_ ]?name|\bf(irst)?name\b|\bl(ast)?name\b|surname|display ?name|birth|\bdob\b|gender|address[-_ ]?line|street|\bcity\b|post(al)?[-_ ]?code|\bzip\b|vorname|nachname|geburt|straße|apellido|nombre completo|nacimiento|prénom|nom de famille|naissance|cognome|nascita|sobrenome|nome completo|achternaam|voornaam|nazwisko|imię|фамилия|soyad|příjmení|vezetéknév|förnamn|efternavn|etternavn|sukunimi|姓名|氏名|성명|생년월일/iu;

/** The one that some log-ins ask for beside number and PIN. */
export const surnameWords =
  /\blast ?name|surname|family ?name|nachname|apellidos?\b|nom de famille|cognome|sobrenome|achternaam|nazwisko|фамилия|soyad|příjmení|efternavn|efternamn|etternavn|sukunimi/iu;

/** The same, unless it is who logs in: a given name or that of the account. */
export const nameWords = /(?<!\p{L})имя$/iu;

export const searchWords =
  /\bsearch|\bfilter|\bfind\b|\bquery\b|^q$|keyword|such(e|en)\b|filtern|buscar|rechercher|recherche|filtrer|cerca\b|pesquisar|zoek|szukaj|поиск|найти|ara\b|hledat|keres|sök|søk|søg|hae\b|căuta|αναζήτηση|חיפוש|بحث|検索|검색|搜索|查询|查詢|tìm|ค้นหา|cari\b/iu;

/** What a button is called that logs in or goes on to the next step of it. */
export const loginWords =
  /\b(log|sign)[- ]?(in|on)\b|\blog[io]n\b|\b(next|continue|proceed|go|enter|submit|ok|verify|unlock|authenticate|authori[sz]e|access|let me in|connect|confirm|get started|send (me )?(a |the )?(code|link|magic link)|use password)\b|anmelden|einloggen|anmeldung|weiter|bestätigen|iniciar|acceder|ingresar|entrar|siguiente|continuar|connexion|connecter|suivant|continuer|valider|accedi|avanti|continua|entra\b|próximo|avançar|inloggen|aanmelden|volgende|doorgaan|zaloguj|dalej|войти|вход|далее|продолжить|увійти|далі|giriş|oturum|devam|ileri|přihlásit|další|pokračovat|prihlásiť|belép|bejelentkez|tovább|logga in|nästa|logg inn|neste|log ind|næste|kirjau[td]u|seuraava|jatka|autentific|conect|intr[ăa]|σύνδεση|είσοδος|επόμενο|התחבר|כניסה|המשך|تسجيل الدخول|دخول|التالي|ورود|ログイン|サインイン|次へ|로그인|다음|확인|登录|登錄|登入|下一步|继续|进入|đăng nhập|tiếp|เข้าสู่ระบบ|ถัดไป|masuk|login|lanjut|लॉग ?इन|साइन ?इन|prijav|vpiši|prisijung|ieiet|logi sisse|accedir|entreu|inicia( la)? sessi|daxil ol|irəli|влез|вписване|напред|пријав|настав|prijavi|ulogiraj|dalje|prihlás|ďalej|logi sisse|\bsisene\b|edasi|ieiet|pieslēg|tālāk|prisijung|toliau|შესვლა|გაგრძელება|մուտք|շարունակ|кіру|লগ ?ইন|প্রবেশ|உள்நுழை|లాగిన్|लॉगिन|प्रवेश|لاگ ان|innskrá|áfram|hyr(je)?\b|ingia|saioa hasi|ເຂົ້າສູ່|ចូល|ဝင်ရောက်|identif(ier|íc|[ií]quese)|autentic|ingresar?|entre\b|войди|acessar/iu;

/** Of these, what no other form has. */
export const signInWords =
  /\b(log|sign|logg)(ed)?[- ]?(inn?(to)?|on)\b|\blog[io]n\b|welcome back|anmelden|anmeldung|einloggen|iniciar ses|acced[ae]|ingresar|\bentrar\b|\bacces+o\b|connexion|connecter|accedi\b|\bentra\b|inloggen|aanmelden|zaloguj|logowanie|войти|вход|увійти|вхід|giriş|oturum aç|přihlásit|přihlášení|prihlásiť|bejelentkez|belépés|logga in|log ind|kirjau[td]u|autentific|intr[ăa] în|σύνδεση|είσοδος|התחבר|כניסה|تسجيل الدخول|دخول|ورود|ログイン|ログオン|サインイン|로그인|登 ?录|登錄|登入|đăng nhập|เข้าสู่ระบบ|masuk|लॉग ?इन|साइन ?इन|prijav|vpiši|prisijung|ieiet|logi sisse|\bsisene\b|accedir|inicia( la)? sessi|daxil ol|влез|вписване|пријав|prijavi( se)?|ulogiraj|prihlás|pieslēg|შესვლა|մուտք|кіру|লগ ?ইন|உள்நுழை|లాగిన్|लॉगिन|لاگ ان|innskrá|\bhyni?\b|saioa hasi|ເຂົ້າສູ່|ចូល|s['’]identifier|identifi(cat|qu)|logg deg|logg på|loga in|\blog dig ind|войди|авторизуйтесь|ورود به|inicie sesi|inicia sesi|accede\b|accéder à|se connecter|fazer login|iniciar sessão|aanmeld|ingelogd|zalogować|prihlásit|ログオン|サイン ?イン|登 录|會員登入|acessar/iu;

/** How a heading says that those who go on are known. */
export const identifyWords =
  /\b(authentication|authori[sz]ation|identification)\b|identif(y|ier|iez|[ií]cate|í?quese|ique-se|icati|izier|iera)|autentic|authentifi|авториз|аутентиф|автентиф|kimlik doğrula|本人確認|認証|인증|身份(验证|认证)|身分驗證|xác thực|autentifik/iu;

/** The same by asking for what one has been given for that. */
export const credentialsAsked =
  /^(bitte )?((geben|tragen) sie (bitte )?(ihre|die) (zugangs|anmelde|login-?)daten ein|(please )?enter your (login|log-in|sign-in|access) (details|credentials|data)( below)?|(veuillez )?(saisir|saisissez|entrez|renseignez) vos identifiants|(introduzca|introduce|ingrese|ingresa) (sus|tus) (credenciales|datos de acceso)|inserisci le (tue )?credenziali|voer (uw|je) inloggegevens in)[.!:]?$/iu;

/** Beside these words, what is authorized instead of a person. */
export const orderNouns =
  /\b(transfers?|payments?|orders?|purchases?|transactions?|trades?|withdrawals?|payouts?|refunds?|mandates?)\b/iu;

/** What a box is called by which one stays logged in. */
export const stayWords =
  /remember[ _-]?(my )?(me|user|id\b|log|account|e-?mail)|rememberme|(keep|stay)( me)? ?(logged|signed)|auto[-_ ]?log[io]n|save (my )?(user ?(name|id)|log ?in)|angemeldet bleiben|eingeloggt bleiben|benutzer(name)? merken|mich merken|se souvenir|rester (connect|identif)|mémoriser|mantener (la )?sesi|no cerrar sesi|recu[eé]rdame|recordar(me| usuario)|lembrar|manter( me)? (conectad|sessão)|continuar conectado|ricordami|resta (connesso|collegato)|onthoud|ingelogd blijven|kom ihåg|håll mig inloggad|husk (meg|mig)|forbliv logget|muista minut|pysy kirjautuneena|zapamiętaj|nie wylogowuj|запомнить|чужой компьютер|не выходить|запам['’]?ятати|beni hatırla|oturum(um)?u? açık|zapamatovat|zůstat přihlášen|pamätať|emlékezz|maradjak bejelentkezve|ține-mă minte|păstrează-mă|να με θυμάσαι|διατήρηση σύνδεσης|זכור אותי|תזכור|تذكرني|ابق(ني)? متصل|مرا به خاطر|次回から|ログイン(したまま|状態)|自動(的に)?ログイン|로그인 상태|자동 ?로그인|아이디 저장|记住(我|账号|用户|登录)|自动登[录陆]|保持登[录陆]|記住我|保持登入|ghi nhớ|duy trì đăng nhập|จดจำ|จำฉัน|ingat saya|याद रखें/iu;

/** What a button is called that helps those who cannot log in: it sends nothing that is filled in. */
export const helpWords =
  /\b(forgot|forgotten|lost|can['’]?t (log|sign))\b|vergessen|oubli[ée]|olvid|esquec|dimenticat|vergeten|nie pamięta|забыли|напомнить|нагадати|remind|unuttum|zapomn|elfelejt|glömt|glemt|unohd|忘れ|잊|忘记|忘記|quên|ลืม|lupa/iu;

/** How a heading begins over a form that makes something: an account, a link, a file with a password. */
export const makeWords =
  /^(new (?!to\b|\p{L}*\s*[:：])|add\b|create\b|register\b|sign[- ]?up|join\b|set (up|a|an|the|your)\b|choose (a|an|your)\b|protect\b|encrypt\b|connect (a|an|your|my)\b|link (a|an|your|my)\b|import\b|invite\b|neue[rs]? |registrier|konto (anlegen|erstellen)|nouve(au|lle) |créer|inscri|nuev[oa] |crear?\b|regístr|únete|nuov[oa] |registrati\b|nov[oa] |criar\b|cadastr|nieuwe? |registreren|now[ya] |utwórz|zarejestr|новый |новая |создать|регистрация|зарегистр|yeni |kayıt|kaydol|新規|会員登録|アカウント作成|새 |회원가입|新建|创建|注册|註冊|设置|設定)/iu;

/** Of these, what is said above the log-in of another site, which is linked by it. */
export const linkWords = /^(add|connect|link|import|invite|set (up|a|an|the|your)|encrypt)\b/i;

/** What a button is called that makes an account or a subscription. */
export const signUpWords =
  /\bsign[- ]?up\b|\bregister\b|create (an? |my |your )?(free |\S+ )?(account|profile)|create one\b|\bjoin\b|subscribe|newsletter|\benrol|get (my |the )?(free )?(trial|quote|ebook|demo)|start (my |your )?(free )?trial|notify me|waitlist|\binvite\b|registrier|konto (erstellen|anlegen)|abonnieren|regístr|registrar|crear (una )?cuenta|suscri|s'inscrire|inscription|créer (un|mon) compte|s'abonner|registrati|crea (un )?account|iscriviti|criar (uma )?conta|cadastr|inscrever|registreren|account (maken|aanmaken)|zarejestruj|załóż konto|зарегистр|создать аккаунт|подписаться|kayıt|kaydol|hesap oluştur|registrovat|vytvořit|regisztr|registrera|skapa konto|registrer|opret|opprett|rekisteröidy|luo tili|înregistr|creează|εγγραφή|הרשמ|הירשם|إنشاء حساب|تسجيل حساب|ثبت نام|新規登録|会員登録|アカウント作成|登録する|회원가입|가입|注册|註冊|订阅|đăng ký|ลงทะเบียน|สมัคร|daftar|रजिस्टर|registrir/iu;

/** The same of one that gets who has an account another password. */
export const recoverWords =
  /reset|recover|forgot|zurücksetzen|restablecer|réinitialiser|reimposta|redefinir|zresetuj|сбросить|sıfırla|重置/iu;

const changeWords =
  /change|update|\bsave\b|speichern|ändern|guardar|cambiar|enregistrer|modifier|salva|opslaan|wijzig|zapisz|сохранить|kaydet|uložit|mentés|spara|tallenna|保存/iu;

/** What a button is called that makes an account, a subscription or a new password. */
export const enrolWords = new RegExp(
  [signUpWords, recoverWords, changeWords].map(({ source }) => source).join('|'),
  'iu',
);

/** What a button changes that only shows the page otherwise. */
export const viewWords =
  /\b(languages?|country|region|currency|theme|contrast|captcha)\b|sprache|langue|idioma|lingua|\btaal\b|język|язык|\bdil(i|ini)?\b|jazyk|nyelv|språk|\bsprog|kieli|言語|언어|语言|語言/iu;

/** What something is called that gets a password. */
export const madeWords =
  /\b(title|subject|label|display|nick|description|comment|message|note|file|folder|link|room|meeting|share|name of|reason|answer|url|web ?site|search|amount)\b|bezeichnung|titel|titre|t[ií]tulo|titolo|tytuł|название|başlık|標題|标题|タイトル|제목/iu;

/** Who fills such a field names the machine that gets what stands beside it. */
export const serverWords =
  /\b(servers?|host(s|name|ed)?|port|smtps?|imaps?|pop3?|endpoint|database|db|repo(sitory)?|clone|remote|s?ftp|ssh|ldaps?|jdbc|dsn|proxy|gateway|broker|webhook|callback|ip[- ]address)\b|connection string|serveur|servidor|\bservidores\b|serwer|szerver|sunucu|palvelin|tjener\b|сервер|хост|サーバ|ホスト|서버|호스트|服务器|伺服器|主机|主機|端口|datenbank|base de (datos|donn[ée]es)|banco de dados|baza danych|база данн|データベース|데이터베이스|数据库|資料庫|^(ftp|ssh|git|imaps?|smtps?|jdbc:\w+):\/\/|\blocalhost\b/iu;

/** The same, unless it says whose: `Workspace URL`. */
export const addressWords =
  /\b(ur[li]s?|web ?site|(web|site|net(work)?) address)\b|^https?:\/\/|^[^@\s]+\.(com|org|net|io|local|example)(:\d+)?(\/|$)|网址|網址/iu;

/** Beside the name of an account; within it a domain is of that name. */
export const domainWords = /\b(domains?|domaine|dom[ií]nio|dominio)\b|域名|ドメイン/iu;

/** Whose account it is, where many have theirs on one site. */
export const tenantWords =
  /company|workspace|tenant|realm|organi[sz]ation|sub-?domain|\bteam\b|\borg\b|firma\b|unternehmen|empresa|entreprise|azienda|会社|公司|企业/iu;
