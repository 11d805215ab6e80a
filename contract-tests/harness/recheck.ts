import { timesOf } from './causes.ts'
import type { Finding, PartResult } from './part.ts'

/**
 * Repeats each time-dependent finding that was seen once, because an overloaded machine causes them too. A finding
 * that does not recur is named in the summary only, unless the run has its cause elsewhere (`countedByCause`).
 */
export async function recheckFindings(result: PartResult): Promise<PartResult> {
  if (!result.findings.some(({ recurs: seenAgain }) => seenAgain)) return result
  const findings: Finding[] = []
  const notReproduced: Finding[] = [...(result.notReproduced ?? [])]
  for (const finding of result.findings) {
    const { recurs: seenAgain, ...reported } = finding
    // Without a way to repeat it, a finding stands; so does a fault that fires now and then.
    const isReal = !seenAgain || timesOf(finding) > 1 || (await seenAgain().catch(() => true))
    ;(isReal ? findings : notReproduced).push(reported)
  }
  return { ...result, findings, notReproduced, status: findings.length === 0 ? statusWithout(result) : result.status }
}

const statusWithout = ({ status }: PartResult): PartResult['status'] => (status === 'findings' ? 'passed' : status)
