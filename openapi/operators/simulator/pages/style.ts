/** Phones first; light and dark by the reader's setting. */
export const STYLE = `
:root { --ink:#1b1f24; --soft:#50565e; --paper:#fff; --back:#f1f3f5; --line:#8b929a; --act:#0b5c4a; --on-act:#fff; --bad:#a3161b; --good:#0b5c4a }
@media (prefers-color-scheme: dark) { :root { --ink:#eceff2; --soft:#b6bdc5; --paper:#1d2126; --back:#121519; --line:#7d858e; --act:#5fd0b3; --on-act:#06251d; --bad:#ff9a9d; --good:#5fd0b3 } }
* { box-sizing:border-box }
body { margin:0; background:var(--back); color:var(--ink); font:16px/1.5 system-ui, sans-serif }
nav { padding:.5rem 1rem; display:flex; flex-wrap:wrap; gap:0 1rem; border-bottom:1px solid var(--line) }
nav a { display:inline-block; padding:.4rem 0 }
main { max-width:60rem; margin:0 auto; padding:1rem }
main.narrow, .phone { max-width:26rem; margin-inline:auto }
h1 { font-size:1.3rem; margin:.25rem 0 .75rem; overflow-wrap:anywhere } h2 { font-size:1.1rem; margin:1.25rem 0 .5rem }
a { color:var(--act) }
.card { background:var(--paper); border:1px solid var(--line); border-radius:.75rem; padding:1rem; margin:0 0 1rem }
.card p { margin:.25rem 0; overflow-wrap:anywhere } .card > h2:first-child { margin-top:0 }
.amount { font-size:1.6rem; font-weight:600 }
.soft { color:var(--soft); font-size:.9rem }
.bad { color:var(--bad) } .good { color:var(--good) }
label { display:block; font-weight:600; margin-top:.75rem }
input { width:100%; min-height:2.75rem; padding:.4rem .7rem; font:inherit; color:inherit; background:var(--paper); border:1px solid var(--line); border-radius:.5rem }
button { width:100%; min-height:2.75rem; margin-top:.6rem; padding:.4rem 1rem; font:inherit; font-weight:600; border-radius:.5rem; cursor:pointer; background:var(--act); color:var(--on-act); border:1px solid var(--act) }
button.other { background:none; color:var(--ink); border-color:var(--line) }
.two { display:grid; grid-template-columns:1fr 1fr; gap:0 .6rem }
:focus-visible { outline:3px solid var(--act); outline-offset:2px }
.wide { overflow-x:auto } table { border-collapse:collapse; width:100%; background:var(--paper) }
th, td { text-align:left; vertical-align:top; padding:.4rem .6rem; border-bottom:1px solid var(--line); font-size:.9rem }
code, pre { font-size:.85rem; overflow-wrap:anywhere; white-space:pre-wrap }
ul.plain { list-style:none; padding:0; margin:0 0 1rem } ul.plain li { padding:.5rem 0; border-bottom:1px solid var(--line); overflow-wrap:anywhere }
dl { margin:0 } dt { font-weight:600; margin-top:.5rem } dd { margin:0; overflow-wrap:anywhere }
`
