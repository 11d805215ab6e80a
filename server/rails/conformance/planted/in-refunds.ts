import type { RailAnswer, RefundOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import type { Adapter } from '../../rail-kind.ts'
import { KNOWN_COLLECTION, KNOWN_REFUND, NEVER_COLLECTION, NEVER_REFUND } from '../counterparts/index.ts'
import { adapterThat, railFaults, readingThat } from './plant.ts'

/** The adapter with another refund, or another reading of the answer to one. */
const refundThat = (
  change: (refund: RefundOrder) => RefundOrder,
  means: (answer: RailAnswer) => RailAnswer = (answer) => answer,
) =>
  adapterThat(({ refund }) => ({
    refund: async (order) => means(await present(refund, 'refunds')(change(order))),
  }))

const same = (refund: RefundOrder): RefundOrder => refund
const refundTraits = (change: (traits: ReturnType<Adapter['traitsOf']>) => ReturnType<Adapter['traitsOf']>) =>
  adapterThat(({ traitsOf }) => ({ traitsOf: (type) => change(traitsOf(type)) }))

/** Faults in refunds and reversals. */
export const IN_REFUNDS = railFaults('refunds', {
  'reversal-repeatable': {
    does: 'says that a reversal may be repeated, although the operator does not know it again',
    rail: NEVER_REFUND,
    breaks: ['the same order twice moves money once, or the rail says `never`'],
    wrong: refundTraits(({ refund, ...traits }) => ({
      ...traits,
      ...(refund && { refund: { ...refund, repeat: 'safe' } }),
    })),
  },
  'refunds-of-payouts': {
    does: 'says that payouts are refunded too',
    rail: KNOWN_REFUND,
    breaks: ['a rail that refunds says how, and only for collections'],
    wrong: refundTraits((traits) => ({ ...traits, refund: { ...traits, partial: true } })),
  },
  'refund-of-first-collection': {
    does: 'refunds the collection that it refunded first',
    rail: KNOWN_REFUND,
    breaks: ['a refund names its own collection'],
    wrong: (kind) => {
      let first: RefundOrder['collection'] | undefined
      return refundThat((refund) => ({ ...refund, collection: (first ??= refund.collection) }))(kind)
    },
  },
  'reversal-without-receipt': {
    does: 'reverses something where it has no receipt',
    rail: NEVER_REFUND,
    breaks: ["a refund without its collection's id at the operator is not sent"],
    wrong: refundThat(({ collection, ...refund }) => ({
      ...refund,
      collection: { ...collection, externalIds: { MpesaReceiptNumber: 'R254700000000', ...collection.externalIds } },
    })),
  },
  'part-is-whole': {
    does: 'gives all of a collection back instead of a part',
    rail: KNOWN_REFUND,
    breaks: ['a part goes out as that part, or not at all'],
    wrong: refundThat((refund) => ({ ...refund, amount: refund.collection.amount })),
  },
  'part-where-only-whole': {
    does: 'says that parts are given back where only whole payments are',
    rail: NEVER_REFUND,
    breaks: ['a part goes out as that part, or not at all'],
    wrong: (kind) =>
      refundTraits(({ refund, ...traits }) => ({ ...traits, ...(refund && { refund: { ...refund, partial: true } }) }))(
        refundThat((refund) => ({ ...refund, amount: refund.collection.amount }))(kind),
      ),
  },
  'refund-with-other-amount': {
    does: 'sends another amount than asked',
    rail: KNOWN_REFUND,
    breaks: ['amount, currency, account and our id go out exactly'],
    wrong: refundThat(({ amount, ...refund }) => ({
      ...refund,
      amount: { ...amount, amountMinor: amount.amountMinor + 1n },
    })),
  },
  'outcome-of-other-refund': {
    does: 'believes the outcome of the refund that ended last',
    rail: KNOWN_REFUND,
    breaks: ['the outcome of another refund does not count'],
    wrong: adapterThat(({ queryRefund }) => {
      let known: Awaited<ReturnType<Required<Adapter>['queryRefund']>> | undefined
      return {
        async queryRefund(refund) {
          const knowledge = await present(queryRefund, 'refunds')(refund)
          if (knowledge.knows === 'outcome') known = knowledge
          return known ?? knowledge
        },
      }
    }),
  },
  'reversal-of-any-conversation': {
    does: 'does not say which reversal a result is of',
    rail: NEVER_REFUND,
    breaks: ['the outcome of another refund does not count'],
    wrong: readingThat((reading) => ({ ...reading, externalIds: {} })),
  },
  'lost-refund-failed': {
    does: 'calls a refund without an answer failed',
    rail: KNOWN_REFUND,
    breaks: ['lost after acceptance: unknown, and not resent by the rail itself'],
    wrong: refundThat(same, (answer) =>
      answer.answer === 'unreachable' ? { answer: 'refused', reason: 'It was not given back' } : answer,
    ),
  },
  'lost-reversal-not-sent': {
    does: 'calls a lost reversal not sent, so that it goes out again',
    rail: NEVER_REFUND,
    breaks: ['lost before it is read: unknown'],
    wrong: refundThat(same, (answer) =>
      answer.answer === 'unreachable' ? { answer: 'not_sent', error: answer.error } : answer,
    ),
  },
  'reversed-before-is-failed': {
    does: 'calls every code that it does not know a failure',
    rail: NEVER_REFUND,
    breaks: ['an undocumented result code claims nothing, and is passed on'],
    wrong: readingThat(({ unmappedCode, ...reading }) =>
      unmappedCode === undefined ? reading : { ...reading, outcome: { status: 'FAILED', reason: unmappedCode } },
    ),
  },
  'reversal-as-payment': {
    does: 'reads the result of a reversal as one of its collection',
    rail: NEVER_REFUND,
    breaks: ['a message about a refund is of no other order'],
    wrong: readingThat((reading) => ({ ...reading, type: 'COLLECTION' })),
  },
  'lost-reversal-repeated': {
    does: 'calls a lost reversal not sent, so that the gateway sends it again',
    rail: NEVER_COLLECTION,
    breaks: ['a refund with lost replies is moved once, and never sent again where that is not safe'],
    wrong: refundThat(same, (answer) =>
      answer.answer === 'unreachable' ? { answer: 'not_sent', error: answer.error } : answer,
    ),
  },
  'refund-sent-twice': {
    does: 'sends each reversal twice, to be sure',
    rail: NEVER_COLLECTION,
    breaks: ['a refund is moved once and booked once'],
    wrong: adapterThat(({ refund }) => ({
      async refund(order) {
        await refund?.(order)
        return present(refund, 'refunds')(order)
      },
    })),
  },
  'refused-refund-open': {
    does: 'calls a refused refund one without an answer',
    rail: KNOWN_COLLECTION,
    breaks: ['a refused refund gives the held money back to the merchant'],
    wrong: refundThat(same, (answer) =>
      answer.answer === 'refused' ? { answer: 'unreachable', error: answer.reason } : answer,
    ),
  },
})
