import { present } from '../domain/present.ts'
import { TIMED_OUT, type Transaction } from '../domain/transaction.ts'
import { allAtOnce, byRailAccount } from './by-rail-account.ts'
import { heldJobs } from './held-jobs.ts'
import { isWorthReporting, queryOrders, traitsOf } from './rail-order.ts'
import { namesOf, referencesInAnswer } from './rail-references.ts'
import { settleWithin, reportNotBooked } from './settle-results.ts'
import { gaveUpOrder } from './submission-rules.ts'
import type { RailDeps } from './submit-to-rail.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { RailKnowledge, RailReport } from './ports/rail.ts'
import type { OrderNames } from './ports/rail-references.ts'
import { jobKindFor, type Job, type JobKind } from './ports/jobs.ts'
import { untilCovered } from './until-covered.ts'

/**
 * Polls the rail for transactions without a result. A time-out is never treated as a failure: an order is sent again,
 * or failed after 24 hours, only when the rail confirms that nothing moved. An order that must not be repeated is
 * polled until it has a result: where the rail never gives one, a report or staff ends it.
 */
export async function pollRail(deps: RailDeps, items: readonly Job[], inParts: InParts = allAtOnce): Promise<void> {
  const queried = await openTransactions(deps, items)
  await inParts(byRailAccount(deps.rail, queried, (orders) => queryAbout(deps, orders)))
}

async function queryAbout(deps: RailDeps, queried: readonly StatusQuery[]): Promise<void> {
  const knowledge = await queryOrders(deps.rail, queried)
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      unmapped = []
      const locked = await unit.lockTransactions({ ids: queried.map(({ transaction }) => transaction.id) })
      const isHeld = await heldJobs(
        unit,
        queried.map(({ item }) => item),
      )
      const now = deps.clock.now()
      const answered = queried.map((entry, index) => ({
        ...entry,
        knows: present(knowledge[index], 'what the rail knows'),
      }))
      const next = answered
        .map((entry) => ({ ...entry, next: follow(deps, entry, entry.knows) }))
        .filter(({ item }) => isHeld(item))
      const goesOn = next.flatMap(({ item, next: step }) => (step.step === 'settle' ? [] : [{ item, ...step }]))
      for (const alike of Map.groupBy(goesOn, ({ kind, afterMs }) => `${kind} ${afterMs}`).values()) {
        const { kind, afterMs } = present(alike[0], 'the first of a group')
        await unit.replaceJobs(
          alike.map(({ item }) => item),
          kind,
          new Date(now.getTime() + afterMs),
        )
      }
      await unit.addEvents(
        next
          .filter(({ item }) => isWorthReporting(item.attempt))
          .map(({ transaction, next: { detail } }) => ({ transactionId: transaction.id, kind: 'rail_asked', detail })),
        now,
      )
      // Also for jobs that other workers have taken over: the answer to this query comes by callback.
      await unit.addRailReferences(
        answered.flatMap(({ transaction, knows }) =>
          knows.knows === 'nothing_moved' ? [] : referencesInAnswer(transaction, knows),
        ),
        now,
      )
      unmapped = await recordUnmapped(unit, unmappedIn(locked, answered), now)
      const reports = next.flatMap((entry): RailReport[] => (entry.next.step === 'settle' ? [entry.next.report] : []))
      return settleWithin(unit, deps, reports)
    }),
  )
  notifyUnmapped(deps.notices, unmapped)
  reportNotBooked(deps, paidNotBooked)
}

/** Checks the current state of the transactions: for one that has ended in the meantime nobody has to act. */
function unmappedIn(
  locked: readonly Transaction[],
  answered: readonly { readonly transaction: Transaction; readonly knows: RailKnowledge }[],
): readonly UnmappedResult[] {
  const codes = new Map(
    answered.map(({ transaction, knows }) => [transaction.id, knows.knows === 'unreachable' && knows.unmappedCode]),
  )
  return locked.flatMap((transaction) => {
    const code = codes.get(transaction.id)
    return code ? [{ transaction, code }] : []
  })
}

interface StatusQuery {
  readonly item: Job
  readonly transaction: Transaction
  readonly names: OrderNames | undefined
}

function openTransactions({ store }: RailDeps, items: readonly Job[]): Promise<StatusQuery[]> {
  return store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = await unit.holdJobs(items)
    const processing = new Map(
      locked.filter(({ status }) => status === 'PROCESSING').map((transaction) => [transaction.id, transaction]),
    )
    await unit.finishJobs(held.filter(({ subjectId }) => !processing.has(subjectId)))
    const names = await namesOf(unit, [...processing.values()])
    return held.flatMap((item) => {
      const transaction = processing.get(item.subjectId)
      return transaction ? [{ item, transaction, names: names.get(transaction.id) }] : []
    })
  })
}

type Next =
  | { readonly step: 'go_on'; readonly kind: JobKind; readonly afterMs: number; readonly detail: string }
  | { readonly step: 'settle'; readonly detail: string; readonly report: RailReport }

function follow({ rail, clock }: RailDeps, query: StatusQuery, knowledge: RailKnowledge): Next {
  const { item, transaction } = query
  const { internalReference } = transaction
  const { repeat, pollAfterMs } = traitsOf(rail, transaction)
  const wait = (kind: JobKind, detail: string): Next => ({
    step: 'go_on',
    kind,
    afterMs: pollAfterMs(item.attempt),
    detail,
  })
  switch (knowledge.knows) {
    case 'outcome':
      return {
        step: 'settle',
        detail: `The rail knows it: ${knowledge.outcome.status}`,
        report: { internalReference, outcome: knowledge.outcome },
      }
    case 'in_progress':
      return wait(jobKindFor(transaction, 'pollRail'), 'The rail has no result yet')
    case 'unreachable':
      return wait(item.kind, `The rail did not answer: ${knowledge.error}`)
    case 'nothing_moved':
      if (repeat === 'never') return wait(item.kind, 'The rail does not know it, and it must not be sent twice')
      if (!gaveUpOrder(query, clock.now()))
        return {
          step: 'go_on',
          kind: jobKindFor(transaction, 'submitToRail'),
          afterMs: 0,
          detail: 'The rail does not know it: sent again',
        }
      return {
        step: 'settle',
        detail: 'The rail confirms that nothing moved',
        report: { internalReference, outcome: TIMED_OUT },
      }
  }
}
