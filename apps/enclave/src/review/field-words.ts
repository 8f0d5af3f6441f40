/** Words by which fields and buttons of log-in forms are called, in the languages of the corpus. All matched without case. */

export const passwordWords =
  /pass ?(word|wd|phrase|code)?\b|pass[-_]?(word|wd|phrase|code)|\bpwd?\b|\bpsw|passwor|passwort|kennwort|contrase|\bclave\b|mot ?de ?passe|\bmdp\b|\bsenha|palavra[- ]passe|wachtwoord|has[lł]o|heslo|parol|пароль|лозинка|şifre|\bsifre\b|jelsz[oó]|l[oö]senord|passord|adgangskode|kodeord|salasana|κωδικός πρόσβασης|סיסמ|كلمة (السر|المرور)|گذرواژه|رمز عبور|パスワード|暗証番号|비밀번호|密码|密碼|口令|mật khẩu|รหัสผ่าน|kata sandi|sandi|पासवर्ड|lozinka|geslo|slaptažodis|parole|salasõna|kata laluan|secret|token|api[-_ ]?key|credential|\bdid\b|proof|密钥|\bpin\b|memorable/iu;

export const accountWords =
  /user|usr\b|e-?mail|\bmail\b|log[-_ ]?in|log[-_ ]?on|sign[-_ ]?in ?(name|id)|account|identifi|customer|client|member|employee|student|card (id|number)|patient|phone|mobile|\btel\b|\bcpf\b|\bdni\b|\bnif\b|\brut\b|\bnie\b|\buid\b|\bid\b|benutzer|anmelde|kunden|konto|teilnehmer|usuari|correo|cliente|c[oó]digo de (cliente|usuario)|utilisateur|identifiant|courriel|compte|utente|codice (utente|cliente|fiscale)|utilizador|gebruiker|klant|użytkown|uzytkown|логин|пользовател|почт|телефон|користувач|пошт|uživatel|uzivatel|používateľ|kullan[ıi]c[ıi]|e-?posta|felhaszn|användar|personnummer|brukernavn|bruger|fødselsnummer|käyttäjä|tunnus|utilizator|потребител|χρήστη|όνομα|משתמש|דוא|المستخدم|البريد|نام کاربری|ユーザ|メール|会員|ログイン|아이디|이메일|휴대|用户|用戶|邮箱|郵箱|手机|手機|账号|帳號|账户|đăng nhập|tài khoản|ผู้ใช้|อีเมล|pengguna|surel|उपयोगकर्ता|ईमेल|korisni|uporabnik|vartotoj|lietotāj|kasutaja/iu;

export const codeWords =
  /\b(otp|totp|tan|2fa|mfa|one[- ]?time|sms[- ]?code|passcode|auth(entication|enticator)?[-_ ]?code|verification|verify[-_ ]?code|security[-_ ]?code|confirmation[-_ ]?code|login[-_ ]?code|access[-_ ]?code|backup[-_ ]?code|recovery[-_ ]?code|6[- ]digit|digit \d)\b|otp|verification ?code|bestätigungscode|sicherheitscode|einmal(code|passwort|kennwort)|c[oó]digo de (verificaci|seguridad|confirm|acceso|segurança|verifica)|code de (v[ée]rification|s[ée]curit[ée]|confirmation|validation)|codice di (verifica|sicurezza|conferma)|verificatiecode|beveiligingscode|kod (weryfikacyjny|sms|jednorazowy)|код (подтвержд|из|безопас|підтвердж)|doğrulama kodu|ověřovací kód|biztonsági kód|verifieringskod|engangskode|kertakäyttö|cod de verificare|κωδικός επαλήθευσης|קוד אימות|رمز (التحقق|تایید)|確認コード|認証コード|인증번호|인증 코드|验证码|驗證碼|动态码|mã xác (minh|nhận|thực)|รหัส ?otp|kode verifikasi|सत्यापन कोड|dynamic code|^(code|código|codigo|codice|kod|kód|код|kode)$/iu;

