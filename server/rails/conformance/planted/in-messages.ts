import { darajaCollection, darajaPayout } from '../counterparts/daraja.ts'
import { mtnCollection, mtnPayout } from '../counterparts/mtn-momo.ts'
import { operatorContract } from '../../operator-contract.ts'
import type { CallbackReading } from '../../rail-kind.ts'
import { DOCUMENTED, FORGED_ANSWER, LATE_ANSWER, UNDOCUMENTED } from './in-verdicts.ts'
import { adapterThat, readingThat, type Plant } from './plant.ts'

function onceWritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

/** In the format of the kit's payout numbers. */
const receiptIn = (body: string): string | undefined => /"TransactionID":"(UC23\w+)"/.exec(body)?.[1]

const SKIPPED = "a message's order, amount, account and names are read, not skipped"
const UNPROVEN = 'a success that cannot be polled carries its order and its amount'
const UNTYPED = 'a message that is believed without a poll names its type of order'
const ODD_FIELDS = 'an odd field that decides nothing delays no money and opens no circuit'
const LIES_SHOWN = 'a success of another order id, amount, currency, account or name moves nothing'

/** Faults in how an adapter reads an operator's messages. */
export const IN_MESSAGES: readonly Plant[] = [
  {
    name: 'throws at a message that it cannot read',
    in: mtnCollection,
    breaks: ['reading a message never throws, and its result has the right form'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        JSON.parse(callback.body)
        return readCallback(callback)
      },
    })),
  },
  {
    name: 'throws away a message that differs from the contract',
    in: mtnCollection,
    breaks: ['an odd field that decides nothing delays no money and opens no circuit'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback(callback) {
        const read = operatorContract('mtn-momo').readCallback('requestToPayCallback', callback)
        return 'value' in read && read.drift.length === 0 ? readCallback(callback) : undefined
      },
    })),
  },
  {
    name: 'believes the last of two values with one name',
    in: mtnPayout,
    breaks: ['an object with a duplicate name is unknown'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) => readCallback({ ...callback, body: onceWritten(callback.body) }),
    })),
  },
  {
    name: 'believes a message without asking',
    in: mtnCollection,
    breaks: [
      'a forged success moves nothing where the operator can be polled',
      'a verdict waits until polls confirm it',
      UNTYPED,
    ],
    // A success without an amount breaks a rule of its own, if the generated bodies contain one.
    wrong: readingThat((reading) => (reading.amount ? { ...reading, mayQuery: false } : reading)),
  },
  {
    name: 'does not say for which type of order a message is',
    in: darajaPayout,
    breaks: [UNTYPED],
    wrong: readingThat(({ type: _type, ...reading }) => reading),
  },
  {
    name: 'does not read the amount of a message',
    in: darajaPayout,
    breaks: [
      SKIPPED,
      'reported amounts are read exactly',
      UNPROVEN,
      'reading a message never throws, and its result has the right form',
    ],
    wrong: readingThat(({ amount: _amount, ...reading }) => reading),
  },
  {
    name: 'does not read whose payout a message is about',
    in: darajaPayout,
    breaks: [
      SKIPPED,
      LIES_SHOWN,
      UNPROVEN,
      LATE_ANSWER,
      FORGED_ANSWER,
      "another order's success at this order's address moves nothing",
    ],
    wrong: readingThat(({ orderId: _orderId, account: _account, externalIds: _theirs, ...reading }) => ({
      ...reading,
      externalIds: {},
    })),
  },
  {
    name: 'does not read the names in a message',
    in: darajaCollection,
    breaks: [SKIPPED],
    wrong: readingThat((reading) => ({ ...reading, externalIds: {} })),
  },
  {
    name: 'asks by the name that it read last, where an order has none',
    in: darajaCollection,
    breaks: [
      'an id that only a message gives proves nothing without amount and account',
      "another order's success at this order's address moves nothing",
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
  {
    name: 'calls a result that it does not know a failure',
    in: darajaPayout,
    breaks: ['a message with an undocumented result claims no verdict', UNDOCUMENTED, LATE_ANSWER],
    wrong: readingThat((reading) => ({
      ...reading,
      outcome: reading.outcome ?? { status: 'FAILED', reason: 'M-PESA did not pay it' },
    })),
  },
  {
    name: 'reads no verdict in a message',
    in: darajaPayout,
    breaks: ['a message is read correctly', ODD_FIELDS, DOCUMENTED, LATE_ANSWER],
    wrong: readingThat(({ outcome: _outcome, ...reading }) => reading),
  },
  {
    name: 'reads a message wherever it comes',
    in: darajaPayout,
    breaks: ['a message at an address that was never given out is not read'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) => readCallback(callback) ?? readCallback({ ...callback, tail: 'result' }),
    })),
  },
  {
    name: 'takes the receipt of a failure for the id of its order',
    in: darajaPayout,
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
  {
    name: 'gives the receipt of a message as the answer to a query',
    in: darajaPayout,
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
]
