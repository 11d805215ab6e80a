import { present } from '../domain/present.ts'
import { gaveUp, TIMED_OUT, type Transaction } from '../domain/transaction.ts'
import { allAtOnce, byInstallation } from './by-installation.ts'
import { heldWork } from './held-work.ts'
import { isWorthTelling, railOrder, traitsOf } from './rail-order.ts'
import { namesOf, referencesInAnswer } from './rail-references.ts'
import { settleWithin, tellNotBooked } from './settle-results.ts'
import type { RailDeps } from './submit-to-rail.ts'
import { notifyUnmapped, recordUnmapped, type UnmappedResult } from './unmapped-results.ts'
import type { InParts } from './ports/operator-parts.ts'
import type { RailKnowledge, RailReport } from './ports/rail.ts'
import type { OrderNames } from './ports/unit.ts'
import type { WorkItem, WorkKind } from './ports/work.ts'
import { untilCovered } from './until-covered.ts'

/**
 * Asks the rail what became of transactions it gave no result for. A time-out is never treated as a failure: only when
 * the rail confirms that nothing moved is the order sent again, or after 24 hours failed. Where an order must not be
 * repeated it is asked about until it has a result: a report or an operator ends what the rail never tells.
 */
export async function askRail(deps: RailDeps, items: readonly WorkItem[], inParts: InParts = allAtOnce): Promise<void> {
  const asked = await openTransactions(deps, items)
  await inParts(byInstallation(deps.rail, asked, (orders) => askAbout(deps, orders)))
}

async function askAbout(deps: RailDeps, asked: readonly Asked[]): Promise<void> {
  const knowledge = await deps.rail.ask(asked.map(({ transaction, names }) => railOrder(transaction, names)))
  let unmapped: readonly UnmappedResult[] = []
  const paidNotBooked = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      unmapped = []
      const locked = await unit.lockTransactions({ ids: asked.map(({ transaction }) => transaction.id) })
      const isHeld = await heldWork(
        unit,
        asked.map(({ item }) => item),
      )
      const now = deps.clock.now()
      const answered = asked.map((entry, index) => ({
        ...entry,
        knows: present(knowledge[index], 'what the rail knows'),
      }))
      const next = answered
        .map((entry) => ({ ...entry, next: follow(deps, entry, entry.knows) }))
        .filter(({ item }) => isHeld(item))
      const goesOn = next.flatMap(({ item, next: step }) => (step.step === 'settle' ? [] : [{ item, ...step }]))
      for (const alike of Map.groupBy(goesOn, ({ kind, afterMs }) => `${kind} ${afterMs}`).values()) {
        const { kind, afterMs } = present(alike[0], 'the first of a group')
        await unit.replaceWork(
          alike.map(({ item }) => item),
          kind,
          new Date(now.getTime() + afterMs),
        )
      }
      await unit.addEvents(
        next
          .filter(({ item }) => isWorthTelling(item.attempt))
          .map(({ transaction, next: { detail } }) => ({ transactionId: transaction.id, kind: 'rail_asked', detail })),
        now,
      )
      // Also of those that others have taken up meanwhile: the answer to this query comes by callback.
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
  tellNotBooked(deps, paidNotBooked)
}

/** By the transactions as they are now: one that has ended meanwhile needs nobody. */
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

interface Asked {
  readonly item: WorkItem
  readonly transaction: Transaction
  readonly names: OrderNames | undefined
}

function openTransactions({ store }: RailDeps, items: readonly WorkItem[]): Promise<Asked[]> {
  return store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const held = await unit.holdWork(items)
    const processing = new Map(
      locked.filter(({ status }) => status === 'PROCESSING').map((transaction) => [transaction.id, transaction]),
    )
    await unit.finishWork(held.filter(({ subjectId }) => !processing.has(subjectId)))
    const names = await namesOf(unit, [...processing.values()])
    return held.flatMap((item) => {
      const transaction = processing.get(item.subjectId)
      return transaction ? [{ item, transaction, names: names.get(transaction.id) }] : []
    })
  })
}

type Next =
  | { readonly step: 'go_on'; readonly kind: WorkKind; readonly afterMs: number; readonly detail: string }
  | { readonly step: 'settle'; readonly detail: string; readonly report: RailReport }

function follow({ rail, clock }: RailDeps, { item, transaction }: Asked, knowledge: RailKnowledge): Next {
  const { internalReference } = transaction
  const { repeat, askAfterMs } = traitsOf(rail, transaction)
  const wait = (kind: WorkKind, detail: string): Next => ({
    step: 'go_on',
    kind,
    afterMs: askAfterMs(item.attempt),
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
      return wait('askRail', 'The rail has no result yet')
    case 'unreachable':
      return wait(item.kind, `The rail did not answer: ${knowledge.error}`)
    case 'nothing_moved':
      if (repeat === 'never') return wait(item.kind, 'The rail does not know it, and it must not be sent twice')
      if (!gaveUp(transaction, clock.now()))
        return { step: 'go_on', kind: 'submitToRail', afterMs: 0, detail: 'The rail does not know it: sent again' }
      return {
        step: 'settle',
        detail: 'The rail confirms that nothing moved',
        report: { internalReference, outcome: TIMED_OUT },
      }
  }
}
