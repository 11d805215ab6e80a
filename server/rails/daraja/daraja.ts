import type { RailTraits, RefundTraits } from '../../actions/ports/rail.ts'
import type { Adapter, RailKind } from '../rail-kind.ts'
import { TAILS } from './callback-addresses.ts'
import { accountReferenceChoice } from './account-reference.ts'
import { askBalances, canAskBalances, readBalances } from './balances.ts'
import { submitToBank } from './bank-payout.ts'
import { createCalls } from './calls.ts'
import { check } from './check.ts'
import type { DarajaConnection } from './connected.ts'
import { railAccountOf, PAYOUT_CREDENTIALS, type DarajaRailAccount, type Payouts } from './rail-account.ts'
import { queryAboutPayout, submitPayout } from './payout.ts'
import { probesOf } from './probes.ts'
import { createPull } from './pull.ts'
import { readCallback } from './read-callback.ts'
import { queryAboutReversal, RECEIPT, submitReversal } from './reversal.ts'
import { DARAJA_SETTINGS } from './settings.ts'
import { DARAJA_STATEMENT } from './statement.ts'
import { submitPrompt } from './stk-push.ts'
import { queryAboutPrompt } from './stk-query.ts'
import { ACCOUNT_TAILS, readConfirmation, readValidation } from './unrequested.ts'
import { SHILLING_MINOR } from './whole-shillings.ts'

/**
 * M-PESA in Kenya, by Safaricom's Daraja (`openapi/operators/daraja.yaml`): collections by STK push, payouts to phones
 * by B2C and to banks by B2B, refunds by reversal.
 * That contract marks the assumptions this rail relies on; nothing was ever tried with real money.
 */
export const daraja: RailKind = {
  name: 'daraja',
  title: 'Safaricom Daraja (M-PESA Kenya)',
  types: ['COLLECTION', 'PAYOUT'],
  needs: { COLLECTION: ['passkey'], PAYOUT: PAYOUT_CREDENTIALS },
  productionHosts: ['api.safaricom.co.ke'],
  sandboxHosts: ['sandbox.safaricom.co.ke'],
  amountStepMinor: SHILLING_MINOR,
  hasFloat: true,
  callbackTails: ['', ...Object.values(TAILS)],
  accountTails: Object.values(ACCOUNT_TAILS),
  paymentQuestionTail: ACCOUNT_TAILS.validation,
  settings: DARAJA_SETTINGS,
  statement: DARAJA_STATEMENT,
  sandbox: [
    {
      name: 'sandbox-kenya',
      provider: 'mpesa_ke',
      currency: 'KES',
      settings: { payout_ask_after_seconds: '30', unrequested: 'yes' },
    },
  ],
  connect(settings, world): Adapter {
    const railAccount = railAccountOf(settings, world)
    const calls = createCalls(railAccount, world)
    const pull = railAccount.hasPull ? createPull(railAccount, world, calls) : undefined
    const connected: DarajaConnection = { railAccount, world, calls, ...(pull && { pull }) }
    const traits = traitsOf(railAccount)
    return {
      traitsOf: (type) => traits[type],
      payerReference: (order) =>
        order.type === 'COLLECTION' ? accountReferenceChoice(railAccount.shortCode, order) : undefined,
      submit: (order) =>
        order.type === 'COLLECTION' ? submitPrompt(connected, order) : submitAsPayout(connected, order),
      query: (order) =>
        order.type === 'COLLECTION' ? queryAboutPrompt(connected, order) : queryAboutPayout(connected, order),
      refund: (refund) => submitReversal(connected, refund),
      queryRefund: queryAboutReversal,
      readCallback: (callback) => readCallback(railAccount, callback, world.onDrift),
      readMessage: (message) =>
        readConfirmation(railAccount, message, world) ?? readBalances(railAccount, message, world.onDrift),
      readPaymentQuestion: (message) => readValidation(railAccount, message, world.onDrift),
      queryPayment: async (claim) => pull?.received(claim),
      // No call returns a balance: a message answers the question.
      balances: () => Promise.resolve([]),
      ...(canAskBalances(railAccount) && { askBalances: () => askBalances(connected) }),
      check: (probe) => check(connected, probe),
      probes: () => probesOf(connected),
      ...(pull && { statement: (from: Date, to: Date) => pull.statement(from, to) }),
    }
  },
}

const submitAsPayout: typeof submitPayout = (connected, order) =>
  (connected.railAccount.payouts?.banks ? submitToBank : submitPayout)(connected, order)

const PROMPT_WAIT_MAX_MS = 10 * 60 * 1000
const PAYOUT_WAIT_MAX_MS = 60 * 60 * 1000

const traitsOf = (railAccount: DarajaRailAccount): Readonly<Record<'COLLECTION' | 'PAYOUT', RailTraits>> => ({
  COLLECTION: {
    repeat: 'never',
    pollAfterMs: growing(railAccount.collectionPollAfterMs, PROMPT_WAIT_MAX_MS),
    // A reversal goes out with the credentials of payouts.
    ...(railAccount.payouts && { refund: refundTraits(railAccount, railAccount.payouts) }),
    unrequested: { receiptName: DARAJA_STATEMENT.receiptName('COLLECTION') },
  },
  // A payout's status query is answered by callback; sending the same payout again shows at once whether it has
  // arrived. One to a bank would be a second one.
  PAYOUT: {
    ...(railAccount.payouts?.banks ? { repeat: 'never' } : { repeat: 'safe', unanswered: 'repeat' }),
    pollAfterMs: growing(railAccount.payoutPollAfterMs, PAYOUT_WAIT_MAX_MS),
  },
})

const refundTraits = ({ payoutPollAfterMs }: DarajaRailAccount, { repeatsReversals }: Payouts): RefundTraits => ({
  repeat: repeatsReversals ? 'safe' : 'never',
  ...(repeatsReversals && { unanswered: 'repeat' }),
  // Whether M-PESA reverses a part is not documented.
  partial: false,
  needsId: RECEIPT,
  pollAfterMs: growing(payoutPollAfterMs, PAYOUT_WAIT_MAX_MS),
})

/** Exponential backoff: each wait is twice as long as the one before. */
const growing =
  (firstMs: number, maxMs: number) =>
  (queried: number): number =>
    Math.min(firstMs * 2 ** Math.min(queried, 20), maxMs)
