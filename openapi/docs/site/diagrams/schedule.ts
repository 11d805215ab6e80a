import { html } from 'ghtml'
import { CALLBACK_RETRY_MS } from '../../../../server/domain/callback.ts'
import { DRAWING_WIDTH, type DrawnStep, type Step } from './step.ts'

// ghtml escapes every ${value}; `!${value}` is markup made here.

const ROW = 22
const TOP = 14
const LEFT = 84
const RIGHT = DRAWING_WIDTH - 12
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
] as const
const TICKS = [
  [SECOND, '1 s'],
  [MINUTE, '1 min'],
  [HOUR, '1 h'],
  [DAY, '1 day'],
] as const
const AXIS_END = 4 * DAY

/** `2 hours and 35 minutes`: two units at most. */
function durationText(ms: number): string {
  const [first, second] = UNITS.map(([unit, name], place) => {
    const larger = UNITS[place - 1]?.[0]
    const count = Math.floor((larger === undefined ? ms : ms % larger) / unit)
    return count === 0 ? '' : `${count} ${name}${count === 1 ? '' : 's'}`
  }).filter((part) => part !== '')
  return [first, second].filter((part) => part !== undefined).join(' and ')
}

/** The time of each attempt after the first. */
const timesOf = (waits: readonly number[]): number[] =>
  [0, ...waits].map((_, index) => waits.slice(0, index).reduce((sum, wait) => sum + wait, 0))

/** The lines of the fence about the delays. */
export function scheduleLines(waits: readonly number[] = CALLBACK_RETRY_MS): string[] {
  return timesOf(waits).map((time, index) => {
    if (index === 0) return 'Attempt 1: at once'
    const later = `Attempt ${index + 1}: ${durationText(waits[index - 1] ?? 0)} later`
    return index === 1 ? later : `${later}, ${durationText(time)} after the first`
  })
}

/** Attempts on a logarithmic time axis, drawn from the gateway's own delays. */
export function drawnSchedule(steps: readonly Step[]): DrawnStep {
  const times = timesOf(CALLBACK_RETRY_MS)
  const placeOf = (ms: number): number =>
    ms < SECOND
      ? LEFT
      : Math.round(LEFT + 12 + ((RIGHT - LEFT - 12) * Math.log(ms / SECOND)) / Math.log(AXIS_END / SECOND))
  const bottom = TOP + times.length * ROW
  const ticks = TICKS.map(
    ([ms, label]) =>
      html`<path class="life" d="M${placeOf(ms)} ${TOP - 6}V${bottom}"/><text class="tick" x="${placeOf(ms)}" y="${bottom + 14}">${label}</text>`,
  )
  const rows = times.map((time, index) => {
    const [x, before, y] = [placeOf(time), placeOf(times[index - 1] ?? 0), TOP + index * ROW + ROW / 2 - 4]
    const wait = index === 0 ? 'at once' : durationText(CALLBACK_RETRY_MS[index - 1] ?? 0)
    return html`<text class="row" x="0" y="${y + 4}">${index + 1}</text><text class="row" x="20" y="${y + 4}">${short(wait)}</text><path class="bar" d="M${before} ${y}H${x}"/><circle class="disc" cx="${x}" cy="${y}" r="5"/>`
  })
  return {
    markup: [...ticks, ...rows].join(''),
    height: bottom + 20,
    about: `${steps.length} attempts on a line of time; the waits between them grow from ${durationText(CALLBACK_RETRY_MS[0] ?? 0)} to ${durationText(CALLBACK_RETRY_MS.at(-1) ?? 0)}.`,
    isNumbered: false,
  }
}

const short = (text: string): string =>
  text
    .replace(/ seconds?$/, ' s')
    .replace(/ minutes?$/, ' min')
    .replace(/ hours?$/, ' h')