/** A word beside a password that says that it will be a new one. */
export const newWords =
  /\b(new|repeat|re-?type|re-?enter|confirm|confirmation|again|create|choose|set|verify pass|second)\b|new[-_]?pass|pass(word)?[-_ ]?(confirm|repeat|again|2)\b|confirm[-_]?pass|retype|\bneues?\b|wiederhol|bestätigen|nuev[ao]|repet|repit|confirma|nouveau|conferma|nuov[ao]|ripeti|novo|nova\b|nieuw|herhaal|bevestig|now[ey]|powtórz|potwierdź|нов(ый|ого)|повтор|подтверд(и|ите)|новий|nové|znovu|yeni|tekrar|onayla|új|megerősít|nytt|ny (adgang|kode)|gjenta|gentag|bekræft|bekreft|bekräfta|upprepa|uusi|vahvista|nou[ăa]|νέο|επιβεβαίωση|חדש|אימות סיסמ|جديد|تأكيد|新しい|再入力|確認用|새 비밀|비밀번호 확인|新密码|确认密码|新密碼|mật khẩu mới|xác nhận mật khẩu|ใหม่|ยืนยันรหัส|baru|konfirmasi/iu;

export const paymentWords =
  /\bcvv|\bcvc|\bcsc\b|card ?(number|holder|security)|card[-_]?(number|num|cvc|cvv)|credit ?card|\biban\b|expir(y|ation) ?(date|month|year)|name on card|kartennummer|número de (la )?tarjeta|num[ée]ro de (la )?carte|numero (della )?carta|número do cartão|kaartnummer|numer karty|номер карты|kart numaras|カード番号|카드 ?번호|卡号|\bamount\b|betrag|importe|montant|importo|kwota|сумма|金额|金額/iu;

/** What a new person or a delivery is asked for, and a log-in is not. */
export const personWords =
  /\b(first|last|full|given|family|middle)[-_ ]?name|\bf(irst)?name\b|\bl(ast)?name\b|surname|display ?name|birth|\bdob\b|gender|address[-_ ]?line|street|\bcity\b|post(al)?[-_ ]?code|\bzip\b|vorname|nachname|geburt|straße|apellido|nombre completo|nacimiento|prénom|nom de famille|naissance|cognome|nascita|sobrenome|nome completo|achternaam|voornaam|nazwisko|imię|фамилия|имя$|soyad|příjmení|vezetéknév|förnamn|efternavn|etternavn|sukunimi|姓名|氏名|성명|생년월일/iu;

export const searchWords =
  /\bsearch|\bfilter|\bfind\b|\bquery\b|^q$|keyword|such(e|en)\b|filtern|buscar|rechercher|recherche|filtrer|cerca\b|pesquisar|zoek|szukaj|поиск|найти|ara\b|hledat|keres|sök|søk|søg|hae\b|căuta|αναζήτηση|חיפוש|بحث|検索|검색|搜索|查询|查詢|tìm|ค้นหา|cari\b/iu;

/** What a button is called that logs in or goes on to the next step of it. */
export const loginWords =
  /\b(log|sign)[- ]?(in|on)\b|\blog[io]n\b|\b(next|continue|proceed|go|enter|submit|ok|verify|unlock|authenticate|authori[sz]e|access|let me in|connect|confirm|get started|send (me )?(a |the )?(code|link|magic link)|use password)\b|anmelden|einloggen|anmeldung|weiter|bestätigen|iniciar|acceder|ingresar|entrar|siguiente|continuar|connexion|connecter|suivant|continuer|valider|accedi|avanti|continua|entra\b|próximo|avançar|inloggen|aanmelden|volgende|doorgaan|zaloguj|dalej|войти|вход|далее|продолжить|увійти|далі|giriş|oturum|devam|ileri|přihlásit|další|pokračovat|prihlásiť|belép|bejelentkez|tovább|logga in|nästa|logg inn|neste|log ind|næste|kirjaudu|seuraava|jatka|autentific|conect|intr[ăa]|σύνδεση|είσοδος|επόμενο|התחבר|כניסה|המשך|تسجيل الدخول|دخول|التالي|ورود|ログイン|サインイン|次へ|로그인|다음|확인|登录|登錄|登入|下一步|继续|进入|đăng nhập|tiếp|เข้าสู่ระบบ|ถัดไป|masuk|login|lanjut|लॉग ?इन|साइन ?इन|prijav|vpiši|prisijung|ieiet|logi sisse/iu;

