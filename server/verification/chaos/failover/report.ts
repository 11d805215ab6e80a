import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The effect of one fault. */
export interface FaultResult {
  readonly kind: string
  readonly what: string
  /** How long it lasted. */
  readonly heldSeconds: number
  /**
   * The longest time without a 202, counted from the fault, or from the return of all members for faults that need
   * that.
   */
  readonly silentSeconds: number
  readonly countedFrom: 'fault' | 'all back'
  /** From the return of all members until there is a leader with two standbys again. */
  readonly wholeSeconds: number
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly doctor: 'clean' | 'not clean'
  readonly findings: readonly string[]
}

export interface FailoverReport {
  readonly arguments: string
  readonly faults: readonly FaultResult[]
  readonly acknowledged: number
  /** All findings, of each fault and of the final check. */
  readonly findings: readonly string[]
  readonly seconds: number
}

const REPORT_FILE = fileURLToPath(new URL('../../../../dist/failover/report.json', import.meta.url))

const tenths = (seconds: number): string => seconds.toFixed(1)

/** One fault on one line. */
export function lineOf(result: FaultResult): string {
  const { kind, what, heldSeconds, silentSeconds, countedFrom, acknowledged, lost, doubled, doctor } = result
  const since = countedFrom === 'fault' ? '' : ', counted from when all was back'
  return (
    `${kind}: ${what} for ${tenths(heldSeconds)} s; 202s again within ${tenths(silentSeconds)} s${since}; ` +
    `${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled, doctor ${doctor}`
  )
}

export function summaryOf({ faults, acknowledged, findings, seconds }: FailoverReport): string {
  const slowest = Math.max(0, ...faults.map(({ silentSeconds }) => silentSeconds))
  const found = findings.length === 0 ? 'nothing lost, nothing doubled, all books equal' : `${findings.length} findings`
  return (
    `${faults.length} faults, ${acknowledged} payments acknowledged, longest without a 202 ${tenths(slowest)} s, ` +
    `${(seconds / 60).toFixed(1)} minutes: ${found}`
  )
}

export async function keepReport(report: FailoverReport): Promise<void> {
  await mkdir(dirname(REPORT_FILE), { recursive: true })
  await writeFile(REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`)
}
