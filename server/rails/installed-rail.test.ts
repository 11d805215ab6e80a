import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RailAnswer, RailKnowledge, RailOrder } from '../actions/ports/rail.ts'
import { money } from '../domain/money.ts'
import type { CircuitState } from './circuit.ts'
import { createInstalledRail, type InstalledRailOptions } from './installed-rail.ts'
import { NoAnswer, NotSent } from './operator-errors.ts'
import { handTimers } from './testing/hand-timers.ts'

const order = (n: number): RailOrder => ({
  internalReference: `MLP-${n}`,
  orderId: `o-${n}`,
  type: 'COLLECTION',
  providerCode: 'mtn_ug',
  account: '256772000123',
  amount: money(5_000n, 'UGX'),
  externalIds: {},
})
const orders = (count: number) => Array.from({ length: count }, (_, n) => order(n))
const ACCEPTED: RailAnswer = { answer: 'accepted' }
const IN_PROGRESS: RailKnowledge = { knows: 'in_progress' }

/** An adapter whose calls hang until the test ends them. */
function given(more: Partial<InstalledRailOptions> = {}) {
  const timers = handTimers()
  const circuit = { current: 'closed' as CircuitState['state'] }
  const faults: unknown[] = []
  const calls: { readonly name: string; readonly end: (outcome: unknown) => void }[] = []
  const call = (name: string): Promise<never> =>
    new Promise((resolve, reject) => {
      calls.push({
        name,
        end: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome as never)),
      })
    })
  const rail = createInstalledRail({
    adapter: {
      traitsOf: (type) => ({ repeat: type === 'COLLECTION' ? 'never' : 'safe', pollAfterMs: () => 1 }),
      submit: ({ orderId }) => call(`submit ${orderId}`),
      query: ({ orderId }) => call(`ask ${orderId}`),
    },
    circuit: { state: () => ({ state: circuit.current, since: new Date(0) }) },
    timers,
    onFault: (error) => void faults.push(error),
    concurrency: 2,
    beginWithinMs: 8_000,
    answerWithinMs: 24_000,
    ...more,
  })
  return {
    rail,
    timers,
    circuit,
    faults,
    names: () => calls.map(({ name }) => name),
    end: (name: string, outcome: unknown) => calls.findLast((each) => each.name === name)?.end(outcome),
  }
}

test("sends a bounded number of orders at once; replies keep the queries' order", async () => {
  const { rail, timers, names, end } = given()
  const answers = rail.submit(orders(3))
  await timers.pass(0)
  expect(names()).toEqual(['submit o-0', 'submit o-1'])
  end('submit o-1', { answer: 'refused', reason: 'no' })
  await timers.pass(0)
  end('submit o-2', ACCEPTED)
  end('submit o-0', { answer: 'accepted', externalIds: { id: '7' } })
  expect(await answers).toEqual([
    { answer: 'accepted', externalIds: { id: '7' } },
    { answer: 'refused', reason: 'no' },
    ACCEPTED,
  ])
})

test.each<[string, Error, RailAnswer, RailKnowledge]>([
  [
    'that it was not sent',
    new NotSent('refused'),
    { answer: 'not_sent', error: 'refused' },
    { knows: 'unreachable', error: 'refused' },
  ],
  [
    'that there was no answer',
    new NoAnswer('silence'),
    { answer: 'unreachable', error: 'silence' },
    { knows: 'unreachable', error: 'silence' },
  ],
  [
    'anything else',
    new TypeError('256772000123'),
    { answer: 'unreachable', error: 'the adapter failed (TypeError)' },
    { knows: 'unreachable', error: 'the adapter failed (TypeError)' },
  ],
])('when an adapter returns %s, its order alone has that reply', async (_what, error, answer, knowledge) => {
  const { rail, timers, end, faults } = given()
  const answers = rail.submit(orders(2))
  await timers.pass(0)
  end('submit o-0', error)
  end('submit o-1', ACCEPTED)
  expect(await answers).toEqual([answer, ACCEPTED])
  const known = rail.query(orders(2))
  await timers.pass(0)
  end('ask o-0', error)
  end('ask o-1', IN_PROGRESS)
  expect(await known).toEqual([knowledge, IN_PROGRESS])
  expect(faults).toEqual(error instanceof TypeError ? [error, error] : [])
})

test('handles an adapter that throws at once like one that rejects later', async () => {
  const { rail } = given({
    adapter: {
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 1 }),
      submit() {
        throw new NotSent('at once')
      },
      query() {
        throw new NotSent('at once')
      },
    },
  })
  expect(await rail.submit([order(1)])).toEqual([{ answer: 'not_sent', error: 'at once' }])
})

test('sends nothing too late to begin; a hanging part is unreachable, others complete', async () => {
  const { rail, timers, names, end } = given()
  const answers = rail.submit(orders(4))
  await timers.pass(7_999)
  end('submit o-0', ACCEPTED)
  await timers.pass(1)
  end('submit o-2', ACCEPTED)
  await timers.pass(16_000)
  expect(await answers).toEqual([
    ACCEPTED,
    { answer: 'unreachable', error: 'no answer in time' },
    ACCEPTED,
    { answer: 'not_sent', error: 'its turn did not come in time' },
  ])
  end('submit o-1', ACCEPTED)
  await timers.pass(60_000)
  expect(names()).toEqual(['submit o-0', 'submit o-1', 'submit o-2'])
})

test('sends nothing while the circuit is open', async () => {
  const { rail, circuit, names } = given()
  circuit.current = 'open'
  const error = 'the operator has not answered lately: the circuit is open'
  expect(await rail.submit([order(1)])).toEqual([{ answer: 'not_sent', error }])
  expect(await rail.query([order(1)])).toEqual([{ knows: 'unreachable', error }])
  expect(names()).toEqual([])
})

