import type { DisplayValues } from '../queries/audit-log.ts'

/** Formats values of any type for people; skips null and undefined. */
export const displayValues = (values: Readonly<Record<string, unknown>>): DisplayValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, textOf(value)]),
  )

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'bigint'
    ? String(value)
    : JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
