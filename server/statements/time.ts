import type { DayOrder } from './format.ts'

const CLOCK = String.raw`(?:[T\s]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*([AaPp][Mm])?\s*(Z|[+-]\d\d:?\d\d)?)?`
const FORMS = {
  ymd: new RegExp(String.raw`^(?<y>\d{4})[-/.]?(?<m>\d\d)[-/.]?(?<d>\d\d)${CLOCK}$`),
  dmy: new RegExp(String.raw`^(?<d>\d{1,2})[-/.](?<m>\d{1,2})[-/.](?<y>\d{4})${CLOCK}$`),
  mdy: new RegExp(String.raw`^(?<m>\d{1,2})[-/.](?<d>\d{1,2})[-/.](?<y>\d{4})${CLOCK}$`),
} as const satisfies Record<DayOrder, RegExp>

/** A reader of times that may name their zone and otherwise are of this one. */
export function timeReader(dayOrder: DayOrder, timeZone: string): (text: string) => Date | undefined {
  const offsetAt = offsets(timeZone)
  /** @returns undefined for what is no time, also for the 30th of February */
  return (text) => {
    const found = FORMS[dayOrder].exec(text.trim())
    if (!found) return undefined
    const { y = '', m = '', d = '' } = found.groups ?? {}
    const [hour = '0', minute = '0', second = '0', half, zone] = clockOf(found)
    const local = Date.UTC(Number(y), Number(m) - 1, Number(d), hourOf(hour, half), Number(minute), Number(second))
    const day = new Date(local)
    const isReal =
      day.getUTCMonth() === Number(m) - 1 &&
      day.getUTCDate() === Number(d) &&
      Number(hour) < 24 &&
      Number(minute) < 60 &&
      Number(second) < 61
    if (!isReal) return undefined
    return new Date(local - (zone === undefined ? localOffset(local, offsetAt) : offsetOf(zone)))
  }
}

/** The groups after the three of the day, whichever their order. */
const clockOf = (found: RegExpExecArray): readonly (string | undefined)[] => found.slice(4)

function hourOf(hour: string, half: string | undefined): number {
  if (half === undefined) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000
}

/** How far ahead of UTC a clock that shows this time is. Of an hour that comes twice the first is meant. */
function localOffset(local: number, offsetAt: (utc: number) => number): number {
  const first = offsetAt(local)
  const second = offsetAt(local - first)
  return offsetAt(local - second) === second ? second : first
}

const HOUR_MS = 3_600_000
const KNOWN_MAX = 10_000

/** How far ahead of UTC the clocks of a zone are, in milliseconds; asked once per hour that it is asked about. */
function offsets(timeZone: string): (utc: number) => number {
  if (timeZone === 'UTC') return () => 0
  const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  return (utc) => {
    const hour = Math.floor(utc / HOUR_MS)
    const before = known.get(hour)
    if (before !== undefined) return before
    const name = shown.formatToParts(new Date(utc)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(hour, offset)
    return offset
  }
}
