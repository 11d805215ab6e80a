import { MARK_STYLE } from './provider-mark.ts'

/** The colours of all pages, for both schemes. Each text has a contrast of 4.5 or more on its background. */
export const COLOURS = `:root { color-scheme: light dark; --page: #f4f4f1; --card: #fff; --ink: #1c1f23; --soft: #565c64; --line: #d6d7d2; --edge: #767c84; --link: #0b57a4; --fill: #0b57a4; --press: #084684; --on-fill: #fff;
  --good: #11653a; --good-back: #ddf3e4; --bad: #a11a22; --bad-back: #fde4e3; --calm: #3d4651; --calm-back: #e4e7eb; --warn: #7a4b00; --warn-back: #fdeecd; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #131518; --card: #1c1f24; --ink: #e9eaec; --soft: #a7aeb8; --line: #353a42; --edge: #7d858f; --link: #8bbdf5; --fill: #8bbdf5; --press: #b5d5fa; --on-fill: #0c1d30;
    --good: #8fdcae; --good-back: #143424; --bad: #ffada8; --bad-back: #471a1c; --calm: #cfd6de; --calm-back: #303741; --warn: #f5cd83; --warn-back: #3d2d0c; }
}`

/**
 * The page's whole style. It is inline, allowed by its digest (security-headers.ts), so that one request shows
 * everything. All text has a contrast of 4.5 or more, in both schemes.
 */
