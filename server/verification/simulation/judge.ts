import { CALLBACK_RETRY_MS } from '../../domain/callback.ts'
import { accountName, payoutWallet, type Transfer } from '../../domain/ledger.ts'
import {
  GIVE_UP_AFTER_MS,
  MERCHANT_CANCELLED,
  isFinal,
  isPaidNotBooked,
  isReturn,
  nothingMoved,
  TIMED_OUT,
  type Transaction,
} from '../../domain/transaction.ts'
import { SENT_AFTER_END } from '../../actions/sent-after-end.ts'
import { attemptsOf, isJudgedElsewhere, isResolved, tried } from './attempts.ts'
import type { ScheduleActors } from './actors.ts'
import { approved } from './approvals.ts'
import { batchFaults } from './batches.ts'
import { dailyLimits } from './daily-limits.ts'
import { cancelled } from './cancellations.ts'
import { endedUnsent, isWaiting, waitedRightly } from './float.ts'
import { expectedSums } from './expected-sums.ts'
import { expectedPaid, isExpectedNow, isOfExpected } from './expected-payments.ts'
import { failureCodes } from './failure-codes.ts'
import { STATEMENT_WITHOUT_IT, type SimulatedGateway } from './gateway.ts'
import { lostMessages, rejectedMessages } from './judge-messages.ts'
import type { ApprovalRow } from './memory-store/world.ts'
import { passwordOf } from './phones.ts'
import { overBounds } from './account-bounds.ts'
import { refunded } from './refunds.ts'
import { referenceName } from '../../domain/acceptance.ts'
import { unrequestedBooked } from './unrequested.ts'

// Invariants after any schedule, judged by the rail's records and the merchants' own lists, not by what the gateway
// says about itself.

/** @returns the findings, in words; empty when there are none */
export function judge(gateway: SimulatedGateway, actors: ScheduleActors): string[] {
  const transactions = [...gateway.world.transactions.values()].map(({ transaction }) => transaction)
  return [
    ...actors.problems,
    ...gateway.unexpected.map((text) => `an action failed: ${text}`),
    ...references(gateway, actors, transactions),
    ...lostMessages(gateway),
    ...rejectedMessages(gateway),
    ...transactions.flatMap((transaction) => [
      ...ended(gateway, transaction),
      ...moved(gateway, actors, transaction),
      ...failedRightly(gateway, actors, transaction),
      ...booked(gateway, transaction),
      ...reported(gateway, transaction),
      ...failureCodes(gateway, transaction),
      ...counted(gateway, transaction),
      ...startedWhileSuspended(gateway, transaction),
      ...approved(gateway, actors.people, transaction),
      ...cancelled(gateway, actors.cancelled, transaction),
      ...waitedRightly(gateway, transaction),
      ...refunded(gateway, transaction),
      ...tried(gateway, transaction),
    ]),
    ...batchFaults(gateway, actors.batches),
    ...dailyLimits(gateway, transactions),
    ...passwords(gateway, transactions),
    ...overBounds(gateway, transactions),
    ...transactions.flatMap((transaction) => notCovered(gateway, transaction)),
    ...(gateway.rail.differences?.(transactions) ?? []),
    ...unrequestedBooked(gateway),
    ...expectedPaid(gateway),
    ...balances(gateway),
    ...leftOver(gateway),
  ]
}

/** While some payments are poisoned: they are listed by name, and every other one has ended. */
export function judgeWithPoison(gateway: SimulatedGateway): string[] {
  const { world, poisoned: poison } = gateway
  const open = [...world.transactions.values()].filter(
    ({ transaction }) =>
      !gateway.isOutcomeUnknown(transaction) &&
      !gateway.rail.isLate?.(transaction.internalReference) &&
      !isWaiting(transaction) &&
      !isExpectedNow(gateway, transaction) &&
      !isJudgedElsewhere(world, transaction) &&
      !awaitsPeople(world.approvals.get(transaction.id)),
  )
  return open.flatMap(({ transaction }) =>
    poison.has(transaction.merchantReference)
      ? listed(gateway, transaction)
      : ended(gateway, transaction).map((fault) => `beside a bad one, ${fault}`),
  )
}

