import { ACCOUNT_ADDRESS } from '../domain/callback-tokens.ts'
import { takePayment } from './expected-payments.ts'
import {
  AGAIN_AFTER_MS,
  type AccountMessageStore,
  type ReportedBalances,
  type StoredAccountMessage,
  type UnrequestedPayments,
} from './ports/account-messages.ts'
import type { Job } from './ports/jobs.ts'
import type { AccountMessageResult, KeepMessage, RailCallbackStore } from './ports/rail-callbacks.ts'
import type { AccountMessage, CallbackReading, Rail, UnrequestedPayment } from './ports/rail.ts'
import type { SettleDeps } from './settle-results.ts'

export interface AccountMessageDeps extends SettleDeps {
  readonly rail: Pick<Rail, 'readMessage' | 'confirmPayment'>
  readonly railCallbacks: Pick<RailCallbackStore, 'receive' | 'transactionsCalled'>
  readonly accountMessages: AccountMessageStore
  readonly unrequested: UnrequestedPayments
  readonly reportedBalances: ReportedBalances
  readonly keepMessage: KeepMessage
}

/** An order is unknown after this many readings: a reply that was overtaken has long been recorded. */
const UNKNOWN_AFTER = 4

/**
 * Processes messages at a rail account's own address, which names no order.
 *
 * Threat: whoever knows that address can name any order of that rail account, or claim any payment. So:
 *
 *  1. The order is found among those of the rail account that the message came through, and of no other. The message
 *     then joins the order's own, which are judged as if they had come to its address (`createCallbackReading`).
 *  2. A message books no money. A payment that nobody asked for is a claim, which staff see, until the operator's own
 *     answer or list has its receipt: then what that says is booked, once for each receipt: for the collection that
 *     expects it under the reference that the payer typed, or else to suspense, where it belongs to no wallet. A
 *     statement that has the receipt settles the claim as well. The receipt of an order's payment is not booked again:
 *     while an order with the payer's reference is open, or completed without its receipt, the payment waits, and then
 *     stays a claim. One without a reference waits as long as the report about an order may take, where orders have none.
 *  3. Balances are believed only as the answer to a question of ours.
 *
 * Each step may run twice: the message ends after its effect.
 */
export const createAccountMessageReading =
  (deps: AccountMessageDeps) =>
  (items: readonly Job[]): readonly Promise<void>[] =>
    items.map((item) => readOne(deps, item))

async function readOne(deps: AccountMessageDeps, item: Job): Promise<void> {
  const { store, clock, rail, accountMessages } = deps
  const message = await accountMessages.load(item.subjectId)
  if (message) {
    const read = rail.readMessage?.(message.railAccount, message)
    const result = read ? await effectOf(deps, item.attempt, message, read) : 'unreadable'
    const now = clock.now()
    if (result === undefined) {
      const afterMs = AGAIN_AFTER_MS[item.attempt - 1] ?? 0
      await store.transaction((unit) => unit.replaceJobs([item], item.kind, new Date(now.getTime() + afterMs)))
      return
    }
    await accountMessages.end(message.id, result, now)
    // An order's message is kept when it is read as such.
    if (result !== 'handed_on')
      deps.keepMessage({ ...message, orderId: ACCOUNT_ADDRESS }, { result, detail: DETAILS[result] })
  }
  return store.transaction((unit) => unit.finishJobs([item]))
}

const DETAILS: Readonly<Record<AccountMessageResult, string>> = {
  handed_on: "The operator's message is about an order",
  unknown_order: "The operator's message names no order of this rail account",
  expected: 'The operator confirms a payment that a collection expected: it is completed',
  booked: 'Nobody asked for this payment, and the operator confirms it: it is on suspense',
  unconfirmed: 'Nobody asked for this payment, and the operator does not confirm it: nothing is booked',
  known_payment: 'The payment is known by its receipt',
  answered: 'The operator answered our question',
  unasked: 'The operator answered a question that we did not ask',
  unreadable: "The operator's message breaks its contract",
}

