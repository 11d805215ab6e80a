import { html } from 'ghtml'
import type { Coverage, Figures, SubjectCoverage } from './summary.ts'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a4048); --soft: light-dark(#f5f6f8, #1d2126); --bad: light-dark(#b3261e, #ff9d95); --good: light-dark(#1b6b3a, #7fd6a2); --quiet: light-dark(#59616d, #a5adb8) }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; background: light-dark(#fff, #14171a); color: light-dark(#15181c, #e8eaed) }
h1 { font-size: 1.4rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .25rem 0 } .quiet { color: var(--quiet) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem .35rem 0; text-align: left } td.n, th.n { text-align: right }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer; display: flex; gap: .75rem; justify-content: space-between; font-weight: 600 } summary::before { content: '▸'; color: var(--quiet) } details[open] > summary::before { content: '▾' }
summary b { margin-right: auto; overflow-wrap: anywhere } .bad { color: var(--bad) } .good { color: var(--good) }
ul { margin: .5rem 0; padding: 0; list-style: none } li { display: grid; grid-template-columns: 1.4rem 1fr; overflow-wrap: anywhere; padding: .1rem 0; font: 14px/1.45 ui-monospace, monospace }
.missing li::before { content: '✗'; color: var(--bad) } .found li::before { content: '✓'; color: var(--good) } .off li::before { content: '–'; color: var(--quiet) }
details details { background: var(--soft); border: 0 }`

const share = ({ seen, declared }: Figures): string => `${seen} of ${declared}`
// Long names wrap where their parts begin.
const name = (text: string): string =>
  text
    .split(/(?<=[.>])/)
    .map((part) => html`${part}`)
    .join('<wbr>')
const list = (kind: string, items: readonly string[]): string =>
  html`<ul class="${kind}">!${items.map((item) => html`<li><span>!${name(item)}</span></li>`).join('')}</ul>`

/** The report as one page without scripts or external resources; missing cells come first. */
export function coveragePage(
  coverage: Coverage,
  { title, about }: { readonly title: string; readonly about: string },
): string {
  const { percent, groups, subjects, notAsked: notRequested } = coverage
  const incomplete = subjects
    .filter(({ missing }) => missing.length > 0)
    .toSorted((one, other) => other.missing.length - one.missing.length)
  const complete = subjects.filter(({ missing, declared }) => missing.length === 0 && declared > 0)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: ${String(percent)} %</title>
<style>!${STYLE}</style>
</head>
<body>
<main>
<h1>${title}: <span class="${percent === 100 ? 'good' : 'bad'}">${String(percent)} %</span></h1>
<p>${share(coverage)} declared things of the contract were covered by traffic.</p>
<p class="quiet">${about}</p>
!${incomplete.length === 0 ? '' : html`<h2>Not seen</h2>!${incomplete.map((subject) => subjectBlock(subject, true)).join('')}`}
!${complete.length === 0 ? '' : html`<h2>Seen completely</h2>!${complete.map((subject) => subjectBlock(subject, false)).join('')}`}
<h2>By kind</h2>
<table>
<thead><tr><th scope="col">Kind</th><th scope="col" class="n">Seen</th><th scope="col" class="n">Declared</th></tr></thead>
<tbody>!${Object.entries(groups)
    .map(
      ([group, figures]) =>
        html`<tr><th scope="row">${group}</th><td class="n">${String(figures.seen)}</td><td class="n">${String(figures.declared)}</td></tr>`,
    )
    .join('')}</tbody>
</table>
!${notRequested.length === 0 ? '' : html`<h2>Not requested</h2><p>These ${String(notRequested.length)} do not count.</p>!${notRequestedBlocks(notRequested)}`}
</main>
</body>
</html>
`
}

const subjectBlock = (subject: SubjectCoverage, open: boolean): string => html`<details !${open ? 'open' : ''}>
<summary><b>${subject.subject}</b><span class="${subject.missing.length > 0 ? 'bad' : 'good'}">${share(subject)}</span></summary>
!${list('missing', subject.missing)}
!${open && subject.found.length > 0 ? html`<details><summary><b>Seen</b><span>${String(subject.found.length)}</span></summary>!${list('found', subject.found)}</details>` : list('found', subject.found)}
</details>`

const notRequestedBlocks = (notRequested: Coverage['notAsked']): string =>
  [...Map.groupBy(notRequested, ({ reason }) => reason)]
    .map(
      ([reason, cells]) =>
        html`<details><summary><b>${reason}</b><span>${String(cells.length)}</span></summary>!${list(
          'off',
          cells.map(({ id }) => id),
        )}</details>`,
    )
    .join('')
