import type { Contract } from '../../../openapi/reading/contract.ts'
import { sentenceOf, type DeclaredSentence } from '../../harness/declared-words.ts'

const PAGE = 'life-of-a-transaction'
const CODED = /`([^`]+)`/g

/** Status messages of the page "Life of a transaction". */
interface StatusSentences {
  readonly byStatus: ReadonlyMap<string, readonly DeclaredSentence[]>
  /** Messages of failures, with their codes. */
  readonly reasons: readonly { readonly sentence: DeclaredSentence; readonly code: string }[]
}

/** Undefined when the contract has no such page. */
export function lifecyclePage({ document }: Contract): StatusSentences | undefined {
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
