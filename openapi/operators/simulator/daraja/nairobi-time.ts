// Daraja uses Nairobi time, which is UTC+3 all year.
const OFFSET_MS = 3 * 3_600_000

interface Parts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minute: string
  readonly second: string
  readonly millisecond: string
}

function partsOf(date: Date): Parts {
  const text = new Date(date.getTime() + OFFSET_MS).toISOString()
  const [year = '', month = '', day = '', hour = '', minute = '', second = '', millisecond = ''] = text.split(/\D/)
  return { year, month, day, hour, minute, second, millisecond }
}

/** `20260302103000` */
export function compactTime(date: Date): string {
  const { year, month, day, hour, minute, second } = partsOf(date)
  return `${year}${month}${day}${hour}${minute}${second}`
}

/** `02032026103000123`: as in the ids of prompts. */
export function idTime(date: Date): string {
  const { year, month, day, hour, minute, second, millisecond } = partsOf(date)
  return `${day}${month}${year}${hour}${minute}${second}${millisecond}`
}

/** `2026-03-02 10:30:00` */
export function spacedTime(date: Date): string {
  const { year, month, day, hour, minute, second } = partsOf(date)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** `2026-03-02T10:30:00+03:00` */
export const zonedTime = (date: Date): string => `${spacedTime(date).replace(' ', 'T')}+03:00`

/** `02.03.2026 10:30:00`: as in results. */
export function dottedTime(date: Date): string {
  const { year, month, day, hour, minute, second } = partsOf(date)
  return `${day}.${month}.${year} ${hour}:${minute}:${second}`
}

/** `02-03-2026 10:30:00`: as in the organisation's statement. */
export const dashedTime = (date: Date): string => dottedTime(date).replaceAll('.', '-')

/** Parses `yyyyMMddHHmmss`. @returns undefined for an invalid time */
export const readCompactTime = (text: string): Date | undefined =>
  dateOf(text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6'))

/** Parses `yyyy-MM-dd HH:mm:ss`. @returns undefined for an invalid time */
export const readSpacedTime = (text: string): Date | undefined => dateOf(text)

function dateOf(spaced: string): Date | undefined {
  const date = new Date(`${spaced.replace(' ', 'T')}+03:00`)
  // Formatted again and compared, so that 31 February does not become 3 March.
  return !Number.isNaN(date.getTime()) && spacedTime(date) === spaced ? date : undefined
}
