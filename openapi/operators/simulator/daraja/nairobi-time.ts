// Daraja uses Nairobi time, which is UTC+3 all year.
const OFFSET_MS = 3 * 3_600_000

const inNairobi = (date: Date): string => new Date(date.getTime() + OFFSET_MS).toISOString()

/** `2026-03-02 10:30:00` */
export const spacedTime = (date: Date): string => inNairobi(date).slice(0, 19).replace('T', ' ')

/** `20260302103000` */
export const compactTime = (date: Date): string => spacedTime(date).replaceAll(/\D/g, '')

/** `02032026103000123`: as in the ids of prompts. */
export const idTime = (date: Date): string => dayFirst(inNairobi(date)).replaceAll(/\D/g, '')

/** `2026-03-02T10:30:00+03:00` */
export const zonedTime = (date: Date): string => `${spacedTime(date).replace(' ', 'T')}+03:00`

/** `02.03.2026 10:30:00`: as in results. */
export const dottedTime = (date: Date): string => dashedTime(date).replaceAll('-', '.')

/** `02-03-2026 10:30:00`: as in the organisation's statement. */
export const dashedTime = (date: Date): string => dayFirst(spacedTime(date))

const dayFirst = (time: string): string => time.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3-$2-$1')

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
