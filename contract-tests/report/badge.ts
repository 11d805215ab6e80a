import type { SuiteResult } from '../suite-result.ts'
import { counted } from './print.ts'

/** What a service draws a badge from, in the form of https://shields.io/badges/endpoint-badge. */
interface Badge {
  readonly schemaVersion: 1
  readonly label: string
  readonly message: string
  readonly color: string
  /** The reader of the badge cannot choose another colour. */
  readonly isError?: true
}

const GREEN_PERCENT_MIN = 90
const YELLOW_PERCENT_MIN = 60

/**
 * The coverage of the contract, or the number of findings where there are some.
 * @param isWhole false: the run was limited, so its coverage says nothing about the contract
 */
export function badgeOf({ findings, coverage: { percent } }: SuiteResult, isWhole: boolean): Badge {
  const badge = { schemaVersion: 1, label: 'contract' } as const
  if (findings.length > 0)
    return { ...badge, message: counted(findings.length, 'finding'), color: 'red', isError: true }
  if (!isWhole) return { ...badge, message: 'no findings', color: 'brightgreen' }
  return { ...badge, message: `${percent}% covered`, color: colorOf(percent) }
}

function colorOf(percent: number): string {
  if (percent >= GREEN_PERCENT_MIN) return 'brightgreen'
  return percent >= YELLOW_PERCENT_MIN ? 'yellow' : 'orange'
}
