import type { AccountMessage, RailOrder } from '../../../actions/ports/rail.ts'
import {
  ACCOUNT_COLLECTION,
  IMMEDIATE_PAYOUT,
  KNOWN_COLLECTION,
  NEVER_COLLECTION,
  REPORTED_PAYOUT,
} from '../counterparts/index.ts'
import type { Adapter, StatementLine } from '../../rail-kind.ts'
import { adapterThat, railFaults, readingThat, worldThat } from './plant.ts'

/** The adapter with a changed reading of the messages of a rail account. */
const messagesThat = (change: (read: AccountMessage) => AccountMessage | undefined) =>
  adapterThat(({ readMessage }) => ({
    readMessage(message) {
      const read = readMessage?.(message)
      return read && change(read)
    },
  }))

async function* heldWhole(statement: Adapter['statement'], from: Date, to: Date): AsyncGenerator<StatementLine> {
  const lines: StatementLine[] = []
  for await (const line of statement?.(from, to) ?? []) lines.push(line)
  yield* lines
}

/** Faults in what comes without an order, and in verdicts of other forms. */
let madeUp = 0

export const IN_ACCOUNT_MESSAGES = railFaults('account messages', {
  'account-message-unread': {
    does: 'does not read the order in a message to its rail account',
    rail: ACCOUNT_COLLECTION,
    breaks: ["a message at the rail account's address names its order"],
    wrong: messagesThat((read) => (read.about === 'order' ? undefined : read)),
  },
  'unknown-order-guessed': {
    does: 'takes a message about an unknown order for one about its last order',
    rail: ACCOUNT_COLLECTION,
    breaks: ["an order is found among those of its rail account, never among another's"],
    wrong: adapterThat(({ submit, readCallback, readMessage }) => {
      let last: RailOrder | undefined
      const guessed = { mayQuery: false, externalIds: {}, outcome: { status: 'FAILED', reason: 'It failed' } } as const
      return {
        submit: (order) => submit((last = order)),
        readMessage(message) {
          const read = readMessage?.(message)
          if (read?.about !== 'order' || !last) return read
          return { about: 'order', reading: { ...read.reading, orderId: last.orderId } }
        },
        readCallback: (callback) => (last ? { ...guessed, orderId: last.orderId } : readCallback(callback)),
      }
    }),
  },
  'payer-unread': {
    does: 'does not read who paid without being asked',
    rail: NEVER_COLLECTION,
    breaks: ['a payment that nobody asked for is read with receipt, amount, payer, reference and time'],
    wrong: messagesThat((read) => {
      if (read.about !== 'payment') return read
      const { account: _account, ...payment } = read.payment
      return { ...read, payment }
    }),
  },
  'claim-believed': {
    does: 'confirms a payment because a message claims it',
    rail: NEVER_COLLECTION,
    breaks: [
      'a claimed payment books nothing until the operator confirms it, and then once',
      'a claimed payment that the operator never confirms books nothing',
      'a payment that nobody asked for is confirmed by the operator alone, by its receipt',
    ],
    wrong: adapterThat(() => ({ queryPayment: (claim) => Promise.resolve(claim) })),
  },
  'receipt-made-up': {
    does: 'makes up a receipt for a payment that nobody asked for',
    rail: NEVER_COLLECTION,
    breaks: [
      'a claimed payment books nothing until the operator confirms it, and then once',
      'a payment that nobody asked for is read with receipt, amount, payer, reference and time',
    ],
    wrong: messagesThat((read) =>
      read.about === 'payment'
        ? { ...read, payment: { ...read.payment, receipt: `${read.payment.receipt}-${(madeUp += 1)}` } }
        : read,
    ),
  },
  'question-always-accepted': {
    does: 'lets every payment go on',
    rail: NEVER_COLLECTION,
    breaks: ["a question before a payment is answered in the operator's words"],
    wrong: adapterThat(({ readPaymentQuestion }) => ({
      readPaymentQuestion(message) {
        const question = readPaymentQuestion?.(message)
        return question && { ...question, answer: () => question.answer(undefined) }
      },
    })),
  },
  'question-unanswered': {
    does: 'answers what is no question',
    rail: NEVER_COLLECTION,
    breaks: ['a question before a payment is answered at once, and books nothing'],
    wrong: adapterThat(() => ({
      readPaymentQuestion: () => ({ payment: { amount: { amountMinor: 1n, currency: 'KES' } }, answer: () => '{}' }),
    })),
  },
  'balances-answer-anything': {
    does: 'takes every message about balances for the answer to its question',
    rail: REPORTED_PAYOUT,
    breaks: [
      'balances by a message count only as the answer to our question',
      "a question about balances has the operator's own id",
    ],
    wrong: messagesThat((read) => (read.about === 'balances' ? { ...read, answersQuestion: 'Q-1' } : read)),
  },
  'outcome-at-once-unread': {
    does: 'reads no outcome in the answer to an order',
    rail: IMMEDIATE_PAYOUT,
    breaks: [
      'an outcome in the answer to an order is final, and a query says the same',
      'a payment that ends in the answer to its order is booked once, unpolled',
    ],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'outcome' ? { answer: 'accepted' } : answer
      },
    })),
  },
  'outcome-at-once-of-any-order': {
    does: 'believes every outcome in the answer to an order',
    rail: IMMEDIATE_PAYOUT,
    breaks: ['an outcome in the answer to an order is believed as the answer to a query is'],
    wrong: adapterThat(({ submit }) => ({
      async submit(order) {
        const answer = await submit(order)
        return answer.answer === 'unreachable' ? { answer: 'outcome', outcome: { status: 'COMPLETED' } } : answer
      },
    })),
  },
  'success-without-amount': {
    does: 'believes a success whose amount is missing',
    rail: KNOWN_COLLECTION,
    breaks: ['a success without an amount counts only where the contract has none'],
    wrong: adapterThat(({ query }) => ({
      async query(order) {
        const known = await query(order)
        return known.knows === 'unreachable' && /without a readable amount/.test(known.error)
          ? { knows: 'outcome', outcome: { status: 'COMPLETED' } }
          : known
      },
    })),
  },
  'own-codes-unread': {
    does: "does not read the rail account's own failure codes",
    rail: NEVER_COLLECTION,
    breaks: ["a rail account's own codes name a failure, and never make one"],
    wrong: worldThat(() => ({ failureCodes: new Map() })),
  },
  'own-code-fails': {
    does: 'calls an unknown result a failure because the rail account has a code for it',
    rail: NEVER_COLLECTION,
    breaks: ["a rail account's own codes name a failure, and never make one"],
    wrong: readingThat((reading) =>
      reading.unmappedCode === undefined
        ? reading
        : { ...reading, outcome: { status: 'FAILED', reason: 'It failed', code: 'declined' } },
    ),
  },
  'token-not-shared': {
    does: 'keeps its token to its own process',
    rail: NEVER_COLLECTION,
    breaks: ['processes of a rail account share the one token that is valid'],
    wrong: (kind) => ({
      ...kind,
      connect(settings, { sharedTokens: _shared, ...world }) {
        return kind.connect(settings, world)
      },
    }),
  },
  'statement-held-whole': {
    does: 'reads a statement to its end before it gives a line',
    rail: NEVER_COLLECTION,
    breaks: ['a statement comes page by page, and half of one is none'],
    wrong: adapterThat(({ statement }) => ({ statement: (from, to) => heldWhole(statement, from, to) })),
  },
})
