import type { Finding, PartResult } from './part.ts'

/**
 * Asks again, once, for each finding that depends on time: a machine at many times its load makes them too. What does
 * not come again is told in the summary, and is no finding.
 */
export async function polledAgain(result: PartResult): Promise<PartResult> {
  if (!result.findings.some(({ seenAgain }) => seenAgain)) return result
  const findings: Finding[] = []
  const seenOnce: Finding[] = [...(result.seenOnce ?? [])]
  for (const { seenAgain, ...finding } of result.findings) {
    // Who cannot ask again has not shown that it was chance.
    const isReal = !seenAgain || (await seenAgain().catch(() => true))
    ;(isReal ? findings : seenOnce).push(finding)
  }
  return { ...result, findings, seenOnce, status: findings.length === 0 ? statusWithout(result) : result.status }
}

const statusWithout = ({ status }: PartResult): PartResult['status'] => (status === 'findings' ? 'passed' : status)
