import type { Contract } from '../../../openapi/reading/contract.ts'
import { faultIf, type Judge } from './observed-exchange.ts'
import { sentenceOf, type DeclaredSentence } from './declared-words.ts'
import { recordIn } from './record-in.ts'

const PAGE = 'life-of-a-transaction'
const CODED = /`([^`]+)`/g

/** Status messages of the page "Life of a transaction". */
interface StatusSentences {
  readonly byStatus: ReadonlyMap<string, readonly DeclaredSentence[]>
  /** Messages of failures, with their codes. */
  readonly reasons: readonly { readonly sentence: DeclaredSentence; readonly code: string }[]
}

/** Undefined when the contract has no such page. */
function lifecyclePage({ document }: Contract): StatusSentences | undefined {
  const page = document.tags?.find(({ name }) => name === PAGE)?.description
  const rows = (page ?? '').split('\n').filter((line) => line.startsWith('|'))
  const cells = rows.map((row) => row.split('|').map((cell) => [...cell.matchAll(CODED)].map(([, text = '']) => text)))
  const byStatus = new Map(
    cells.flatMap(([, [status = ''] = [], , , texts = []]) =>
      /^[A-Z]+$/.test(status) && texts.length > 0 ? [[status, texts.map(sentenceOf)] as const] : [],
    ),
  )
  const reasons = cells.flatMap(([, [text = ''] = [], [code = ''] = []], row) =>
    text.includes(' ') && /^[a-z_]+$/.test(code) ? [{ sentence: reasonFor(text, rows[row] ?? ''), code }] : [],
  )
  return byStatus.size > 0 && reasons.length > 0 ? { byStatus, reasons } : undefined
}

/** The status that a merchant's platform answered varies; the row says where it may be missing. */
function reasonFor(text: string, row: string): DeclaredSentence {
  const { pattern } = sentenceOf(text)
  const status = String.raw` \(HTTP \d{3}\)`
  if (!row.includes('without a status')) return { text, pattern }
  return { text, pattern: new RegExp(pattern.source.replace(status, `(?:${status})?`)) }
}

/**
 * A sandbox payment record has a status message that the contract declares for its status, and the code of that
 * reason.
 */
export function statusWordsJudge(contract: Contract): Judge {
  const lifecycle = lifecyclePage(contract)
  return (seen) => {
    if (!lifecycle) return []
    const { transaction_status: status, status_message: message, failure_code: code } = recordIn(seen)
    if (typeof status !== 'string' || typeof message !== 'string') return []
    const reason = lifecycle.reasons.find(({ sentence }) => sentence.pattern.test(message))
    const isWord =
      status === 'FAILED'
        ? reason !== undefined
        : (lifecycle.byStatus.get(status)?.some(({ pattern }) => pattern.test(message)) ?? true)
    return [
      ...faultIf(
        !isWord,
        `status words ${status}`,
        `status_message of a transaction that is ${status} is ${JSON.stringify(message.slice(0, 120))}, which the page "Life of a transaction" does not have for it`,
      ),
      ...faultIf(
        status === 'FAILED' && reason !== undefined && reason.code !== code,
        `failure code ${reason?.code}`,
        `failure_code of ${JSON.stringify(message.slice(0, 120))} is ${JSON.stringify(code) ?? 'absent'}, not ${reason?.code}`,
      ),
    ]
  }
}
