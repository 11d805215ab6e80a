const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

/** What a duration must be, in words. */
export const DURATION = 'must be a duration such as 90s, 5m, 1h30m or 7d'

/** @returns milliseconds; undefined when it is none, or more than 999,999 of a unit */
export function durationMs(text: unknown): number | undefined {
  const parts =
    typeof text === 'string' ? /^(\d{1,6}d)?(\d{1,6}h)?(\d{1,6}m)?(\d{1,6}s)?(\d{1,6}ms)?$/.exec(text) : null
  if (!parts || parts[0] === '') return undefined
  return parts.slice(1).reduce((sum, part: string | undefined) => sum + msOf(part), 0)
}

function msOf(part: string | undefined): number {
  const [, count = '0', unit = 's'] = /^(\d+)([a-z]+)$/.exec(part ?? '') ?? []
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}
