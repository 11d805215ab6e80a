import { NEVER_COLLECTION, REPORTED_PAYOUT } from '../counterparts/index.ts'
import { adapterThat, readingThat, railFaults } from './plant.ts'

/** Faults in which statuses and codes of an operator count as verdicts. */
export const IN_VERDICTS = railFaults('verdicts', {
  'documented-failure-unknown': {
    does: 'knows fewer failures than the operator documents',
    rail: REPORTED_PAYOUT,
    breaks: ['a documented failure result is a failure, with a failure code'],
    wrong: readingThat(({ outcome, ...reading }) => ({
      ...reading,
      ...(outcome && !(outcome.status === 'FAILED' && outcome.code === 'account_not_found') && { outcome }),
    })),
  },
  'unmapped-code-withheld': {
    does: 'keeps to itself that it does not know a result code',
    rail: NEVER_COLLECTION,
    breaks: ['an undocumented result code claims nothing, and is passed on'],
    wrong: readingThat(({ unmappedCode: _unmappedCode, ...reading }) => reading),
  },
  'failure-binds-placeholder': {
    does: 'binds the placeholder of a failure',
    rail: REPORTED_PAYOUT,
    breaks: ['a failure binds no id of a movement'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const reading = readCallback(callback)
        const [, receipt] = /"TransactionID":"(\w+)"/.exec(callback.body) ?? []
        return reading && { ...reading, ...(receipt !== undefined && { receipts: { TransactionID: receipt } }) }
      },
    })),
  },
  'query-of-reply-forgotten': {
    does: 'forgets which query an answer is to',
    rail: REPORTED_PAYOUT,
    breaks: ['a reply by message names its query by a known id'],
    wrong: readingThat(({ answersQuestion: _answersQuestion, ...reading }) => reading),
  },
})
