import { allAtOnce, allEnded } from './by-rail-account.ts'
import { heldJobs } from './held-jobs.ts'
import { judge, type Verdict } from './judge-message.ts'
import type { MessageOrder } from './message-fits-order.ts'
import { referencesInAnswer, referencesOf } from './rail-references.ts'
import { concludeWithin, settleWithin, reportNotBooked } from './settle-results.ts'
import type { RailDeps } from './submit-to-rail.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { KeepMessage, MessageConclusion, RailCallbackStore, StoredRailCallback } from './ports/rail-callbacks.ts'
import type { RailReport } from './ports/rail.ts'
import type { RailReference } from './ports/rail-references.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { Job } from './ports/jobs.ts'
import { untilCovered } from './until-covered.ts'
import { claimedAsPaid, type Transaction } from '../domain/transaction.ts'

export interface ReadCallbackDeps extends RailDeps {
  readonly railCallbacks: RailCallbackStore
  /** Receives each message once it is fully processed: then the stored text is deleted. */
  readonly keepMessage: KeepMessage
}

/**
 * The operator's own books may lag behind its message: a message triggers queries after these delays, the last of
 * which repeats.
 */
const POLL_AGAIN_AFTER_MS = [2_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const
const POLL_AGAIN_MS_MAX = 7_200_000

/**
 * Processes unsolicited operator messages.
 *
 * Threat: whoever knows the address of an order can write to it. A forged message must neither book money nor make us
 * reject the genuine one. And the transaction may have got another order id since, or lost its own, so even a genuine
 * message may be about an order that was replaced. So:
 *
 *  1. A message is judged against the order as it was when it was sent (`orderOf`, `judge`). The judgement may query
 *     the operator, so it runs outside of any database transaction.
 *  2. The verdict is applied in one commit, to the transaction as it is then, and only while this worker holds the job.
 *  3. A failure of an order that was replaced says nothing about the order that replaced it: it changes nothing.
 *  4. Ids are stored with the rail account that the message came through, and only those that the verdict accepts.
 *  5. `query_again`: the message waits for its next query. Any other result ends it, with an event in the history.
 *  6. A verdict with a report is settled like any result of the rail. A claimed success that is not trusted books
 *     nothing: staff are alerted where the money may be gone (`raiseClaim`).
 *
 * Each operator's messages are a part of their own: while one operator does not answer, the messages of others are
 * processed. Each message fails alone.
 */
export const createCallbackReading =
  (deps: ReadCallbackDeps): ((items: readonly Job[], inParts?: InParts) => readonly Promise<void>[]) =>
  (items, inParts = allAtOnce) => {
    const messages = items.map((item): Message => ({ item, read: Promise.withResolvers() }))
    readAll(deps, messages, inParts).catch((error: unknown) => {
      for (const { read } of messages) read.reject(error)
    })
    return messages.map(({ read }) => read.promise)
  }

interface Message {
  readonly item: Job
  readonly read: PromiseWithResolvers<void>
}

async function readAll(deps: ReadCallbackDeps, messages: readonly Message[], inParts: InParts): Promise<void> {
  const stored = new Map((await deps.railCallbacks.load(messages.map(({ item }) => item))).map((one) => [one.id, one]))
  const byRailAccount = Map.groupBy(messages, ({ item }) => stored.get(item.subjectId)?.railAccount)
  await inParts(
    [...byRailAccount].map(([railAccount, own]) => ({
      ...(railAccount !== undefined && { operator: { railAccount, providers: [] } }),
      run: () =>
        allEnded(
          own.map(({ item, read }) => readOne(deps, item, stored.get(item.subjectId)).then(read.resolve, read.reject)),
        ),
    })),
  )
}

async function readOne(deps: ReadCallbackDeps, item: Job, callback: StoredRailCallback | undefined): Promise<void> {
  if (!callback) return deps.store.transaction((unit) => unit.finishJobs([item]))
  const order = await orderOf(deps, callback)
  if (order) await conclude(deps, item, callback, await judge(deps, item.attempt, callback, order))
}

/** Rule 1. If the order has another id by now, or none, the stored external ids are not about the message's order. */
const orderOf = ({ store }: ReadCallbackDeps, callback: StoredRailCallback): Promise<MessageOrder | undefined> =>
  store.transaction(async (unit) => {
    const { transactionId } = callback
    const [transaction] = await unit.lockTransactions({ ids: [transactionId] })
    if (!transaction) return undefined
    const names = transaction.railOrderId === callback.orderId && (await unit.railReferences([transactionId]))
    return {
      transaction: asSent(transaction, callback),
      names: (names && names.get(transactionId)) || { externalIds: {} },
    }
  })

/** The transaction as it was when the order of the message was sent. */
const asSent = (transaction: Transaction, { railAccount, orderId }: StoredRailCallback): Transaction => ({
  ...transaction,
  railOrderId: orderId,
  railAccount: railAccount,
})

/** Rule 3. The only try of that order never arrived, so the transaction is sent under another id, or was. */
const isReplaced = ({ railOrderId }: Transaction, { orderId }: StoredRailCallback, report: RailReport | undefined) =>
  railOrderId !== orderId && report?.outcome.status === 'FAILED'

const REPLACED: Verdict = {
  result: 'mismatch',
  detail: "The operator's message does not fit the order: it is about an id that never arrived",
}

/** Rules 2 to 6. */
async function conclude(
  deps: ReadCallbackDeps,
  item: Job,
  callback: StoredRailCallback,
  judged: Verdict,
): Promise<void> {
  const now = deps.clock.now()
  let concluded: MessageConclusion | undefined
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      concluded = undefined
      unmapped = []
      const [transaction] = await unit.lockTransactions({ ids: [callback.transactionId] })
      const isHeld = await heldJobs(unit, [item])
      if (!transaction || !isHeld(item)) return []
      const verdict = isReplaced(transaction, callback, judged.report) ? REPLACED : judged
      const { result, detail, unmappedCode } = verdict
      await unit.addRailReferences(referencesIn(verdict, asSent(transaction, callback)), now)
      if (unmappedCode !== undefined) unmapped = await recordUnmapped(unit, [{ transaction, code: unmappedCode }], now)
      if (result === 'query_again') {
        const afterMs = POLL_AGAIN_AFTER_MS[item.attempt - 1] ?? POLL_AGAIN_MS_MAX
        await unit.replaceJobs([item], item.kind, new Date(now.getTime() + afterMs))
        return []
      }
      await unit.finishJobs([item])
      await unit.endRailCallback(callback.id, result, now)
      await unit.addEvents([{ transactionId: transaction.id, kind: `rail_callback_${result}`, detail }], now)
      concluded = { result, detail }
      return verdict.report
        ? settleWithin(unit, deps, [verdict.report])
        : raiseClaim(unit, deps, transaction, verdict, now)
    }),
  )
  notifyUnmapped(deps.notices, unmapped)
  if (concluded) deps.keepMessage(callback, concluded)
  reportNotBooked(deps, paidNotBooked)
}

