import { DAY_ORDERS, type DayOrder } from './format.ts'

/** A point in time, and its local date where it was written. */
export interface ReadTime {
  readonly at: Date
  /** `2026-03-02` */
  readonly day: string
}

/** @returns undefined for an invalid time, including the 30th of February */
export type TimeReader = (text: string) => ReadTime | undefined

const REST = String.raw`(?:[T\s]+(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,20})?)?(?:\s*(?<half>[AaPp][Mm]))?)?(?:\s*(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d))?`
const form = (day: string): RegExp => new RegExp(`^${day}${REST}$`)
/** A four-digit year in front, and separators: no other order is possible. */
const YEAR_FIRST = form(String.raw`(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})`)
/** With the English name of the month, cut short or not, no other order is possible either; then the year is last. */
const MONTH = String.raw`(?<name>[A-Za-z]{3,9})\.?`
const MONTH_NAMED = [
  form(String.raw`(?<d>\d{1,2})[-/. ]?${MONTH}[-/., ]{0,2}(?<y>\d{4}|\d\d)`),
  form(String.raw`${MONTH} ?(?<d>\d{1,2}),? (?<y>\d{4})`),
]
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
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

/** Creates a reader of times; a time without a zone is in this one. */
export function timeReader(dayOrder: DayOrder, timeZone: string): TimeReader {
  const offsetAt = offsetsOf(timeZone)
  return (text) => {
    const written = text.trim()
    for (const pattern of [...FORMS[dayOrder], ...MONTH_NAMED]) {
      const groups = pattern.exec(written)?.groups
      if (groups) return timeOf(groups, offsetAt)
    }
    return undefined
  }
}

/** Another order in which the text is a valid date; to be called when it is not valid in this one. */
export const otherDayOrder = (text: string, dayOrder: DayOrder): DayOrder | undefined =>
  DAY_ORDERS.find((other) => other !== dayOrder && timeReader(other, 'UTC')(text) !== undefined)

const YEAR_MIN = 1970

type Offsets = (utc: number) => number

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

function timeOf(groups: Readonly<Record<string, string | undefined>>, offsetAt: Offsets): ReadTime | undefined {
  const { y = '', m, d = '', name = '', zone } = groups
  const year = Number(y.length === 2 ? `20${y}` : y)
  const month = m === undefined ? MONTHS.findIndex((each) => each.startsWith(name.toLowerCase())) : Number(m) - 1
  const midnight = Date.UTC(year, month, Number(d))
  const day = new Date(midnight)
  // No account is older; `Date.UTC` maps the years 0 to 99 to 1900–1999.
  if (year < YEAR_MIN) return undefined
  if (day.getUTCMonth() !== month || day.getUTCDate() !== Number(d)) return undefined
  const clock = clockMs(groups)
  const offset = zone === undefined ? undefined : zoneMs(zone)
  if (clock === undefined || Number.isNaN(offset)) return undefined
  const local = midnight + clock
  const at = new Date(local - (offset ?? localOffset(local, offsetAt)))
  // Servers write UTC whatever the local date is; any other zone is the bank's own.
  const isElsewhere = offset === 0 && groups['hour'] !== undefined
  return { at, day: dayOf(isElsewhere ? at.getTime() + offsetAt(at.getTime()) : local) }
}

const dayOf = (local: number): string => new Date(local).toISOString().slice(0, 10)

/**
 * 24:00:00 is the end of the day.
 * @returns undefined for an invalid time of day
 */
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

/** @returns NaN for an invalid zone */
function zoneMs(zone: string): number {
  if (/^[A-Z]/.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 14 || minutes > 59) return Number.NaN
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS) + 0
}

/** The UTC offset of a clock that shows this local time. For an hour that occurs twice it is the first. */
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

/** The UTC offset of a zone, in milliseconds; computed once per hour and cached. */
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