const awaitsPeople = (approval: ApprovalRow | undefined): boolean =>
  approval?.state === 'waiting' || approval?.state === 'lapsed'

const nameOf = ({ merchantReference, type, status }: Transaction): string => `${merchantReference} (${type}, ${status})`

/** A unit that was open when the suspension began ends within this time, or PostgreSQL ends it. */
const SUSPENDED_AFTER_MS = 60_000

/** While its merchant is suspended, no payout goes to the rail and no customer confirms. */
function startedWhileSuspended({ world, suspensions }: SimulatedGateway, transaction: Transaction): string[] {
  if (isReturn(transaction)) return []
  const { id, type, merchantId } = transaction
  const start = type !== 'COLLECTION' ? 'submitted' : 'confirmed'
  return world
    .eventsOf(id, start)
    .filter(({ at }) =>
      suspensions.some(
        (one) =>
          one.merchantId === merchantId && at.getTime() > one.fromMs + SUSPENDED_AFTER_MS && at.getTime() < one.untilMs,
      ),
    )
    .map(() => `${nameOf(transaction)} was ${start} while its merchant was suspended`)
}

/** Every acceptance has one transaction, every rejection none. */
function references(
  { world }: SimulatedGateway,
  { sent }: ScheduleActors,
  transactions: readonly Transaction[],
): string[] {
  const faults: string[] = []
  for (const { merchantId, reference, outcome, internalReference } of sent) {
    const found = transactions.filter(
      (one) => one.merchantId === merchantId && one.merchantReference === reference && !one.isAttempt,
    )
    const [first] = found
    if (found.length > 1) faults.push(`${reference} exists ${found.length} times`)
    if (outcome === 'accepted' && first?.internalReference !== internalReference)
      faults.push(`lost: ${reference} was accepted as ${internalReference} and does not exist`)
    if (outcome === 'refused' && found.length > 0) faults.push(`${reference} was refused and exists`)
    if (first && world.references.get(referenceName(first)) !== first.id)
      faults.push(`${reference} does not hold its reference`)
  }
  return faults
}

/** A poisoned payment is quarantined by name, unless it ended another way. */
function listed({ world, refusedReports }: SimulatedGateway, transaction: Transaction): string[] {
  const isListed = [...world.work.values()].some(
    ({ subjectId, failures }) =>
      (world.railCallbacks.get(subjectId)?.transactionId ?? subjectId) === transaction.id && failures > 0,
  )
  return isFinal(transaction.status) ||
    isListed ||
    refusedReports.some(({ report }) => report.internalReference === transaction.internalReference)
    ? []
    : [`hanging unlisted: ${nameOf(transaction)}`]
}

/** Every payment ends, with a time of its end. */
function ended(_gateway: SimulatedGateway, transaction: Transaction): string[] {
  if (!isFinal(transaction.status)) return [`hanging: ${nameOf(transaction)}`]
  return transaction.finalAt ? [] : [`${nameOf(transaction)} has no time of its end`]
}

/** The money that the rail moved agrees with the state, or the payment is reported to staff by name. */
function moved({ rail, world }: SimulatedGateway, { resolved }: ScheduleActors, transaction: Transaction): string[] {
  // Its attempts are judged instead, or the payment that its customer started.
  if (attemptsOf(world, transaction).length > 0 || isOfExpected(world, transaction)) return []
  const { internalReference, status, type, id } = transaction
  const transfers = rail.transfers(internalReference)
  if (transfers > 1) return [`the rail moved the money of ${nameOf(transaction)} ${transfers} times`]
  if (isResolved(world, resolved, transaction)) return []
  if (status === 'COMPLETED') return transfers === 1 ? [] : [`${nameOf(transaction)} though the rail moved nothing`]
  if (transfers === 0) {
    const isListed = isPaidNotBooked(transaction) && !rail.isForgedAsPaid?.(internalReference)
    return isListed && !world.eventsOf(id).some(({ detail }) => detail === SENT_AFTER_END)
      ? [`${nameOf(transaction)} is listed as paid though the rail moved nothing`]
      : []
  }
  if (isPaidNotBooked(transaction)) return []
  // A collection may stay FAILED because its merchant cancelled it or because it was too late: its history says so.
  const isRecorded = world.eventsOf(id, 'rail_result_ignored').some(({ detail }) => detail.startsWith('Late COMPLETED'))
  return type === 'COLLECTION' && isRecorded
    ? []
    : [`the rail moved the money of ${nameOf(transaction)} and nobody is notified`]
}

