/** Kenya keeps UTC+3 all year. */
const AHEAD_MS = 3 * 60 * 60 * 1000

const inNairobi = (at: Date): string => new Date(at.getTime() + AHEAD_MS).toISOString()

/** `yyyyMMddHHmmss`, the format in a password. */
export const timestampOf = (at: Date): string => inNairobi(at).replaceAll(/\D/g, '').slice(0, 14)

/** `yyyy-MM-dd HH:mm:ss`, the format of the pull query. */
export const pullTimeOf = (at: Date): string => inNairobi(at).slice(0, 19).replace('T', ' ')

/**
 * Parses a time of M-PESA's, in either format. A time without a zone is Nairobi's.
 * @returns undefined for an unknown format
 */
export function timeIn(text: string): Date | undefined {
  const written = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3 $4:$5:$6')
  const [, day, time, zone = '+03:00'] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(written) ?? []
  if (day === undefined || time === undefined) return undefined
  const at = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
