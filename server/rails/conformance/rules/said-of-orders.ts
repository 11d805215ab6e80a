import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import type { WireStage } from '../wire-stage.ts'

export async function submitted(rail: Rail, order: RailOrder): Promise<RailAnswer> {
  return present((await rail.submit([order]))[0], 'an answer')
}

/** An order that the operator has taken: it ends later, or has ended in the answer. */
export const TAKEN = { answer: expect.stringMatching(/^(accepted|outcome)$/) as string }

export async function queried(rail: Rail, order: RailOrder): Promise<RailKnowledge> {
  return present((await rail.query([order]))[0], 'an answer')
}

/**
 * Sends an order that is accepted.
 * @returns it with the operator's external ids, as the gateway stores them
 */
export async function accepted(rail: Rail, order: RailOrder): Promise<RailOrder> {
  const answer = await submitted(rail, order)
  expect(answer).toMatchObject({ answer: 'accepted' })
  return withNames(order, answer)
}

/** The same for an operator that may end it at once. */
export async function taken(rail: Rail, order: RailOrder): Promise<RailOrder> {
  const answer = await submitted(rail, order)
  expect(answer).toMatchObject(TAKEN)
  return withNames(order, answer)
}

const withNames = (order: RailOrder, answer: RailAnswer): RailOrder => ({
  ...order,
  externalIds: { ...order.externalIds, ...('externalIds' in answer ? answer.externalIds : {}) },
})

/** Sends one order to an operator that takes it and replies with this. Nobody knows then whether it has arrived. */
export async function expectUnknown(
  stage: WireStage,
  takes: (honest: WholeAnswer) => WholeAnswer | 'close_after_reading' | { raw: string },
  what: string,
): Promise<void> {
  const { operator } = stage
  const order = stage.order()
  const before = operator.submits().length
  operator.nextOrders({ takes })
  const answer = await stage.submit(order)
  expect([what, answer.answer]).toEqual([what, 'unreachable'])
  expect([what, operator.submits().length - before]).toEqual([what, 1])
  // The circuit breaker counts within a time window.
  stage.clock.advance(61_000)
}

/** The reply with this body, where it has none of its own. */
export const withBody = (answer: WholeAnswer): WholeAnswer => ({
  ...answer,
  body: answer.body ?? { status: 'accepted' },
})

/** The same with this free text: counterparts write `x` where an operator has its own wording. */
export const withText = (answer: WholeAnswer, text: string): WholeAnswer => ({
  ...answer,
  body: JSON.parse(JSON.stringify(answer.body), (_key, value: unknown) => (value === 'x' ? text : value)) as unknown,
})

/**
 * Waits until exactly this many calls have arrived. It waits longer on a busy machine, but not for a rail that never
 * calls.
 */
export async function arrived(calls: () => readonly unknown[], count: number): Promise<void> {
  // Not `vi.waitFor`: a rail from outside the tree is held without Vitest (`package/hold.ts`).
  const untilMs = performance.now() + 60_000
  while (calls().length < count && performance.now() < untilMs) await setTimeout(2)
  expect(calls()).toHaveLength(count)
}