export const STYLE = `
${COLOURS}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 17px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; -webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }
.sandbox { padding: 8px 16px; background: var(--warn-back); color: var(--warn); font-size: .85rem; line-height: 1.4; text-align: center; }
.sandbox p { margin: 0 auto; max-width: 520px; }
#sandbox { display: block; }
.languages { display: flex; flex-wrap: wrap; justify-content: center; padding: 4px 8px 0; font-size: .85rem; }
.languages > * { padding: 8px 10px; }
.languages span { color: var(--soft); font-weight: 700; }
.column { margin: 0 auto; padding: 16px 16px 40px; max-width: 480px; }
h1 { margin: 0 0 8px; font-size: 1.3rem; line-height: 1.3; }
p { margin: 8px 0; }
p, li, dd { text-wrap: pretty; }
h1, h2, button, .button, footer p, .sandbox p { text-wrap: balance; }
ul, ol { margin: 8px 0; padding-left: 1.3em; }
li { margin: 4px 0; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 6px; }
.order { margin-bottom: 14px; }
.order p { margin: 0; }
.merchant { color: var(--soft); }
.logo { display: block; height: 48px; max-width: 200px; margin: 0 0 8px; padding: 4px; border-radius: 8px; background: #fff; object-fit: contain; object-position: left; }
.mark { padding: 1px 8px; border-radius: 6px; background: var(--calm-back); color: var(--calm); font-weight: 700; }
${MARK_STYLE}
.amount { font-size: 1.9rem; line-height: 1.25; font-weight: 700; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.long { font-size: min(1.9rem, 6.8vw); }
.longest { font-size: min(1.6rem, 5.7vw); }
dl { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 4px 14px; margin: 8px 0 0; font-size: .9rem; }
dl > div { display: contents; }
dt { color: var(--soft); overflow-wrap: break-word; }
dd { margin: 0; min-width: 0; }
.card { padding: 18px 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
.card > :last-child { margin-bottom: 0; }
h2 { margin: 0 0 6px; font-size: 1rem; line-height: 1.4; }
.soft { color: var(--soft); font-size: .9rem; }
.card.good { border-top: 5px solid var(--good); }
.card.bad { border-top: 5px solid var(--bad); }
.card.calm { border-top: 5px solid var(--calm); }
.good h1 { color: var(--good); }
.bad h1 { color: var(--bad); }
.good h1, .bad h1 { display: flex; gap: .4em; }
.good h1::before, .bad h1::before { flex: none; width: 1.5em; height: 1.5em; border-radius: 50%; color: var(--card); font-size: .85em; line-height: 1.5; text-align: center; }
.good h1::before { content: '\\2713' / ''; background: var(--good); }
.bad h1::before { content: '\\2715' / ''; background: var(--bad); }
.alert, .notice, .delay { margin: 0 0 14px; padding: 10px 12px; border-radius: 8px; }
.alert { color: var(--bad); background: var(--bad-back); border-left: 4px solid var(--bad); }
.notice { color: var(--good); background: var(--good-back); border-left: 4px solid var(--good); }
.delay { color: var(--warn); background: var(--warn-back); border-left: 4px solid var(--warn); }
form .alert { margin: 0 0 8px; }
form { margin: 0; }
label { display: block; margin: 14px 0 4px; font-weight: 600; }
.help { display: block; margin: 4px 0 0; color: var(--soft); font-size: .85rem; }
input, select, button, .button { display: block; width: 100%; min-height: 52px; padding: 10px 14px; border: 1px solid var(--edge); border-radius: 10px; background: var(--card); color: var(--ink);
  font: inherit; line-height: 1.3; }
[aria-invalid=true] { border: 2px solid var(--bad); }
.otp { font-size: 1.6rem; letter-spacing: .3em; text-align: center; font-variant-numeric: tabular-nums; }
.button { padding: 14px; }
button, .button { cursor: pointer; text-align: center; text-decoration: none; }
.primary { margin-top: 18px; border-color: var(--link); background: var(--fill); color: var(--on-fill); font-weight: 700; }
.primary:hover { background: var(--press); }
.second { margin-top: 4px; }
.help + .second, select + .second { margin-top: 18px; }
.second:hover { border-color: var(--ink); }
button:disabled, button[aria-disabled=true] { border-color: var(--line); background: var(--calm-back); color: var(--calm); cursor: default; }
.bank { margin: 14px 0 0; padding: 2px 14px 14px; border: 2px dashed var(--warn); border-radius: 12px; }
.bank legend { padding: 0 8px; color: var(--warn); font-weight: 700; font-size: .9rem; }
.more { margin-top: 18px; padding-top: 14px; border-top: 1px solid var(--line); }
.more p { margin: 0 0 8px; }
.more > p:last-child { margin: 0; }
.card > p:empty { margin: -8px 0 0; }
.more > form:first-child button { margin: 0; }
.cancel { margin-top: 14px; }
.cancel summary { padding: 12px; color: var(--soft); text-align: center; text-decoration: underline; text-underline-offset: 3px; cursor: pointer; list-style: none; }
.cancel summary::-webkit-details-marker { display: none; }
.cancel summary:hover { color: var(--ink); }
.cancel button { border-color: var(--bad); color: var(--bad); }
.wait { display: flex; align-items: center; gap: 12px; margin: 12px 0; padding: 12px; border-radius: 10px; background: var(--calm-back); color: var(--calm); }
.wait p { margin: 0; }
.since { font-size: .9rem; font-variant-numeric: tabular-nums; }
.soon { color: var(--warn); font-weight: 700; font-variant-numeric: tabular-nums; }
.receipt { margin: 16px 0; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px; }
.receipt dl { margin: 0; }
.wide > * { grid-column: 1 / -1; }
.wide > dd { margin-top: -4px; }
.spin { flex: none; width: 26px; height: 26px; border: 4px solid var(--card); border-top-color: var(--link); border-radius: 50%; animation: spin 1.1s linear infinite; }
@keyframes spin { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .spin { animation: none; } }
footer { margin-top: 18px; color: var(--soft); font-size: .8rem; text-align: center; }
footer p { margin: 4px 0; }
footer a { display: block; width: fit-content; margin: 0 auto; padding: 10px 4px; font-size: .95rem; }
.lock { margin-right: 6px; vertical-align: -2px; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print {
  :root { color-scheme: light; }
  .languages, .button, form, .receipt .soft, .receipt ~ * { display: none; }
  body { background: none; print-color-adjust: exact; }
}
@media (min-width: 640px) {
  .column { padding: 40px 24px 64px; }
  .card { padding: 26px 28px; }
}
`
