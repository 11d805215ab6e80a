import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What one fault did. */
export interface FaultResult {
  readonly kind: string
  readonly what: string
  /** How long it lasted. */
  readonly heldSeconds: number
  /** The longest time without a 202, from the fault on, or from the moment when all was back where that is the rule. */
  readonly silentSeconds: number
  readonly countedFrom: 'fault' | 'all back'
  /** Until there was a leader with two standbys again, from when all was back. */
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
  /** All that is wrong, in the faults and in the end. */
  readonly findings: readonly string[]
  readonly seconds: number
}

export const REPORT_FILE = fileURLToPath(new URL('../../../dist/failover/report.json', import.meta.url))

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

export async function keepReport(report: FailoverReport, file = REPORT_FILE): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}