/** @returns undefined: read it again later */
async function effectOf(
  deps: AccountMessageDeps,
  attempt: number,
  message: StoredAccountMessage,
  read: AccountMessage,
): Promise<AccountMessageResult | undefined> {
  switch (read.about) {
    case 'order':
      return handOn(deps, attempt, message, read.reading)
    case 'payment':
      return bookUnrequested(deps, attempt, message, read)
    case 'balances': {
      const { answersQuestion, balances } = read
      const isAnswer = await deps.reportedBalances.take(
        message.railAccount,
        answersQuestion,
        balances,
        deps.clock.now(),
      )
      if (isAnswer) return 'answered'
      // The answer may overtake the commit that stores the question.
      return attempt < UNKNOWN_AFTER ? undefined : 'unasked'
    }
  }
}

/** Rule 1. */
async function handOn(
  { accountMessages, railCallbacks, clock }: AccountMessageDeps,
  attempt: number,
  { id: _id, ...message }: StoredAccountMessage,
  reading: CallbackReading,
): Promise<AccountMessageResult | undefined> {
  const orderId = await accountMessages.orderCalled(message.railAccount, reading)
  if (orderId === undefined) return attempt < UNKNOWN_AFTER ? undefined : 'unknown_order'
  const hasVerdict = reading.outcome !== undefined || reading.claimsPaid === true
  await railCallbacks.receive({ ...message, orderId, hasVerdict, isAcknowledged: true }, clock.now())
  return 'handed_on'
}

/** For how long the receipt of a collection that a query has completed may still arrive: a statement has it by then. */
const RECEIPT_MISSING_MS = 48 * 3_600_000
/** A payment without a reference may be that of any open order until it was read so often, over six minutes. */
const NAMELESS_AFTER = 5

/**
 * Whether the payment is that of an order of ours, or may be. In this order: an order that gets its result between the
 * two questions has its receipt by the second.
 */
async function ownOrderOf(
  { accountMessages, railCallbacks, clock }: AccountMessageDeps,
  railAccount: string,
  { receipt, reference }: UnrequestedPayment,
  receiptName: string,
): Promise<'known' | 'awaited' | undefined> {
  const since = new Date(clock.now().getTime() - RECEIPT_MISSING_MS)
  const isAwaited =
    reference !== undefined && (await accountMessages.isAwaited(railAccount, reference, { name: receiptName, since }))
  if ((await railCallbacks.transactionsCalled(railAccount, [receipt])).length > 0) return 'known'
  return isAwaited ? 'awaited' : undefined
}

const TAKEN = { completed: 'expected', suspense: 'booked', known: 'known_payment' } as const

/** Rule 2. */
async function bookUnrequested(
  deps: AccountMessageDeps,
  attempt: number,
  { railAccount }: StoredAccountMessage,
  { payment, receiptName, mayBeOrdered }: Extract<AccountMessage, { readonly about: 'payment' }>,
): Promise<AccountMessageResult | undefined> {
  const { rail, unrequested, clock } = deps
  const { receipt } = payment
  const mayWait = attempt <= AGAIN_AFTER_MS.length
  const before = await ownOrderOf(deps, railAccount, payment, receiptName)
  if (before === 'known') return 'known_payment'
  if (mayWait && (before === 'awaited' || (mayBeOrdered && attempt < NAMELESS_AFTER))) return undefined
  if (!(await unrequested.claim(railAccount, payment, clock.now()))) return 'known_payment'
  const confirmed = await rail.confirmPayment?.(railAccount, payment)
  if (confirmed?.receipt !== receipt) return mayWait ? undefined : 'unconfirmed'
  // The operator may have named the reference only now, and an order may have got its receipt meanwhile.
  const after = await ownOrderOf(deps, railAccount, { ...payment, ...confirmed }, receiptName)
  if (after === 'known') return 'known_payment'
  if (after === 'awaited') return mayWait ? undefined : 'unconfirmed'
  const taken = await takePayment(deps, railAccount, confirmed)
  if (taken !== 'unexpected') return TAKEN[taken]
  return (await unrequested.book(railAccount, confirmed, clock.now())) ? 'booked' : 'known_payment'
}