test("a repeated submit gets the running one's reply in any circuit state", async () => {
  const { rail, timers, circuit, names, end } = given()
  const first = rail.submit([order(1)])
  await timers.pass(24_000)
  expect(await first).toEqual([{ answer: 'unreachable', error: 'no answer in time' }])
  circuit.current = 'open'
  const second = rail.submit([order(1), order(1)])
  await timers.pass(0)
  end('submit o-1', ACCEPTED)
  expect(await second).toEqual([ACCEPTED, ACCEPTED])
  expect(names()).toEqual(['submit o-1'])
})

test('polls an order when its submit has ended, and the other way round', async () => {
  const { rail, timers, names, end } = given()
  const answer = rail.submit([order(1)])
  const knowledge = rail.query([order(1)])
  await timers.pass(0)
  expect(names()).toEqual(['submit o-1'])
  end('submit o-1', ACCEPTED)
  await timers.pass(0)
  const again = rail.submit([order(1)])
  await timers.pass(0)
  expect(names()).toEqual(['submit o-1', 'ask o-1'])
  end('ask o-1', IN_PROGRESS)
  await timers.pass(0)
  end('submit o-1', ACCEPTED)
  expect([await answer, await knowledge, await again]).toEqual([[ACCEPTED], [IN_PROGRESS], [ACCEPTED]])
})

const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('submit' as const, 'query' as const),
    of: fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }),
    takesMs: fc.array(fc.nat(30_000), { minLength: 5, maxLength: 5 }),
  }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(12_000) }),
)

test('any sequence: one call per order at a time, and each query ends in its time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const timers = handTimers()
      const out = new Set<string>()
      let takes: readonly number[] = []
      let callCount = 0
      const call = async <Value>(orderId: string, answer: Value): Promise<Value> => {
        expect(out).not.toContain(orderId)
        out.add(orderId)
        const ms = takes[(callCount += 1) % takes.length] ?? 0
        await new Promise<void>((resolve) => timers.after(ms, resolve))
        out.delete(orderId)
        return answer
      }
      const faults: unknown[] = []
      const { rail } = given({
        timers,
        onFault: (error) => void faults.push(error),
        adapter: {
          traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 1 }),
          submit: ({ orderId }) => call(orderId, ACCEPTED),
          query: ({ orderId }) => call(orderId, IN_PROGRESS),
        },
      })
      let unanswered = 0
      for (const each of steps) {
        if (each.do === 'pass') await timers.pass(each.ms)
        else {
          takes = each.takesMs
          const startedMs = timers.elapsedMs()
          unanswered += 1
          void rail[each.do](each.of.map(order)).then((answers) => {
            unanswered -= 1
            expect(answers).toHaveLength(each.of.length)
            expect(timers.elapsedMs() - startedMs).toBeLessThanOrEqual(24_000)
          })
        }
      }
      await timers.pass(100_000)
      expect([faults, unanswered]).toEqual([[], 0])
    }),
    { numRuns: 100 },
  )
})

test('an equal query shares the running call; one by other ids waits and calls anew', async () => {
  const queried: { readonly by: unknown; readonly end: (knowledge: RailKnowledge) => void }[] = []
  const { rail, timers } = given({
    adapter: {
      traitsOf: () => ({ repeat: 'never', pollAfterMs: () => 1 }),
      submit: () => Promise.resolve(ACCEPTED),
      query: ({ externalIds }) => new Promise((end) => queried.push({ by: externalIds, end })),
    },
  })
  const called = { ...order(0), externalIds: { id: 'of somebody else' } }
  const questions = [
    rail.query([called]),
    rail.query([order(0)]),
    rail.query([{ ...called, externalIds: { ...called.externalIds } }]),
  ]
  await timers.pass(0)
  expect(queried.map(({ by }) => by)).toEqual([called.externalIds])
  queried[0]?.end({ knows: 'outcome', outcome: { status: 'COMPLETED' } })
  await timers.pass(0)
  expect(queried.map(({ by }) => by)).toEqual([called.externalIds, {}])
  queried[1]?.end({ knows: 'unreachable', error: 'no name' })
  expect(await Promise.all(questions)).toEqual([
    [{ knows: 'outcome', outcome: { status: 'COMPLETED' } }],
    [{ knows: 'unreachable', error: 'no name' }],
    [{ knows: 'outcome', outcome: { status: 'COMPLETED' } }],
  ])
})

test('refuses a refund of more than was paid, or of a part that cannot go back', async () => {
  const refunded: bigint[] = []
  const { type: _type, ...paid } = order(1)
  const answersWith = async (partial: boolean, amountMinor: bigint) => {
    const refund = { repeat: 'safe', partial, pollAfterMs: () => 1 } as const
    const { rail } = given({
      adapter: {
        traitsOf: () => ({ ...refund, refund }),
        submit: () => Promise.resolve(ACCEPTED),
        query: () => Promise.resolve(IN_PROGRESS),
        refund: ({ amount }) => {
          refunded.push(amount.amountMinor)
          return Promise.resolve(ACCEPTED)
        },
      },
    })
    const collection = { orderId: 'c', amount: paid.amount, externalIds: {} }
    const answers = await rail.refund?.([{ ...paid, amount: money(amountMinor, 'UGX'), collection }])
    return answers?.[0]?.answer
  }
  expect([await answersWith(true, 5_001n), await answersWith(false, 4_999n)]).toEqual(['refused', 'refused'])
  expect([await answersWith(true, 4_999n), await answersWith(false, 5_000n)]).toEqual(['accepted', 'accepted'])
  expect(refunded).toEqual([4_999n, 5_000n])
})
