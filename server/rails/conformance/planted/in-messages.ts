import { operatorContract } from '../../operator-contract.ts'
import type { CallbackReading } from '../../rail-kind.ts'
import { KNOWN_COLLECTION, NEVER_COLLECTION, QUERIED_PAYOUT, REPORTED_PAYOUT } from '../counterparts/index.ts'
import { adapterThat, readingThat, railFaults, worldThat } from './plant.ts'

function onceWritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

/** In the format of the kit's payout numbers. */
const receiptIn = (body: string): string | undefined => /"TransactionID":"(UC23\w+)"/.exec(body)?.[1]

/** Faults in how an adapter reads an operator's messages. */
export const IN_MESSAGES = railFaults('messages', {
  'unreadable-message-thrown': {
    does: 'throws at a message that it cannot read',
    rail: KNOWN_COLLECTION,
    breaks: ['reading a message never throws, and its result has the right form'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        JSON.parse(callback.body)
        return readCallback(callback)
      },
    })),
  },
  'drifted-message-dropped': {
    does: 'throws away a message that differs from the contract',
    rail: KNOWN_COLLECTION,
    breaks: ['an odd field that decides nothing delays no money and opens no circuit'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const read = operatorContract('mtn-momo').readCallback('requestToPayCallback', callback)
        return 'value' in read && read.drift.length === 0 ? readCallback(callback) : undefined
      },
    })),
  },
  'last-duplicate-believed': {
    does: 'believes the last of two values with one name',
    rail: QUERIED_PAYOUT,
    breaks: ['an object with a duplicate name is unknown'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) => readCallback({ ...callback, body: onceWritten(callback.body) }),
    })),
  },
  'message-believed-unpolled': {
    does: 'believes a message without asking',
    rail: KNOWN_COLLECTION,
    breaks: [
      'a forged success moves nothing where the operator can be polled',
      'a verdict waits until polls confirm it',
    ],
    // A success without an amount breaks a rule of its own, if the generated bodies contain one.
    wrong: readingThat((reading) => (reading.amount ? { ...reading, mayQuery: false } : reading)),
  },
  'order-type-unread': {
    does: 'does not say for which type of order a message is',
    rail: REPORTED_PAYOUT,
    breaks: ['a message that is believed without a poll names its type of order'],
    wrong: readingThat(({ type: _type, ...reading }) => reading),
  },
  'amount-unread': {
    does: 'does not read the amount of a message',
    rail: REPORTED_PAYOUT,
    breaks: [
      "a message's order, amount, account and names are read, not skipped",
      'reported amounts are read exactly',
      'a success that cannot be polled carries its order and its amount',
    ],
    wrong: readingThat(({ amount: _amount, ...reading }) => reading),
  },
  'owner-unread': {
    does: 'does not read whose payout a message is about',
    rail: REPORTED_PAYOUT,
    breaks: [
      "a message's order, amount, account and names are read, not skipped",
      'a success of another order id, amount, currency, account or name moves nothing',
      'a forged reply to a query ends no payment, and the genuine one does',
      "another order's success at this order's address moves nothing",
    ],
    wrong: readingThat(({ orderId: _orderId, account: _account, externalIds: _theirs, ...reading }) => ({
      ...reading,
      externalIds: {},
    })),
  },
  'polled-by-foreign-id': {
    does: 'asks by the name that it read last, where an order has none',
    rail: NEVER_COLLECTION,
    breaks: [
      'an id that only a message gives proves nothing without amount and account',
      'a reply without a word on money fails no payment',
      'any faults: never moved twice, and booked as often as moved',
    ],
    wrong: adapterThat(({ query, readCallback }) => {
      let last: CallbackReading | undefined
      return {
        readCallback: (callback) => (last = readCallback(callback)),
        query: (order) => query({ ...order, externalIds: { ...last?.externalIds, ...order.externalIds } }),
      }
    }),
  },
  'undocumented-result-fails': {
    does: 'calls a result that it does not know a failure',
    rail: REPORTED_PAYOUT,
    breaks: ['a message with an undocumented result claims no verdict'],
    wrong: readingThat((reading) => ({
      ...reading,
      outcome: reading.outcome ?? { status: 'FAILED', reason: 'M-PESA did not pay it' },
    })),
  },
  'verdict-unread': {
    does: 'reads no verdict in a message',
    rail: REPORTED_PAYOUT,
    breaks: ['a message is read correctly'],
    wrong: readingThat(({ outcome: _outcome, ...reading }) => reading),
  },
  'address-unchecked': {
    does: 'reads a message wherever it comes',
    rail: REPORTED_PAYOUT,
    breaks: ['a message at an address that was never given out is not read'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) => readCallback(callback) ?? readCallback({ ...callback, tail: 'result' }),
    })),
  },
  'receipt-of-failure-is-id': {
    does: 'takes the receipt of a failure for the id of its order',
    rail: REPORTED_PAYOUT,
    breaks: ['payments that fail with one receipt all fail'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const reading = readCallback(callback)
        const receipt = receiptIn(callback.body)
        const isFailure = reading?.outcome?.status === 'FAILED' && receipt !== undefined
        return isFailure ? { ...reading, externalIds: { ...reading.externalIds, Receipt: receipt } } : reading
      },
    })),
  },
  'receipt-answers-poll': {
    does: 'gives the receipt of a message as the answer to a query',
    rail: REPORTED_PAYOUT,
    breaks: ['ids without a verdict block no genuine success'],
    wrong: adapterThat(({ query, readCallback }) => {
      const receipts = new Map<string | undefined, string | undefined>()
      return {
        readCallback(callback) {
          const reading = readCallback(callback)
          if (reading && !reading.outcome) receipts.set(reading.orderId, receiptIn(callback.body))
          return reading
        },
        async query(order) {
          const knowledge = await query(order)
          const receipt = receipts.get(order.orderId)
          return knowledge.knows === 'in_progress' && receipt !== undefined
            ? { ...knowledge, externalIds: { TransactionID: receipt } }
            : knowledge
        },
      }
    }),
  },
  'address-with-unread-word': {
    does: 'gives an address with a word that it does not read',
    rail: NEVER_COLLECTION,
    breaks: ['an order has its own address, and messages there are read'],
    wrong: (kind) => ({
      ...worldThat((world) => ({ callbackUrl: (orderId) => world.callbackUrl(orderId, 'elsewhere') }))(kind),
      callbackTails: ['', 'elsewhere'],
    }),
  },
  'flood-becomes-verdict': {
    does: 'claims a verdict for a message that has none',
    rail: KNOWN_COLLECTION,
    breaks: ['a result is stored after any flood'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) =>
        callback.body.includes('"flood"')
          ? { mayQuery: true, externalIds: {}, outcome: { status: 'FAILED', reason: 'It failed' } }
          : readCallback(callback),
    })),
  },
})
