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

const SKIPPED = 'what a message says of order, amount, account and names is read, not left out'
const UNPROVEN = 'a success that cannot be asked about carries its order and its amount'
const UNTYPED = 'a message that is believed without a query says for which type of order it is'
const ODD_FIELDS = 'an odd field that decides nothing holds up no money and opens no circuit'
const LIES_SHOWN = 'a success of another order id, amount, currency, account or name moves nothing'

/** Faults in how an adapter reads an operator's messages. */
export const IN_MESSAGES: readonly Plant[] = [
  {
    name: 'throws at a message that it cannot read',
    in: mtnCollection,
    breaks: ['no body makes the reading of a message throw, and what is read has the right form'],
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
    breaks: ['an odd field that decides nothing holds up no money and opens no circuit'],
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
    breaks: ['a name that an object has twice makes what it says unknown'],
    wrong: adapterThat(({ readCallback }) => ({
      readCallback: (callback) => readCallback({ ...callback, body: onceWritten(callback.body) }),
    })),
  },
  {
    name: 'believes a message without asking',
    in: mtnCollection,
    breaks: [
      'a forged success moves nothing, where the operator can be asked',
      'a verdict that is told before questions agree is waited for',
      UNTYPED,
    ],
    // A success without an amount breaks a rule of its own, if the generated bodies contain one.
    wrong: readingThat((reading) => (reading.amount ? { ...reading, mayAsk: false } : reading)),
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
      'amounts that are told are read exactly',
      UNPROVEN,
      'no body makes the reading of a message throw, and what is read has the right form',
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
      'a name that a message alone gives proves nothing without amount and account',
      "another order's success at this order's address moves nothing",
      'an answer that says nothing of money fails no payment',
      'whatever happens on the way: never twice, and booked as often as it was moved',
    ],
    wrong: adapterThat(({ ask: query, readCallback }) => {
      let last: CallbackReading | undefined
      return {
        readCallback: (callback) => (last = readCallback(callback)),
        ask: (order) => query({ ...order, externalIds: { ...last?.externalIds, ...order.externalIds } }),
      }
    }),
  },
  {
    name: 'calls a result that it does not know a failure',
    in: darajaPayout,
    breaks: ['a message with a result that nobody documents claims no verdict', UNDOCUMENTED, LATE_ANSWER],
    wrong: readingThat((reading) => ({
      ...reading,
      outcome: reading.outcome ?? { status: 'FAILED', reason: 'M-PESA did not pay it' },
    })),
  },
  {
    name: 'reads no verdict in a message',
    in: darajaPayout,
    breaks: ['a message is read as what it says', ODD_FIELDS, DOCUMENTED, LATE_ANSWER],
    wrong: readingThat(({ outcome: _outcome, ...reading }) => reading),
  },
  {
    name: 'reads a message wherever it comes',
    in: darajaPayout,
    breaks: ['a message at an address that nobody was told is not read'],
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
    breaks: ['ids that come without a verdict turn no genuine success away'],
    wrong: adapterThat(({ ask, readCallback }) => {
      const receipts = new Map<string | undefined, string | undefined>()
      return {
        readCallback(callback) {
          const reading = readCallback(callback)
          if (reading && !reading.outcome) receipts.set(reading.orderId, receiptIn(callback.body))
          return reading
        },
        async ask(order) {
          const knowledge = await ask(order)
          const receipt = receipts.get(order.orderId)
          return knowledge.knows === 'in_progress' && receipt !== undefined
            ? { ...knowledge, externalIds: { TransactionID: receipt } }
            : knowledge
        },
      }
    }),
  },
]
