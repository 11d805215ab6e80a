import { fieldAt, listOf, textOf } from '../foreign-fields.ts'
import { codeIn, idIn } from './result-fields.ts'

/** A listed payment, with those of its fields that could be read. */
export interface PulledTransaction {
  /** The receipt number. */
  readonly transactionId: string
  /** Shillings, as written in the list. */
  readonly amount?: string
  readonly msisdn?: string
  readonly billreference?: string
  readonly trxDate?: string
}

interface PulledPage {
  readonly transactions: readonly PulledTransaction[]
  /** The number of entries, including those without a receipt number: the offset of the next page. */
  readonly entries: number
}

/** 1000: transactions follow; 1001: there are none. */
const CODES: ReadonlySet<string | undefined> = new Set(['1000', '1001'])

/** @returns undefined for a body that is not a page of the list */
export function readPulledPage(data: unknown): PulledPage | undefined {
  const response = fieldAt(data, 'Response')
  const isList = response === undefined || response === null || typeof response === 'object'
  if (!CODES.has(codeIn(fieldAt(data, 'ResponseCode'))) || !isList) return undefined
  const entries = listOf(response).flatMap((entry) => listOf(entry))
  return { transactions: entries.flatMap((entry) => readTransaction(entry) ?? []), entries: entries.length }
}

function readTransaction(entry: unknown): PulledTransaction | undefined {
  const transactionId = idIn(fieldAt(entry, 'transactionId'))
  if (transactionId === undefined) return undefined
  const texts = ['amount', 'msisdn', 'billreference', 'trxDate'].flatMap((name) => {
    const text = textOf(fieldAt(entry, name))
    return text === undefined ? [] : [[name, text]]
  })
  return { transactionId, ...(Object.fromEntries(texts) as Omit<PulledTransaction, 'transactionId'>) }
}
