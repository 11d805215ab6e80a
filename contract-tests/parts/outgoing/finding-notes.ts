import { curlLine } from '../../harness/curl.ts'
import type { Finding, Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** Keeps each defect once, with the first request that showed it. */
export interface FindingNotes {
  /** @param rule equal for the same defect */
  note(rule: string, finding: Omit<Finding, 'curl'>, request: WireRequest): void
  list(): Finding[]
}

export function createFindingNotes(target: Pick<Target, 'url' | 'publicKey' | 'secretKey'>): FindingNotes {
  const found = new Map<string, Finding>()
  return {
    note(rule, finding, request) {
      if (!found.has(rule)) found.set(rule, { ...finding, curl: curlLine(target, request) })
    },
    list: () => [...found.values()],
  }
}
