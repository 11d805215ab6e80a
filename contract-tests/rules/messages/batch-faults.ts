import type { Contract } from '../../../openapi/reading/contract.ts'
import { sentenceOf } from '../../harness/declared-words.ts'
import { fieldsOf, isFields, listOf, valueAt } from '../../harness/json.ts'
import { faultIf, type Fault, type ObservedExchange } from '../observed-exchange.ts'
import { declaredFaults } from './declared-faults.ts'
import type { FieldSentences } from './field-sentences.ts'
import { firstFault } from './first-fault.ts'
import type { KnownSentences } from './known-sentences.ts'
import { firstFaults, shownText } from './message-faults.ts'

/** Judges what a batch says of a row; an empty message: nothing, as of a row without a fault. */
type RowJudge = (row: ObservedExchange, message: string) => readonly Fault[]

/**
 * What a refused batch says of its rows: its message counts them and has the first one, each has the place of its row,
 * and a fault of the row in the words of a single payout.
 * @param rowFaults judges the message about a row as that of a single payout
 */
export function batchFaults(
  { operations }: Contract,
  seen: ObservedExchange,
  rowFaults: RowJudge,
): readonly Fault[] | undefined {
  const { errors } = seen.data
  const { payouts } = seen.sent
  const operation = operations.find(({ id }) => id === 'sendFunds')
  if (!Array.isArray(errors) || !Array.isArray(payouts) || !operation) return undefined
  const faults = listOf(errors)
  const message = `Nothing was accepted: ${faults.length} of ${payouts.length} payouts ${faults.length === 1 ? 'is' : 'are'} faulty. Line ${String(faults[0]?.line)}: ${String(faults[0]?.message)}`
  const { message: came } = fieldsOf(seen.replyBody)
  const lines = faults.map(({ line }) => Number(line))
  return [
    ...faultIf(
      came !== message,
      'words of a batch',
      `the message of a refused batch is ${shownText(String(came))}, not ${shownText(message)}: data.errors has these lines`,
    ),
    ...faultIf(
      lines.some((line, index) => line < 1 || line > payouts.length || line <= (lines[index - 1] ?? 0)),
      'lines of a batch',
      `a refused batch of ${payouts.length} payouts has faults in the lines ${lines.join(', ')}: each row once, in order, counted from 1`,
    ),
    ...payouts.flatMap((row: unknown, index) => {
      const fault = faults.find(({ line }) => line === index + 1)
      return rowFaults(
        {
          ...seen,
          operation,
          response: operation.responses.find(({ status }) => status === '400'),
          requestBody: row,
          sent: fieldsOf(row),
          exchange: { ...seen.exchange, request: { ...seen.exchange.request, body: Buffer.from(JSON.stringify(row)) } },
        },
        fault === undefined ? '' : String(fault.message),
      ).map((each) => ({
        ...each,
        rule: `batch ${each.rule}`,
        what: `line ${index + 1} of a batch: ${each.what}`,
        about: 'createPayoutBatch',
      }))
    }),
  ]
}

/** A row is refused in the words of a single payout, or in those that only examples of batches have. */
export function rowJudge(contract: Contract, sentences: KnownSentences, fieldSentences: FieldSentences): RowJudge {
  const send = contract.operations.find(({ id }) => id === 'sendFunds')
  /** What a single payout may be refused with, and what only a row of a batch is. */
  const ofRows = [
    ...(send?.responses ?? []).filter(({ status }) => status.startsWith('4')).flatMap((each) => sentences.of(each)),
    ...contract.operations
      .flatMap(({ responses }) => responses.flatMap(({ examples }) => examples))
      .map(({ value }) => valueAt(value, ['data', 'errors', '0', 'message']))
      .flatMap((text) => (typeof text === 'string' ? sentenceOf(text) : [])),
  ]
  return (row, message) => {
    const first = isFields(row.requestBody) ? firstFault(contract, fieldSentences, row) : undefined
    const isRefused = message !== ''
    if (Array.isArray(first) && isRefused) return firstFaults(first, row, message)
    if (!isRefused)
      return faultIf(Array.isArray(first), 'row not named', `it is not among the faulty ones: ${String(first)}`)
    if (first === undefined) return []
    return declaredFaults(row, message, [...ofRows, ...sentences.page], { isValid: true, isOfSchemas: () => false })
  }
}
