import { expect, vi } from 'vitest'
import type { Rail, RailAnswer, RailKnowledge, RailOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import type { WholeAnswer } from '../../testing/scripted-operator.ts'
import type { WireStage } from '../wire-stage.ts'

export async function submitted(rail: Rail, order: RailOrder): Promise<RailAnswer> {
  return present((await rail.submit([order]))[0], 'an answer')
}

export async function asked(rail: Rail, order: RailOrder): Promise<RailKnowledge> {
  return present((await rail.ask([order]))[0], 'an answer')
}

/** Sends an order that is accepted. @returns it with the names that the operator gave it, as the gateway stores them */
export async function accepted(rail: Rail, order: RailOrder): Promise<RailOrder> {
  const answer = await submitted(rail, order)
  expect(answer).toMatchObject({ answer: 'accepted' })
  return withNames(order, answer)
}

export const withNames = (order: RailOrder, answer: RailAnswer): RailOrder => ({
  ...order,
  theirs: { ...order.theirs, ...('theirs' in answer ? answer.theirs : {}) },
})

/** Sends one order to an operator that takes it, and answers so. Nobody knows then whether it has arrived. */
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
  // The circuit counts by time.
  stage.clock.advance(61_000)
}

/** The answer with a body, where it has none by itself. */
export const withBody = (answer: WholeAnswer): WholeAnswer => ({
  ...answer,
  body: answer.body ?? { status: 'accepted' },
})

/** The same, its free text being this: counterparts write `x` where an operator has words of its own. */
export const saying = (answer: WholeAnswer, text: string): WholeAnswer => ({
  ...answer,
  body: JSON.parse(JSON.stringify(answer.body), (_key, value: unknown) => (value === 'x' ? text : value)) as unknown,
})

/** Waits for so many calls to arrive, and no more of them. A busy machine takes its time; a rail that never calls does not get it. */
export async function arrived(calls: () => readonly unknown[], count: number): Promise<void> {
  const areThere = () => {
    if (calls().length < count) throw new Error(`${calls().length} of ${count} calls`)
  }
  await vi.waitFor(areThere, { timeout: 10_000 })
  expect(calls()).toHaveLength(count)
}
