import { textOf } from '../foreign-fields.ts'
import type { RailOutcome } from '../../domain/transaction.ts'

// `ResultDesc` is for people and may say anything, so it never decides alone. But code and text were observed to contradict each other (code 1 with "still under processing"), and then neither is trusted.

const UNFINISHED =
  /\b(?:still|under|being|in)\s+process(?:ed)?\b|\b(?:under|still)\s+processing\b|\bin\s+progress\b|\b(?:is|still|transaction)\s+pending\b|\b(?:is|for)\s+processing\b/i
/** Another transaction is in process: M-PESA's own text for code 1001. It says nothing about this one. */
const OF_ANOTHER =
  /\b(?:another|similar|previous)\s+(?:\w+\s+)?(?:transaction|request)\b|\balready\s+in\s+process\s+for\b/i
const SUCCEEDED = /(?<!\bnot\s+(?:been\s+)?)\b(?:processed|completed)\s+successfully\b/i
const FAILED =
  /\b(?:cancell?ed|declined|rejected|failed|expired|insufficient|unsuccessful|not\s+(?:been\s+)?(?:processed|completed))\b/i

/** Whether the text beside a result code contradicts the code. */
export function isContradicted({ status }: RailOutcome, resultDesc: unknown): boolean {
  const text = textOf(resultDesc) ?? ''
  if (status === 'COMPLETED') return UNFINISHED.test(text) || FAILED.test(text)
  return (UNFINISHED.test(text) && !OF_ANOTHER.test(text)) || SUCCEEDED.test(text)
}
