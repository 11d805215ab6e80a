import type { Finding, PartResult } from './part.ts'

/**
 * Repeats each time-dependent finding once, because an overloaded machine causes them too. A finding that does not
 * recur is named in the summary only.
 */
export async function recheckFindings(result: PartResult): Promise<PartResult> {
  if (!result.findings.some(({ recurs: seenAgain }) => seenAgain)) return result
  const findings: Finding[] = []
  const seenOnce: Finding[] = [...(result.seenOnce ?? [])]
  for (const { recurs: seenAgain, ...finding } of result.findings) {
    // Without a way to repeat it, a finding stands.
    const isReal = !seenAgain || (await seenAgain().catch(() => true))
    ;(isReal ? findings : seenOnce).push(finding)
  }
  return { ...result, findings, seenOnce, status: findings.length === 0 ? statusWithout(result) : result.status }
}

const statusWithout = ({ status }: PartResult): PartResult['status'] => (status === 'findings' ? 'passed' : status)
