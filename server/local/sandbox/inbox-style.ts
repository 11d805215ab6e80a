/**
 * All styles of the page, inlined and allowed by their digest (inbox-page.ts). All text has a contrast of 4.5 or more,
 * in both schemes.
 */
export const STYLE = `
:root { color-scheme: light dark; --page: #f4f4f1; --card: #fff; --ink: #1c1f23; --soft: #565c64; --line: #d6d7d2; --link: #0b57a4; --code: #f1f1ed;
  --good: #11653a; --good-back: #ddf3e4; --bad: #a11a22; --bad-back: #fde4e3; --calm: #3d4651; --calm-back: #e4e7eb; --warn: #7a4b00; --warn-back: #fdeecd; }
@media (prefers-color-scheme: dark) {
  :root { --page: #131518; --card: #1c1f24; --ink: #e9eaec; --soft: #a7aeb8; --line: #353a42; --link: #8bbdf5; --code: #14171b;
    --good: #8fdcae; --good-back: #143424; --bad: #ffada8; --bad-back: #471a1c; --calm: #cfd6de; --calm-back: #303741; --warn: #f5cd83; --warn-back: #3d2d0c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px 12px 48px; max-width: 760px; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  -webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0; font-size: 1.15rem; line-height: 1.35; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; }
h3 { margin: 16px 0 6px; font-size: .85rem; color: var(--soft); font-weight: 600; }
p { margin: 8px 0; text-wrap: pretty; }
a { color: var(--link); text-underline-offset: 2px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; font-size: .875rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.top { margin-bottom: 16px; }
.lead, .count, .none, .meta { color: var(--soft); }
.lead { margin: 6px 0 12px; }
.count { margin: 0 0 8px; font-size: .9rem; }
.tools, .filter { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.tools form { margin: 0; }
.tools .button { padding: 0 12px; }
.filter { margin-top: 12px; }
.filter label { flex-basis: 100%; font-size: .9rem; color: var(--soft); margin-bottom: -4px; }
.filter input { flex: 1 1 160px; min-width: 0; }
.button, input { display: inline-flex; align-items: center; min-height: 44px; padding: 0 14px; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink);
  font: inherit; text-decoration: none; }
.button { cursor: pointer; }
.button:hover { border-color: var(--ink); text-decoration: underline; }
.card { margin: 0 0 14px; padding: 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.card.wrong { border: 2px solid var(--bad); }
.badge { padding: 2px 10px; border-radius: 6px; font-size: .8rem; font-weight: 700; letter-spacing: .03em; }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.calm { color: var(--calm); background: var(--calm-back); }
.amount { font-variant-numeric: tabular-nums; }
.amount.none { font-weight: 400; font-size: .9rem; }
.meta { margin: 4px 0 0; font-size: .9rem; text-wrap: wrap; }
.meta time { white-space: nowrap; }
.again { display: inline-block; padding: 0 6px; border-radius: 6px; font-size: .8rem; color: var(--warn); background: var(--warn-back); font-weight: 600; }
.alarm { margin: 12px 0 0; padding: 10px 12px; border-radius: 8px; color: var(--bad); background: var(--bad-back); }
dl { margin: 12px 0 0; }
dl > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 10px; align-items: baseline; padding: 5px 0; border-top: 1px solid var(--line); }
dl code { font-size: .82rem; }
dl > div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .82rem; line-height: 1.35; }
dd { margin: 0; }
dd a, .back a { display: inline-flex; align-items: center; min-height: 28px; }
.back { margin: 0; }
.back a { min-height: 44px; }
#nothing h2 { display: block; }
.verified { display: inline-block; margin: 8px 0 0; padding: 3px 9px; border-radius: 8px; color: var(--good); background: var(--good-back); font-size: .9rem; }
.verdicts { list-style: none; margin: 0 0 12px; padding: 0; }
.verdicts li { padding: 3px 9px; border-radius: 8px; margin-top: 4px; font-size: .9rem; }
.verdicts .good { color: var(--good); background: var(--good-back); }
.verdicts .bad { color: var(--bad); background: var(--bad-back); padding-bottom: 8px; }
.verdicts p { margin: 2px 0 0 1.2em; color: var(--ink); }
details { border-top: 1px solid var(--line); }
summary { display: flex; align-items: center; gap: 8px; min-height: 44px; cursor: pointer; font-weight: 600; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: '▸'; flex: none; color: var(--soft); width: 1em; }
details[open] > summary::before { content: '▾'; }
summary:hover { text-decoration: underline; }
.folds { display: flex; flex-wrap: wrap; gap: 0 12px; margin-top: 12px; border-top: 1px solid var(--line); }
.folds > * { min-width: 0; border: 0; }
.folds > p, .folds > details[open] { flex-basis: 100%; }
.folds dl { margin: 0 0 10px; }
.folds summary { gap: 4px; font-size: .85rem; }
.folds .size { font-size: .8rem; }
.size { color: var(--soft); font-weight: 400; font-size: .9rem; }
pre { margin: 0 0 12px; padding: 8px 10px; font-size: .8rem; max-height: 70vh; overflow: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--code); white-space: pre-wrap;
  overflow-wrap: anywhere; unicode-bidi: plaintext; tab-size: 2; }
pre[aria-label^='Command'] { max-height: none; -webkit-user-select: all; user-select: all; }
.live { margin: 12px 0 0; color: var(--soft); font-size: .9rem; }
.notice { margin: 12px 0 0; padding: 10px 12px; border-radius: 8px; color: var(--good); background: var(--good-back); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 12px 0 0; padding: 0; list-style: none; }
.chip { display: inline-flex; align-items: center; gap: 6px; min-height: 44px; padding: 0 10px; border: 1px solid var(--line); border-radius: 22px; color: var(--ink); background: var(--card); font-size: .9rem;
  text-decoration: none; }
.chip:hover { border-color: var(--ink); text-decoration: underline; }
.chip[aria-current] { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); font-weight: 600; }
.chip .size { font-variant-numeric: tabular-nums; }
.ways { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 18px; padding-top: 8px; border-top: 1px solid var(--line); }
.ways a { display: inline-flex; align-items: center; min-height: 44px; }
.ways form { margin: 0 0 0 auto; }
.anchor { display: block; scroll-margin-top: 24px; }
.card:has(> .anchor:target) { border-color: var(--link); box-shadow: 0 0 0 2px var(--link); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.events { list-style: none; margin: 0; padding: 0; }
.events li { padding: 8px 0; border-top: 1px solid var(--line); }
.events li:first-child { border-top: 0; }
.events time { color: var(--soft); font-size: .82rem; font-variant-numeric: tabular-nums; }
.events p { margin: 2px 0 0; }
.events a { display: inline-flex; align-items: center; min-height: 28px; }
.phone { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
.phone form { margin: 0; }
@media (prefers-reduced-motion: no-preference) {
  .card.new { animation: arrive 2s ease-out; }
  @keyframes arrive { from { border-color: var(--link); box-shadow: 0 0 0 3px var(--link); } }
}
.help { margin-top: 4px; }
.help dl { margin-bottom: 12px; }
.help dl > div { display: block; }
@media (min-width: 640px) {
  body { padding: 32px 24px 64px; }
  .card { padding: 18px 20px; }
  .folds { gap: 0 22px; }
  .folds summary { font-size: 1rem; }
  .folds .size { font-size: .9rem; }
  dl > div { grid-template-columns: 11rem minmax(0, 1fr); }
  dl code, pre { font-size: .875rem; }
  .filter label { flex-basis: auto; margin: 0; }
  .verdicts { display: flex; flex-wrap: wrap; gap: 6px; }
  .verdicts li { margin: 0; }
  .verdicts .bad { flex-basis: 100%; }
}
`