/** No payment that went to the rail fails, unless the rail says so, or says after a day that nothing moved. */
function failedRightly(
  { rail, world }: SimulatedGateway,
  { resolved }: ScheduleActors,
  transaction: Transaction,
): string[] {
  const { internalReference, id, createdAt } = transaction
  const failure = world.eventsOf(id, 'settled').find(({ detail }) => detail.startsWith('FAILED'))
  if (!failure || isResolved(world, resolved, transaction) || failure.detail.endsWith(STATEMENT_WITHOUT_IT)) return []
  if (failure.detail.endsWith(MERCHANT_CANCELLED.reason) || endedUnsent(transaction)) return []
  if (failure.detail.endsWith(TIMED_OUT.reason)) {
    return failure.at.getTime() - createdAt.getTime() >= GIVE_UP_AFTER_MS
      ? []
      : [`${nameOf(transaction)} was given up before a day had passed`]
  }
  return world.eventsOf(id, 'submitted').length > 0 && !rail.reportedFailed(internalReference)
    ? [`${nameOf(transaction)} failed though its rail never said so`]
    : []
}

/** An OTP goes only to the payment's own number, and counts as sent only when it has arrived. */
function passwords({ world, phones }: SimulatedGateway, transactions: readonly Transaction[]): string[] {
  return transactions.flatMap((transaction) => {
    const otp = world.sessions.get(transaction.id)?.otp
    if (!otp) return []
    const own = Array.from({ length: otp.sends }, (_, index) => passwordOf(transaction.internalReference, index + 1))
    const messages = phones.messages.filter((message) => own.includes(message.otp))
    return [
      ...(messages.some(
        ({ account }) => ![transaction, ...attemptsOf(world, transaction)].some((one) => one.account === account),
      )
        ? [`a password of ${nameOf(transaction)} went to another number`]
        : []),
      ...(otp.sentAt && !messages.some((message) => message.otp === own.at(-1))
        ? [`a password of ${nameOf(transaction)} counts as sent and never came`]
        : []),
    ]
  })
}

/** The movements in the ledger agree with the state, to the minor unit. */
function booked({ world }: SimulatedGateway, transaction: Transaction): string[] {
  const sums = new Map<string, bigint>()
  const transfers = world.transfers.filter(({ transactionId }) => transactionId === transaction.id)
  for (const { entries } of transfers) {
    for (const { account, amountMinor } of entries) {
      if (account.merchantId !== undefined && account.merchantId !== transaction.merchantId)
        return [`${nameOf(transaction)} moved another merchant's money`]
      sums.set(account.kind, (sums.get(account.kind) ?? 0n) + amountMinor)
    }
  }
  const expected = expectedSums(transaction)
  const faults: string[] = []
  for (const kind of new Set([...sums.keys(), ...expected.keys()])) {
    const [is, should] = [sums.get(kind) ?? 0n, expected.get(kind) ?? 0n]
    if (is !== should)
      faults.push(
        `${nameOf(transaction)} has moved ${is} on ${kind}, not ${should} (${transfers.map((one) => one.kind).join(', ')})`,
      )
  }
  return faults
}