/** Of these, what no other form has. */
export const signInWords =
  /\b(log|sign|logg)(ed)?[- ]?(inn?|on)\b|\blog[io]n\b|welcome back|anmelden|anmeldung|einloggen|iniciar ses|acced[ae]|ingresar|\bentrar\b|\bacces+o\b|connexion|connecter|accedi\b|\bentra\b|inloggen|aanmelden|zaloguj|logowanie|войти|вход|увійти|giriş|oturum aç|přihlásit|přihlášení|prihlásiť|bejelentkez|belépés|logga in|log ind|kirjaudu|autentific|intr[ăa] în|σύνδεση|είσοδος|התחבר|כניסה|تسجيل الدخول|دخول|ورود|ログイン|ログオン|サインイン|로그인|登 ?录|登錄|登入|đăng nhập|เข้าสู่ระบบ|masuk|लॉग ?इन|साइन ?इन|prijav|vpiši|prisijung|ieiet|logi sisse/iu;

/** How a heading begins over a form that makes something: an account, a link, a file with a password. */
export const makeWords =
  /^(new (?!to\b|\p{L}*:)|add\b|create\b|register\b|sign[- ]?up|join\b|set (up|a|an|the|your)\b|choose (a|an|your)\b|protect\b|encrypt\b|connect (a|an|your|my)\b|link (a|an|your|my)\b|import\b|invite\b|neue[rs]? |registrier|konto (anlegen|erstellen)|nouve(au|lle) |créer|inscri|nuev[oa] |crear?\b|regístr|únete|nuov[oa] |registrati|nov[oa] |criar\b|cadastr|nieuwe? |registreren|now[ya] |utwórz|zarejestr|новый |новая |создать|регистрация|зарегистр|yeni |kayıt|kaydol|新規|会員登録|アカウント作成|새 |회원가입|新建|创建|注册|註冊|设置|設定)/iu;

/** What a button is called that makes an account, a subscription or a new password. */
export const enrolWords =
  /\bsign[- ]?up\b|\bregister\b|create (an? |my |your )?(free )?(account|profile)|\bjoin\b|subscribe|newsletter|\benrol|get (my |the )?(free )?(trial|quote|ebook|demo)|start (my |your )?(free )?trial|notify me|waitlist|\binvite\b|reset|recover|forgot|send reset|change|update|\bsave\b|registrier|konto erstellen|abonnieren|zurücksetzen|speichern|ändern|regístr|registrar|crear (una )?cuenta|suscri|restablecer|guardar|cambiar|s'inscrire|inscription|créer (un|mon) compte|s'abonner|réinitialiser|enregistrer|modifier|registrati|crea (un )?account|iscriviti|reimposta|salva|criar (uma )?conta|cadastr|inscrever|redefinir|salvar|guardar|registreren|account (maken|aanmaken)|opslaan|wijzig|zarejestruj|załóż konto|zapisz|zresetuj|зарегистр|создать аккаунт|подписаться|сохранить|сбросить|kayıt|kaydol|hesap oluştur|kaydet|sıfırla|registrovat|vytvořit|uložit|regisztr|mentés|registrera|skapa konto|spara|registrer|opret|opprett|rekisteröidy|luo tili|tallenna|înregistr|creează|εγγραφή|הרשמ|הירשם|إنشاء حساب|تسجيل حساب|ثبت نام|新規登録|会員登録|アカウント作成|登録する|회원가입|가입|注册|註冊|订阅|重置|保存|đăng ký|ลงทะเบียน|สมัคร|daftar|रजिस्टर|registrir/iu;

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
