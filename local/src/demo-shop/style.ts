/** The look of the demo shop, in light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f1e8, #17140f);
  --card: light-dark(#fffdf9, #211c16);
  --line: light-dark(#e2d8c7, #3a3228);
  --ink: light-dark(#2a2118, #f1e9dc);
  --muted: light-dark(#6d5f4e, #b3a592);
  --green: light-dark(#2f5d46, #2f6b4e);
  --green-ink: light-dark(#2a5a42, #9fd3b4);
  --amber: light-dark(#8a4b10, #e9b878);
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
header { display: flex; align-items: center; gap: 12px; max-width: 920px; margin: 0 auto; padding: 28px 24px; }
header a { color: inherit; text-decoration: none; font: 600 20px Georgia, serif; }
header a span { display: block; font: 13px system-ui, sans-serif; color: var(--muted); }
header form { margin-left: auto; }
svg { width: 36px; height: 36px; color: var(--green-ink); }
main { max-width: 920px; margin: 0 auto; padding: 12px 24px 64px; }
h1 { font: 600 32px/1.2 Georgia, serif; letter-spacing: -0.01em; }
h1 + p { margin-top: 6px; color: var(--muted); }
.login { max-width: 400px; padding-top: 5vh; }
.card { margin-top: 28px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; }
.login .card { padding: 28px; display: grid; gap: 18px; }
label { display: grid; gap: 6px; font-weight: 600; font-size: 14px; }
input { width: 100%; padding: 11px 13px; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 9px; }
:focus-visible { outline: 2px solid var(--green-ink); outline-offset: 2px; }
button { padding: 11px 18px; white-space: nowrap; font: 600 15px system-ui, sans-serif; color: #fff; background: var(--green); border: 0; border-radius: 9px; cursor: pointer; }
button.quiet { padding: 8px 14px; color: var(--ink); background: none; border: 1px solid var(--line); font-weight: 500; font-size: 14px; }
output { min-height: 1.55em; font: 14px ui-monospace, monospace; color: var(--muted); overflow-wrap: anywhere; }
.error { color: var(--amber); font-size: 14px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); gap: 14px; margin-top: 28px; }
.tiles div { padding: 18px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.tiles dt { font-size: 14px; color: var(--muted); }
.tiles dd { font: 600 24px/1.4 Georgia, serif; }
.card > h2 { padding: 18px 20px 6px; font: 600 18px Georgia, serif; }
table { width: 100%; border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; }
th, td { padding: 11px 20px; text-align: left; border-top: 1px solid var(--line); white-space: nowrap; }
thead th { border: 0; font-size: 13px; font-weight: 500; color: var(--muted); }
.sum { text-align: right; }
mark { padding: 2px 9px; border-radius: 99px; font-size: 13px; color: var(--green-ink); background: color-mix(in srgb, var(--green) 14%, transparent); }
mark.open { color: var(--amber); background: color-mix(in srgb, var(--amber) 14%, transparent); }
@media (max-width: 600px) { .wide { display: none; } th, td { padding: 11px 14px; white-space: normal; } }
`;