/** Each final state is reported once, in its own words, and arrives. */
function reported({ world, merchants, resent }: SimulatedGateway, transaction: Transaction): string[] {
  if (transaction.isAttempt || isReturn(transaction)) {
    const told = [...world.callbacks.values()].some(({ transactionId }) => transactionId === transaction.id)
    return told ? [`${nameOf(transaction)} has callbacks`] : []
  }
  const faults: string[] = []
  const settled = world.eventsOf(transaction.id, 'settled')
  const callbacks = [...world.callbacks.values()].filter(
    ({ transactionId, event }) => transactionId === transaction.id && event !== 'payout_batch.completed',
  )
  const statuses = callbacks.map(
    ({ body }) => (JSON.parse(body) as { payload: { transaction_status: string } }).payload.transaction_status,
  )
  const expected = settled.map(({ detail }) => detail.split(':')[0] ?? '')
  if (statuses.toSorted().join() !== expected.toSorted().join())
    faults.push(`${nameOf(transaction)} settled as ${expected.join(', ')}, reported as ${statuses.join(', ')}`)
  if (isFinal(transaction.status) && !statuses.includes(transaction.status))
    faults.push(`not reported: ${nameOf(transaction)}`)
  for (const { id, webhookId, status, attempts, attemptsBefore } of callbacks) {
    // A merchant that is hostile for days uses up every attempt: staff resend the callback.
    if (status === 'STOPPED' && attempts - attemptsBefore > CALLBACK_RETRY_MS.length) continue
    if (status !== 'DELIVERED') faults.push(`callback ${id} of ${nameOf(transaction)} is ${status}`)
    else if (!merchants.received.some((message) => message.webhookId === webhookId))
      faults.push(`callback ${id} of ${nameOf(transaction)} never arrived`)
    // A callback that staff resend goes out again, whatever was in progress at the time.
    const resentMs = resent.get(id)
    if (
      resentMs !== undefined &&
      !merchants.received.some((message) => message.webhookId === webhookId && message.begunMs >= resentMs)
    )
      faults.push(`callback ${id} of ${nameOf(transaction)} was not sent again`)
  }
  return faults
}

/** Exactly the amounts that were not given back count toward a daily limit. */
function counted({ world }: SimulatedGateway, transaction: Transaction): string[] {
  const rows = [...world.limitUsage.values()].filter(({ transactionId }) => transactionId === transaction.id)
  const isPage = attemptsOf(world, transaction).length > 0 && !isOfExpected(world, transaction)
  const isTried = isPage || world.sessions.get(transaction.id)?.retries === true
  const counts =
    transaction.type !== 'REFUND' && !isTried && (!nothingMoved(transaction) || isPaidNotBooked(transaction))
  if (rows.length > 1) return [`${nameOf(transaction)} counts ${rows.length} times toward its limit`]
  if (counts && rows[0]?.amountMinor !== transaction.amount.amountMinor)
    return [`${nameOf(transaction)} does not count toward its limit`]
  return !counts && rows.length > 0 ? [`${nameOf(transaction)} still counts toward its limit`] : []
}

/**
 * A payment waits to be booked only if its wallet really did not cover it: a batch of reports has the same result as
 * the same reports one after the other.
 */
function notCovered({ world }: SimulatedGateway, transaction: Transaction): string[] {
  const reported = world.eventsOf(transaction.id, 'paid_not_booked').find(({ detail }) => detail.includes('covers'))
  if (!reported) return []
  const wallet = accountName(payoutWallet(transaction))
  const before = world.transfers
    .filter(({ id }) => id < reported.id)
    .flatMap(({ entries }) => entries)
    .filter(({ account }) => accountName(account) === wallet)
  const balanceMinor = before.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return balanceMinor < transaction.totalMinor
    ? []
    : [`${nameOf(transaction)} waits to be booked though its wallet held ${balanceMinor}`]
}

/** Balances equal the replay of their entries, and no wallet is negative. */
function balances({ world }: SimulatedGateway): string[] {
  const replayed = new Map<string, bigint>()
  for (const { entries } of world.transfers as readonly Pick<Transfer, 'entries'>[]) {
    for (const { account, amountMinor } of entries)
      replayed.set(accountName(account), (replayed.get(accountName(account)) ?? 0n) + amountMinor)
  }
  return [...world.accounts].flatMap(([name, { key, balanceMinor }]) => [
    ...(balanceMinor === (replayed.get(name) ?? 0n)
      ? []
      : [`${name} has ${balanceMinor}, its entries sum to ${replayed.get(name) ?? 0n}`]),
    ...(balanceMinor < 0n && key.merchantId !== undefined ? [`${name} is below zero: ${balanceMinor}`] : []),
  ])
}

/** Nothing is stuck. */
const leftOver = ({ world }: SimulatedGateway): string[] =>
  [...world.work.values()].map(({ kind, subjectId }) => `a job is left: ${kind} ${subjectId}`)
