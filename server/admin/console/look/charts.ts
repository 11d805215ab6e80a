import { html } from 'ghtml'
import type { Viewer } from './viewer.ts'

// Drawn by the server, without script. Colours come from the style; nothing is said by a colour alone.

export interface DayCount {
  /** `2026-11-27`. */
  readonly day: string
  readonly completed: number
  readonly failed: number
}

const BAR = { height: 120, step: 10, width: 7 } as const

/** Payments a day: the completed ones, and on top of them the failed ones. */
export function barChart(viewer: Viewer, title: string, days: readonly DayCount[]): string {
  const { say, number } = viewer
  const [first, last] = [days[0], days.at(-1)]
  const busiest = days.reduce<DayCount | undefined>(
    (most, day) => (most && sum(most) >= sum(day) ? most : day),
    undefined,
  )
  if (!first || !last || !busiest || sum(busiest) === 0) return html`<p class="soft">${say('noDays')}</p>`
  const scale = BAR.height / sum(busiest)
  const total = (of: (day: DayCount) => number): string => number(days.reduce((all, day) => all + of(day), 0))
  const summary = say('daySummary', {
    completed: total(({ completed }) => completed),
    failed: total(({ failed }) => failed),
    days: number(days.length),
    most: number(sum(busiest)),
    day: viewer.day(busiest.day),
  })
  const bars = days.map((day, at) => bar(viewer, day, at * BAR.step, scale))
  return html`<figure class="chart"><figcaption><b>${title}</b><span class="legend good">${say('completed')}</span><span class="legend bad">${say('failed')}</span></figcaption>
<div class="plot"><span class="most" aria-hidden="true">${number(sum(busiest))}</span><svg role="img" aria-label="${summary}" viewBox="0 0 !${String(days.length * BAR.step)} !${String(BAR.height)}" preserveAspectRatio="none">!${bars.join('')}</svg></div>
<div class="ends" aria-hidden="true"><span>${viewer.day(first.day)}</span><span>${viewer.day(last.day)}</span></div>
!${tableOf(viewer, title, days)}</figure>`
}

const sum = ({ completed, failed }: DayCount): number => completed + failed
const coordinate = (value: number): string => String(Math.round(value * 10) / 10)

function bar(
  { say, day: dayText, number }: Viewer,
  { day, completed, failed }: DayCount,
  x: number,
  scale: number,
): string {
  const part = (name: string, from: number, count: number): string => {
    const height = count * scale
    const y = BAR.height - from * scale - height
    return count === 0
      ? ''
      : `<rect class="${name}" x="${x}" y="${coordinate(y)}" width="${BAR.width}" height="${coordinate(height)}"/>`
  }
  return html`<g><title>${dayText(day)}: ${number(completed)} ${say('completed')}, ${number(failed)} ${say('failed')}</title>!${part('good', 0, completed)}!${part('bad', completed, failed)}</g>`
}

const tableOf = ({ say, day: dayText, number }: Viewer, title: string, days: readonly DayCount[]): string =>
  html`<details><summary>${say('showAsTable')}</summary><table class="small"><caption class="unseen">${title}</caption><thead><tr><th scope="col">${say('day')}</th><th scope="col" class="numeric">${say('completed')}</th><th scope="col" class="numeric">${say('failed')}</th></tr></thead><tbody>!${days
    .map(
      ({ day, completed, failed }) =>
        html`<tr><th scope="row">${dayText(day)}</th><td class="numeric">${number(completed)}</td><td class="numeric">${number(failed)}</td></tr>`,
    )
    .join('')}</tbody></table></details>`

export interface Share {
  readonly name: string
  readonly part: number
  readonly whole: number
  readonly href?: string | undefined
  /** Lower than it should be. */
  readonly isLow?: boolean | undefined
}

/** Shares in percent, for instance of completed payments by provider, each with its counts. */
export const shareBars = ({ say, number, percent }: Viewer, shares: readonly Share[]): string =>
  html`<ul class="shares">!${shares
    .map(({ name, part, whole, href, isLow = false }) => {
      const ratio = whole === 0 ? 0 : part / whole
      const title = href === undefined ? html`<b>${name}</b>` : html`<a href="${href}">${name}</a>`
      return html`<li>!${title}<span class="share">${whole === 0 ? '–' : percent(ratio)}</span><svg aria-hidden="true" height="8" width="100%"><rect class="back" width="100%" height="8" rx="4"/><rect class="!${isLow ? 'bad' : 'good'}" width="!${coordinate(ratio * 100)}%" height="8" rx="4"/></svg><small>${say('shareOf', { part: number(part), whole: number(whole) })}</small></li>`
    })
    .join('')}</ul>`
