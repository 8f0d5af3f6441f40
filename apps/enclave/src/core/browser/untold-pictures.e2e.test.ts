import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '@countersign/protocol/vault/operation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf, startChromium } from '../../../test/chromium.ts';
import { darkIn, redIn } from '../../../test/red-pictures.ts';
import { SessionMasker } from '../session/session-masker.ts';
import { boxesIn } from './boxes-in.ts';
import { Connection } from './cdp/connection.ts';
import { paintOver } from './png.ts';

const word = 'Tr0ub4dor-3xyz';
const slow =
  '::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:1000s}';
const across = '@view-transition{navigation:auto}';
const shown = `<p id="k">${word}</p><p id="done" hidden>Done</p>`;
const leave = 'k.remove();done.hidden=false';
/** Once the page was drawn. */
const later = (script: string) =>
  `<script>onload=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>{${script}}))</script>`;
const going = (body: string, script: string, style = '') =>
  `<style>${slow}${style}</style>${body}${later(script)}`;
const framed = (body: string) =>
  `<iframe style="border:0;height:150px" srcdoc="${`<style>p{color:#f00}#done{color:#000}</style>${body}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
const start = (how = '') => `document.startViewTransition(${how}()=>{${leave}})`;
/** One that another window's document has. */
const borrowed = (of: string) =>
  `const w=${of};w.Document.prototype.startViewTransition.call(document,()=>{${leave}})`;
const frame = "document.body.appendChild(document.createElement('iframe'))";

/** What a page shows no more while its pixels are still there. */
const pages: Record<string, string> = {
  'a page': going(shown, start()),
  'a page whose change takes its time': going(
    shown,
    `document.startViewTransition(async()=>{${leave};await new Promise((r)=>setTimeout(r,3500))})`,
  ),
  'a page that stands still': going(
    shown,
    start(),
    '::view-transition-old(root){animation-play-state:paused}',
  ),
  'a part of a page': going(shown, start(), ':root{view-transition-name:none}#k{view-transition-name:k}'),
  'an element': going(`<div id="e">${shown}</div>`, `e.startViewTransition(()=>{${leave}})`),
  'a frame': framed(going(shown, `${start()};parent.postMessage(0)`)).concat(
    '<p id="done" hidden>Done</p><script>onmessage=()=>setTimeout(()=>{done.hidden=false},200)</script>',
  ),
  'a page by a frame’s function': going(shown, borrowed(`${frame}.contentWindow`)),
  'a page by a popup’s function': going(shown, `${borrowed("open('about:blank')")};w.close()`),
  'a page by the function of a frame in a frame': going(
    shown,
    borrowed(`${frame}.contentDocument.body.appendChild(document.createElement('iframe')).contentWindow`),
  ),
  'a page by the function of a frame with an address': going(
    `${shown}<iframe id="f" src="/empty"></iframe>`,
    borrowed('f.contentWindow'),
  ),
  'a page with changed builtins': going(
    shown,
    `Reflect.apply=()=>{};ViewTransition.prototype.skipTransition=()=>{};Object.prototype.get=(start,key)=>start[key];${start()}`,
  ),
  'a page that went elsewhere': going(shown, "location.href='/went'", across),
  'a page that went elsewhere, whatever it hears of that': `<script>for(const type of ['pageswap','pagereveal'])addEventListener(type,(event)=>event.stopImmediatePropagation(),true)</script>${going(shown, "location.href='/went'", across)}`,
};
const endless = going(
  shown,
  `setInterval(()=>document.startViewTransition(()=>{k.hidden=!k.hidden}),90);setInterval(()=>document.activeViewTransition?.skipTransition(),130)`,
);
/** Of what the browser itself says of a field. */
const message = (field: string, script = 'k.reportValidity()') =>
  `<p id="done" style="position:absolute;top:0;left:300px;margin:0" hidden>Done</p><form>${field}</form>${later(`${script};done.hidden=false`)}`;
const messages: Record<string, string> = {
  'the page’s own words': message('<input id="k">', `k.setCustomValidity('${word}');k.reportValidity()`),
  'a value that is no address': message(`<input id="k" type="email" value="${word}">`),
  'a value that is no address, when it is sent': message(
    `<input id="k" type="email" value="${word}">`,
    'k.form.requestSubmit()',
  ),
  'what a value is to be like': message(`<input id="k" pattern="x" title="${word}" value="y">`),
  'the page’s own words where nothing stands': message(
    '<input id="k" required>',
    `k.setCustomValidity('${word}');k.reportValidity()`,
  ),
};
const missing = message('<input id="k" required>');
const below = '<p style="margin-top:300px">Orders of today</p>';

let site: Site;
let masked: OpenedBrowser;
let plain: {
  /** Resolves once what the page hides is gone. */
  readonly go: (url: string) => Promise<void>;
  readonly picture: () => Promise<Buffer>;
  readonly stop: () => Promise<void>;
};
beforeAll(async () => {
  const masker = new SessionMasker();
  masker.add(Buffer.from(word), 'secret');
  site = await siteOf(({ url }) => {
    const name = decodeURIComponent(url.slice(1));
    const body = {
      ...pages,
      ...messages,
      missing,
      endless,
      empty: '',
      went: `<style>${slow}${across}</style><p id="done">Done`,
    }[name];
    return body === undefined
      ? null
      : `<!doctype html><style>body{margin:8px;background:#fff;font:20px monospace}p{color:#f00}#done{color:#000}</style><body>${body}${below}`;
  });
  [masked, plain] = await Promise.all([
    browserFor([site.url], {
      findBoxes: async (snapshots, isGiven) =>
        boxesIn(snapshots, { all: masker.nodes, secrets: masker.secretNodes }, isGiven),
      hasSecrets: () => true,
    }),
    bareBrowser(),
  ]);
});
afterAll(async () => {
  await masked?.close();
  await Promise.all([masked?.stop(), plain?.stop(), site?.stop()]);
});

const addressOf = (how: string): string => `${site.url}/${encodeURIComponent(how)}`;

/** Chromium as it comes, for controls. */
async function bareBrowser(): Promise<typeof plain> {
  const chromium = startChromium();
  const connection = new Connection(chromium.to, chromium.from, () => {});
  const { targetId } = await connection.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
  });
  const { sessionId } = await connection.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const send = <T>(method: string, params: object) => connection.send<T>(method, params, { sessionId });
  const isDone = async () =>
    (
      await send<{ result: { value: unknown } }>('Runtime.evaluate', {
        expression: "document.querySelector('#done')?.checkVisibility() === true",
      })
    ).result.value === true;
  return {
    go: async (url) => {
      await send('Page.navigate', { url });
      await expect.poll(isDone).toBe(true);
    },
    picture: async () => {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
      return paintOver(Buffer.from(data, 'base64'), []) ?? Buffer.alloc(0);
    },
    stop: chromium.stop,
  };
}

