import { DAY_ORDERS, type DayOrder } from './format.ts'

/** A moment, and the day that it is on where it was written. */
export interface ReadTime {
  readonly at: Date
  /** `2026-03-02` */
  readonly day: string
}

/** @returns undefined for what is no time, also for the 30th of February */
export type TimeReader = (text: string) => ReadTime | undefined

const REST = String.raw`(?:[T\s]+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,20})?)?(?:\s*(?<half>[AaPp][Mm]))?)?(?:\s*(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?`
const form = (day: string): RegExp => new RegExp(`^${day}${REST}$`)
/** Four digits of a year in front, and something between: no other order can be meant. */
const YEAR_FIRST = form(String.raw`(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})`)
const FORMS = {
  ymd: [YEAR_FIRST, form(String.raw`(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)`)],
  dmy: [
    YEAR_FIRST,
    form(String.raw`(?<d>\d{1,2})[-/.](?<m>\d{1,2})[-/.](?<y>\d{4})`),
    form(String.raw`(?<d>\d\d)(?<m>\d\d)(?<y>\d{4})`),
  ],
  mdy: [
    YEAR_FIRST,
    form(String.raw`(?<m>\d{1,2})[-/.](?<d>\d{1,2})[-/.](?<y>\d{4})`),
    form(String.raw`(?<m>\d\d)(?<d>\d\d)(?<y>\d{4})`),
  ],
} as const satisfies Record<DayOrder, readonly RegExp[]>

/** A reader of times that may name their zone and otherwise are of this one. */
export function timeReader(dayOrder: DayOrder, timeZone: string): TimeReader {
  const offsetAt = offsetsOf(timeZone)
  return (text) => {
    const written = text.trim()
    for (const pattern of FORMS[dayOrder]) {
      const groups = pattern.exec(written)?.groups
      if (groups) return timeOf(groups, offsetAt)
    }
    return undefined
  }
}

/** The order in which a text is a day, where it is none in this one. */
export const otherDayOrder = (text: string, dayOrder: DayOrder): DayOrder | undefined =>
  DAY_ORDERS.find((other) => other !== dayOrder && timeReader(other, 'UTC')(text) !== undefined)

const YEAR_MIN = 1970

type Offsets = (utc: number) => number

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

function timeOf(groups: Readonly<Record<string, string | undefined>>, offsetAt: Offsets): ReadTime | undefined {
  const { y = '', m = '', d = '', zone } = groups
  const midnight = Date.UTC(Number(y), Number(m) - 1, Number(d))
  const day = new Date(midnight)
  // No account is older; `Date.UTC` takes the years to 99 for those of a century ago.
  if (Number(y) < YEAR_MIN) return undefined
  if (day.getUTCMonth() !== Number(m) - 1 || day.getUTCDate() !== Number(d)) return undefined
  const clock = clockMs(groups)
  const offset = zone === undefined ? undefined : zoneMs(zone)
  if (clock === undefined || Number.isNaN(offset)) return undefined
  const local = midnight + clock
  const at = new Date(local - (offset ?? localOffset(local, offsetAt)))
  // Servers write UTC whatever their day is; another zone is that of the bank.
  const isElsewhere = offset === 0 && groups['hour'] !== undefined
  return { at, day: dayOf(isElsewhere ? at.getTime() + offsetAt(at.getTime()) : local) }
}

const dayOf = (local: number): string => new Date(local).toISOString().slice(0, 10)

/** 24:00:00 is the end of the day. @returns undefined for what no clock shows */
function clockMs(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  const { hour = '0', minute = '0', second = '0', half } = groups
  const [hours, minutes, seconds] = [hourOf(hour, half), Number(minute), Number(second)]
  const isEndOfDay = hours === 24 && minutes === 0 && seconds === 0
  if ((hours > 23 && !isEndOfDay) || minutes > 59 || seconds > 60) return undefined
  return hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000
}

function hourOf(hour: string, half: string | undefined): number {
  if (half === undefined || Number(hour) > 23) return Number(hour)
  return (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** @returns NaN for what no zone has */
function zoneMs(zone: string): number {
  if (/^[A-Z]/.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 14 || minutes > 59) return Number.NaN
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS) + 0
}

/** How far ahead of UTC a clock that shows this time is. Of an hour that comes twice the first is meant. */
function localOffset(local: number, offsetAt: Offsets): number {
  const first = offsetAt(local)
  const second = offsetAt(local - first)
  return offsetAt(local - second) === second ? second : first
}

const KNOWN_MAX = 10_000
const zones = new Map<string, Offsets>()

function offsetsOf(timeZone: string): Offsets {
  const known = zones.get(timeZone) ?? offsets(timeZone)
  zones.set(timeZone, known)
  return known
}

/** How far ahead of UTC the clocks of a zone are, in milliseconds; asked once per hour that it is asked about. */
function offsets(timeZone: string): Offsets {
  if (timeZone === 'UTC') return () => 0
  const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  return (utc) => {
    const hour = Math.floor(utc / HOUR_MS)
    const before = known.get(hour)
    if (before !== undefined) return before
    const name = shown.formatToParts(new Date(utc)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(hour, offset)
    return offset
  }
}