const referencesIn = (
  { idsOfMessage, idsOfAnswer, question }: Verdict,
  order: Transaction,
): readonly RailReference[] => [
  ...referencesInAnswer(order, {
    ...(idsOfAnswer && { externalIds: idsOfAnswer }),
    ...(question !== undefined && { question }),
  }),
  ...referencesOf(order, idsOfMessage, 'message'),
]

/**
 * Rule 6. An untrusted success about a payout that is FAILED: the money may be gone all the same, so staff must check.
 * If the payout is PROCESSING, the claim waits until it fails, unless the operator can be queried.
 */
async function raiseClaim(
  unit: UnitOfWork,
  deps: ReadCallbackDeps,
  transaction: Transaction,
  { claimsPaid, detail }: Verdict,
  now: Date,
): Promise<readonly Transaction[]> {
  if (claimsPaid === undefined) return []
  if (transaction.status === 'PROCESSING' && claimsPaid === 'unconfirmed') return []
  const claim = claimedAsPaid(transaction, `${detail}. The money may have moved: staff must settle it`, now)
  if (!claim) return []
  if (transaction.status === 'PROCESSING') {
    await unit.saveStates([claim.transaction])
    return []
  }
  const events = [{ transactionId: transaction.id, kind: 'paid_not_booked', detail: claim.why }]
  return concludeWithin(unit, deps, { steps: [], notBooked: [claim.transaction], events })
}