async function perform(operation: Operation): Promise<void> {
  await masked.observe(operation);
  const done = await masked.perform(
    operation,
    operation.operation_type === 'navigate' ? [operation.value] : [],
  );
  expect(done).toMatchObject({ ok: true });
}

async function go(how: string): Promise<void> {
  await perform({ operation_type: 'navigate', value: addressOf(how) });
  if (how !== 'endless') await perform({ operation_type: 'wait', selector: '#done' });
}

/** Above that the secret stood, below it something else in red. */
const half = 250;
const redAbove = (png: Buffer): number => redIn(png) - redIn(png, half);

async function picture(isWhole: boolean): Promise<Buffer> {
  const taken = await masked.screenshot(isWhole);
  if (!taken.ok) throw new Error(taken.error.code);
  return paintOver(taken.value.png, []) ?? Buffer.alloc(0);
}

test.each(Object.keys(pages))(
  'a picture of %s in a view transition shows what it has become, and nothing of what it was [vault.sandbox.masking.transitions]',
  async (how) => {
    await plain.go(addressOf(how));
    expect(redAbove(await plain.picture())).toBeGreaterThan(60);
    await go(how);
    for (const isWhole of [false, true]) {
      const png = await picture(isWhole);
      expect(redAbove(png)).toBe(0);
      expect(redIn(png, half)).toBeGreaterThan(60);
    }
  },
);

test('a page that begins transitions without end is in pictures as it is, with no secret [vault.sandbox.masking.transitions]', async () => {
  await go('endless');
  for (let i = 0; i < 12; i++) {
    expect(redAbove(await picture(false))).toBe(0);
    await sleep(17 * i);
  }
});

/** Of what stands under the field. */
const said = (png: Buffer): number => darkIn(png, 40) - darkIn(png, half);

test.each(Object.keys(messages))(
  'what the browser says of a field, %s, is in no picture [vault.sandbox.masking.messages]',
  async (how) => {
    await plain.go(addressOf(how));
    await expect.poll(async () => said(await plain.picture())).toBeGreaterThan(30);
    await go(how);
    await perform({ operation_type: 'wait', value: 500 });
    for (let i = 0; i < 4; i++) expect(said(await picture(false))).toBe(0);
  },
);

test('that a field is to be filled stays in the picture [vault.sandbox.masking.messages]', async () => {
  await go('missing');
  await expect.poll(async () => said(await picture(false))).toBeGreaterThan(30);
});
