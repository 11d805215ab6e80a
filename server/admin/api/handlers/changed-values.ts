import type { Difference } from '../../queries/audit-log.ts'

interface ChangedValue {
  readonly name: string
  readonly old?: string | undefined
  readonly new?: string | undefined
}

/** The values of a change by name, before and after. */
export const changedValues = (difference: Difference): ChangedValue[] =>
  [...new Set([...Object.keys(difference.old), ...Object.keys(difference.new)])].map((name) => ({
    name,
    old: difference.old[name],
    new: difference.new[name],
  }))
