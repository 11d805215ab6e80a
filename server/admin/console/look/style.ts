import { COLOURS } from '../../../payment-page/style.ts'

/**
 * The style of all pages of the console, in one file (assets.ts): phones first, and from 900 px a navigation beside the
 * page. Targets are 44 px high or more.
 */
export const CONSOLE_STYLE = `${COLOURS}
* { box-sizing: border-box; }
html { scroll-padding-top: 76px; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; -webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, figure { margin: 0; }
ul, ol { padding: 0; list-style: none; }
h1 { font-size: 1.45rem; line-height: 1.25; }
h2 { font-size: 1.05rem; line-height: 1.4; }
p, li, dd { text-wrap: pretty; }
h1, h2, button, .button { text-wrap: balance; }
a { color: var(--link); text-underline-offset: 2px; }
small, .soft, .hint { color: var(--soft); font-size: .875rem; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 6px; }
main:focus { outline: none; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 8px; top: -100px; z-index: 3; padding: 10px 16px; background: var(--card); }
.skip:focus { top: 8px; }
.money, .masked, time { white-space: nowrap; font-variant-numeric: tabular-nums; }

body > header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; min-height: 60px; padding: 8px 16px; border-bottom: 1px solid var(--line); background: var(--card); }
.brand { display: flex; align-items: center; gap: 8px; min-height: 44px; margin-right: 96px; }
.brand a { display: inline-flex; align-items: center; min-height: 44px; color: var(--ink); font-weight: 700; font-size: 1.1rem; text-decoration: none; }
[role=search] { display: flex; flex: 1 1 100%; gap: 8px; }
[role=search] input { flex: 1; min-width: 0; }
[role=search] path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.menu > summary { position: absolute; top: 8px; right: 16px; }
.menu[open] { padding: 8px 16px 16px; border-bottom: 1px solid var(--line); background: var(--card); }
.menu ul + ul, .account { margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--line); }
.menu li a { display: flex; align-items: center; justify-content: space-between; min-height: 44px; padding: 4px 12px; border-radius: 8px; color: var(--ink); text-decoration: none; }
.menu li a:hover { background: var(--calm-back); }
.menu li a[aria-current] { background: var(--calm-back); box-shadow: inset 3px 0 var(--link); font-weight: 700; }
.count { min-width: 1.7em; padding: 0 .5em; border-radius: 1em; background: var(--warn-back); color: var(--warn); font-size: .8rem; font-weight: 700; text-align: center; font-variant-numeric: tabular-nums; }
.account { padding-left: 12px; font-size: .9rem; }
.account p span { display: block; color: var(--soft); }
.languages { font-size: .9rem; }
.account > a, .languages > * { display: inline-flex; align-items: center; min-height: 44px; margin-right: 16px; }
.account form { display: inline; }
.alone .brand { margin-right: auto; }
.languages span { color: var(--soft); font-weight: 700; }
main, .card { container-type: inline-size; }
main { display: grid; align-content: start; gap: 16px; max-width: 1200px; padding: 16px; grid-template-columns: minmax(0, 1fr); }
footer { padding: 0 16px 32px; color: var(--soft); font-size: .85rem; }
.heading { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; }
.heading h1, .heading h2 { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.back a { display: inline-flex; align-items: center; min-height: 44px; margin: -8px 0; }
.back a::before { content: '\\2190\\a0' / ''; }
.card { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.columns { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); align-items: start; }
.figure { font-size: min(1.6rem, 7.8cqi); font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.flash { padding: 10px 14px; border-radius: 8px; border-left: 4px solid; }
.flash.done { color: var(--good); background: var(--good-back); }
.flash.failed { color: var(--bad); background: var(--bad-back); }
.flash a { color: inherit; }
.flash li a { display: inline-flex; align-items: center; min-height: 44px; }
.empty { padding: 32px 16px; border: 1px dashed var(--edge); border-radius: 12px; text-align: center; }
.empty p { max-width: 34rem; margin: 4px auto 12px; color: var(--soft); }

.badge, .timeline > li { --tone: var(--calm); --back: var(--calm-back); --sign: '\\25CB' / ''; }
.badge.good, .timeline > .good { --tone: var(--good); --back: var(--good-back); --sign: '\\2713' / ''; }
.badge.bad, .timeline > .bad { --tone: var(--bad); --back: var(--bad-back); --sign: '\\2715' / ''; }
.badge.warn, .timeline > .warn { --tone: var(--warn); --back: var(--warn-back); --sign: '\\25B2' / ''; }
.badge.busy, .timeline > .busy { --tone: var(--warn); --back: var(--warn-back); --sign: '\\25D4' / ''; }
.badge { display: inline-flex; align-items: center; gap: .4em; padding: 1px 9px 1px 7px; border-radius: 6px; background: var(--back); color: var(--tone); font-size: .8rem; font-weight: 700; white-space: nowrap; }
.badge::before, .timeline > li::before { content: var(--sign); }
.facts { display: grid; grid-template-columns: fit-content(36%) minmax(0, 1fr); }
.facts > div { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; gap: 16px; align-items: baseline; padding: 7px 0; border-top: 1px solid var(--line); }
.facts > div:first-child { border: 0; }
dt { color: var(--soft); overflow-wrap: break-word; }
dd { margin: 0; }
.copyable, .secret { user-select: all; }
.quiet { display: inline-flex; align-items: center; min-height: 44px; font-size: .875rem; }
td .quiet, dd .quiet { margin: -10px 0; }
.timeline > li { position: relative; padding: 0 0 16px 26px; border-left: 2px solid var(--line); margin-left: 7px; }
.timeline > li:last-child { padding-bottom: 0; border-color: transparent; }
.timeline > li::before { position: absolute; left: -11px; top: 2px; width: 20px; height: 20px; border-radius: 50%; background: var(--back); color: var(--tone); font-size: .7rem; line-height: 20px; text-align: center; font-weight: 700; }
.event { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
.event time { color: var(--soft); font-size: .875rem; }
summary { display: inline-flex; align-items: center; min-height: 44px; color: var(--link); cursor: pointer; }
summary::before { content: '\\25B8\\a0' / ''; }
[open] > summary::before { content: '\\25BE\\a0' / ''; }
pre { max-height: 24rem; margin: 0 0 8px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--page); white-space: pre-wrap; overflow: auto; }

table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 400; }
thead th { padding: 8px 12px; color: var(--soft); font-size: .85rem; font-weight: 600; }
.numeric { text-align: right; font-variant-numeric: tabular-nums; }
.small th, .small td { padding: 4px 8px; border-top: 1px solid var(--line); }
.table { border: 1px solid var(--line); border-radius: 12px; border-collapse: separate; border-spacing: 0; background: var(--card); --cell: 8px; }
.pager { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; color: var(--soft); font-size: .9rem; }
.pager span { flex: 1 1 15rem; }
.table td, .table thead th { overflow-wrap: break-word; }
@container (800px <= width < 1000px) {
  .table { --cell: 5px; }
  .table time { white-space: normal; }
}
@container (min-width: 1000px) {
  .linked thead th:first-child { min-width: 13.5rem; }
}
@container (min-width: 800px) {
  .table td, .table th { padding: 10px var(--cell); border-top: 1px solid var(--line); vertical-align: middle; }
  .table thead th { border: 0; }
  .table tbody th a { display: block; margin: -10px calc(-1 * var(--cell)); padding: 10px var(--cell); line-height: 24px; }
  .linked tbody tr:hover { background: var(--page); }
  tfoot td { font-weight: 700; }
}
@media screen {
@container (max-width: 799.9px) {
  .table, .table tbody, .table tfoot, .table td, .table tbody th { display: block; }
  .table { border: 0; background: none; }
  .table tr { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 12px; margin-bottom: 10px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
  .table tbody th { grid-column: 1; font-weight: 600; }
  .table .titled::before { content: attr(data-label) ' '; }
  .linked th a { text-decoration: none; }
  .linked tbody th a::after { content: ''; position: absolute; inset: 0; border-radius: 12px; }
  .table td { grid-column: 1 / -1; display: flex; justify-content: space-between; gap: 12px; text-align: right; font-size: .925rem; overflow-wrap: anywhere; }
  .table td::before { content: attr(data-label); flex: none; max-width: 50%; color: var(--soft); text-align: left; }
  .table thead, .table td:empty, .table .hidden { display: none; }
  .table .left { grid-column: 1; }
  .table tfoot td:first-child { text-align: left; }
  .table .right { grid-column: 2; justify-content: flex-end; }
  .table tfoot td:first-child { grid-area: 1 / 1; font-weight: 600; }
  .table tfoot td:first-child::before { content: none; }
  .table .beside { justify-content: end; align-items: start; grid-area: 1 / 2; font-size: 1rem; font-weight: 600; }
  .table .beside::before, .table .left::before, .table .right::before { content: none; }
  .linked td a, .linked td button { position: relative; }
}
}

form { margin: 0; }
.stack { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); justify-items: start; max-width: 36rem; }
.stack > .field, .stack > details { width: 100%; }
.rows li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; padding: 10px 0; border-top: 1px solid var(--line); }
.rows small { display: block; }
.qr { display: block; width: 220px; max-width: 100%; border-radius: 8px; }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17em), 1fr)); gap: 4px 16px; }
.or { display: flex; align-items: center; gap: 12px; width: 100%; color: var(--soft); font-size: .9rem; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
label { display: block; margin-bottom: 4px; font-weight: 600; }
input, select, textarea, button, .button, .menu > summary { min-height: 44px; max-width: 100%; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; line-height: 1.3; }
button, .button { display: inline-flex; align-items: center; justify-content: center; cursor: pointer; text-decoration: none; }
button:hover, .button:hover { border-color: var(--ink); }
.primary { border-color: var(--link); background: var(--fill); color: var(--on-fill); font-weight: 700; }
.primary:hover { background: var(--press); }
.danger { border-color: var(--bad); background: var(--bad); color: var(--card); font-weight: 700; }
.link { padding: 0; border: 0; background: none; color: var(--link); text-decoration: underline; text-underline-offset: 2px; }
.copy { margin: -10px 0; border: 0; background: none; color: var(--link); font-size: .875rem; text-decoration: underline; text-underline-offset: 2px; }
.field { display: grid; align-content: start; }
.field input, .field select, .field textarea { width: 100%; }
.check { grid-template-columns: 44px 1fr; align-items: center; }
.check input { accent-color: var(--fill); width: 24px; min-height: 24px; }
.check p { grid-column: 2; }
.hint, .error { margin-top: 4px; }
.error { color: var(--bad); font-weight: 600; }
.error::before { content: '\\2715\\a0' / ''; }
[aria-invalid=true] { border: 2px solid var(--bad); }
.action { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); max-width: 36rem; }
.consequence { padding: 10px 14px; border-left: 4px solid var(--edge); border-radius: 8px; background: var(--calm-back); color: var(--calm); }
.dangerous .consequence { border-color: var(--bad); background: var(--bad-back); color: var(--bad); }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.filters { display: grid; gap: 8px; }
.filters form { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr)); align-items: start; }
.filters form:not(:has([aria-invalid])) { align-items: end; }
.filters form > button, .filters form > .check { margin-top: 1.9rem; }
.filters form > .check { min-height: 44px; align-content: center; }
.find { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; }
.find .field { flex: 0 1 24rem; }
.views, .chips { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: center; }
.views a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 10px; text-decoration: none; border-bottom: 3px solid transparent; }
.views a[aria-current] { border-color: var(--link); color: var(--ink); font-weight: 700; }
.chips { gap: 8px; }
.chips a:not(.quiet) { display: inline-flex; align-items: center; min-height: 44px; padding: 0 14px; border: 1px solid var(--edge); border-radius: 22px; background: var(--card); color: var(--ink); font-size: .9rem; text-decoration: none; }
.chips a:not(.quiet)::after { content: '\\a0\\a0\\2715' / ''; color: var(--soft); }

.preview { display: grid; gap: 6px; max-width: 22rem; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--page); }
.preview img { height: 48px; max-width: 200px; padding: 4px; border-radius: 8px; background: #fff; object-fit: contain; object-position: left; }
.list { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
.card.wrong { border: 2px solid var(--bad); }
.verdicts li { padding: 4px 0; }
.folds { display: flex; flex-wrap: wrap; gap: 0 20px; }
.folds > details[open], .folds > p { flex-basis: 100%; min-width: 0; }
.anchor { position: absolute; scroll-margin-top: 76px; }
.card:has(> .anchor:target) { border-color: var(--link); box-shadow: 0 0 0 2px var(--link); }
pre[aria-label^=Comm] { max-height: none; user-select: all; }
@media (prefers-reduced-motion: no-preference) {
  .card.new { animation: arrive 2s ease-out; }
  @keyframes arrive { from { border-color: var(--link); box-shadow: 0 0 0 3px var(--link); } }
}
figcaption { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-bottom: 8px; }
figcaption b { flex: 1 1 100%; }
.legend { font-size: .875rem; }
.legend::before { content: ''; display: inline-block; width: 12px; height: 12px; margin-right: 6px; border-radius: 3px; background: var(--link); }
.legend.bad::before { background: var(--bad); }
.plot { position: relative; padding-top: 20px; border-bottom: 1px solid var(--edge); }
.plot svg { display: block; width: 100%; height: 140px; }
.most { position: absolute; top: 0; left: 0; color: var(--soft); font-size: .8rem; }
.ends { display: flex; justify-content: space-between; color: var(--soft); font-size: .8rem; }
svg .good { fill: var(--link); }
svg .bad { fill: var(--bad); }
svg .back { fill: var(--calm-back); }
.shares li { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 8px 0; }
.shares a { display: inline-flex; align-items: center; min-height: 44px; margin: -10px 0; }
.shares svg, .shares small { grid-column: 1 / -1; }
.share { font-weight: 700; font-variant-numeric: tabular-nums; }

@media (min-width: 900px) {
  body:not(.alone) { display: grid; grid-template: auto 1fr auto / 232px minmax(0, 1fr); min-height: 100vh; }
  body > header { grid-column: 1 / -1; flex-wrap: nowrap; gap: 0; padding: 8px 24px 8px 0; position: sticky; top: 0; z-index: 2; }
  .brand { flex: none; width: 232px; margin: 0; padding-left: 24px; }
  [role=search] { flex: 0 1 560px; padding-left: 24px; }
  body > nav { grid-row: 2 / 4; border-right: 1px solid var(--line); background: var(--card); }
  .menu, .menu[open] { padding: 16px 12px; border-bottom: 0; }
  .menu > summary { position: static; }
  @supports selector(::details-content) {
    .menu > summary, .filters summary { display: none; }
    .menu::details-content, .filters details::details-content { content-visibility: visible; block-size: auto; }
    .menu::details-content { position: sticky; top: 76px; }
  }
  main { padding: 24px; }
  .alone main, .alone footer { margin: 0 auto; width: 100%; max-width: 560px; }
  footer { padding: 0 24px 32px; }
}
@media (scripting: enabled) {
  .linked tbody tr { cursor: pointer; }
}
@media print {
  :root { color-scheme: light; font-size: 10pt; }
  body, footer { display: block; padding: 0; background: none; font-size: 10pt; print-color-adjust: exact; }
  body > header, body > nav, .skip, .filters, .pager, .button, .action, .back, .flash, .copy, .quiet, details { display: none; }
  main, .card { display: block; padding: 0; border: 0; max-width: none; container-type: normal; }
  main > *, .card > * { margin-bottom: 12px; }
  .table { border: 0; }
  .table td, .table th, .table .badge { font-size: 8pt; }
  .table time { white-space: normal; }
  .table td, .table th { padding: 3px 6px; border-top: 1px solid var(--line); }
  thead { display: table-header-group; }
  tr, .facts > div, .timeline > li { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
`
