import { darajaCollection, darajaPayout } from '../counterparts/daraja.ts'
import { adapterThat, readingThat, type Plant } from './plant.ts'

export const DOCUMENTED = 'a documented failure result is a failure, with a failure code'
export const UNDOCUMENTED = 'an undocumented result code claims nothing, and is passed on'
export const LATE_ANSWER = 'a reply by message names its query by a known id'
export const FORGED_ANSWER = 'a forged reply to a query ends no payment, and the genuine one does'

/** Faults in which statuses and codes of an operator count as verdicts. */
export const IN_VERDICTS: readonly Plant[] = [
  {
    name: 'knows fewer failures than the operator documents',
    in: darajaPayout,
    breaks: [DOCUMENTED],
    wrong: readingThat(({ outcome, ...reading }) => ({
      ...reading,
      ...(outcome && !(outcome.status === 'FAILED' && outcome.code === 'account_not_found') && { outcome }),
    })),
  },
  {
    name: 'keeps to itself that it does not know a result code',
    in: darajaCollection,
    breaks: [UNDOCUMENTED],
    wrong: readingThat(({ unmappedCode: _unmappedCode, ...reading }) => reading),
  },
  {
    name: 'binds the placeholder of a failure',
    in: darajaPayout,
    breaks: ['a failure binds no id of a movement'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const reading = readCallback(callback)
        const [, receipt] = /"TransactionID":"(\w+)"/.exec(callback.body) ?? []
        return reading && { ...reading, ...(receipt !== undefined && { receipts: { TransactionID: receipt } }) }
      },
    })),
  },
  {
    name: 'forgets which query an answer is to',
    in: darajaPayout,
    breaks: [LATE_ANSWER, FORGED_ANSWER],
    wrong: readingThat(({ answersQuestion: _answersQuestion, ...reading }) => reading),
  },
  {
    name: 'believes an answer that names no query',
    in: darajaPayout,
    breaks: [LATE_ANSWER],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const reading = readCallback(callback)
        const isFailed = callback.tail === 'status' && callback.body.includes('"Failed"')
        return reading && isFailed && !reading.outcome
          ? { ...reading, outcome: { status: 'FAILED', reason: 'M-PESA did not pay it' } }
          : reading
      },
    })),
  },
]
