import { type Page, page } from '../page.ts';

/** What a letter of the steps stands for; `[c]` is the button of a second step. */
const letters: Readonly<Record<string, string>> = {
  U: 'fill [u]',
  P: 'fill [p]',
  O: 'fill [o]~493817',
  X: 'fill [x]~x7kq2',
  B: 'click [b]',
  C: 'click [c]',
  E: 'press [p]',
};

/** `name ¦ path ¦ letters ¦ body`; `{to PATH BODY}` is a script by which form or button `[b]` (`{then …}`: `[c]`) sends what is filled in. */
export function entranceOf(line: string): Page {
  const [name = '', at = '', steps = '', body = ''] = line.split(' ¦ ');
  const named = steps
    .split('')
    .map((letter) => letters[letter] ?? letter)
    .join(', ');
  return page(
    name,
    at,
    named,
    body.replace(/\{(to|then) (\S+) (.*?)\}\}(?=$|<|\{)/g, (_, which: string, to: string, sent: string) =>
      script(which === 'to' ? '[b]' : '[c]', to, sent),
    ),
  );
}

/** JSON where the body begins with a brace, else a form; `U`, `P` and `O` in quotes or behind `=` are what is filled in. */
function script(button: string, to: string, sent: string): string {
  const isJson = sent.startsWith('{') || sent.startsWith('[');
  const value = `(k)=>${isJson ? 'JSON.stringify' : 'encodeURIComponent'}(document.querySelector({U:'[u]',P:'[p]',O:'[o]',X:'[x]'}[k])?.value??'')`;
  const body = isJson
    ? `${JSON.stringify(sent)}.replace(/"([UPOX])"/g,(_,k)=>v(k))`
    : `${JSON.stringify(sent)}.replace(/=([UPOX])(?=&|$)/g,(_,k)=>'='+v(k))`;
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded; charset=UTF-8';
  return `<script>addEventListener('DOMContentLoaded',()=>{const b=document.querySelector(${JSON.stringify(button)});const f=b?.type==='submit'&&b.form?b.form:b;const v=${value};f?.addEventListener(f===b?'click':'submit',(e)=>{e.preventDefault();fetch(${JSON.stringify(to)},{method:'POST',headers:{'content-type':'${type}'},body:${body}})})})</script>`;
}
