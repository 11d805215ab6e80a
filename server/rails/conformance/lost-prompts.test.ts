import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { pollRail } from '../../actions/poll-rail.ts'
import type { Rail } from '../../actions/ports/rail.ts'
import { submitToRail, type RailDeps } from '../../actions/submit-to-rail.ts'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { connect } from '../../verification/simulation/memory-store/memory-store.ts'
import { MemoryWorld } from '../../verification/simulation/memory-store/world.ts'
import { KENYA } from '../../verification/simulation/market.ts'
import { SimulatedReference } from '../../verification/simulation/reference.ts'
import { fixedClock, type FixedClock } from '../../verification/testing/gateway.ts'
import { seededWords } from '../../verification/testing/seeded.ts'
import { newTransaction, wholeLimit } from '../../verification/testing/transactions.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import { createJobLoop } from '../../jobs/loop.ts'
import { systemTimers } from '../../jobs/timers.ts'
import { createCircuit } from '../circuit.ts'
import { createExchange } from '../exchange/exchange.ts'
import { createInstalledRail } from '../installed-rail.ts'
import { operatorContract } from '../operator-contract.ts'
import { darajaCollection } from './counterparts/daraja.ts'
import { startHostileOperator, type HostileOperator, type Mood } from './hostile-operator.ts'
import { smallerByDefault } from '../../verification/testing/nightly.ts'
import { printAtEnd } from './print-at-end.ts'

// The most expensive failure: M-PESA charges a customer again for the same prompt, and the reply to a prompt gets lost.
// This test loses the reply to every one of thousands of prompts, in every possible way, and now and then the process
// crashes as well. The adapter, its calls over HTTP and the actions are the real ones; the store is the simulation's,
// in memory. The circuit breaker is excluded: it would block every prompt after the fifth.

const PROMPTS = smallerByDefault('lost prompts', 2_000, 10_000)
const SEED = 20_261_122
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const HTML = { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } } as const

/** Each of them loses the reply; the last one loses the order as well. */
const LOSSES: readonly Mood[] = [
  { takes: () => 'close_after_reading' },
  { takes: (honest) => ({ ...honest, delivery: 'truncated' }) },
  { takes: () => ({ raw: 'HTTP/1.1 200 O' }) },
  { takes: () => HTML },
  { takes: () => ({ status: 503 }) },
  { takes: () => 200 },
  { takes: () => ({ status: 500, body: { requestId: '1', errorCode: '500.001.1001', errorMessage: 'x' } }) },
  { answers: 'close_before_reading' },
]

test(
  `${PROMPTS} prompts with lost replies: no double charge, and all payments found`,
  { timeout: 600_000 },
  async () => {
    const clock = fixedClock()
    const operator = await startHostileOperator(darajaCollection, clock)
    const draw = seededWords(SEED)
    operator.nextOrders(...Array.from({ length: PROMPTS }, () => LOSSES[draw() % LOSSES.length] ?? { answers: 503 }))
    operator.on('POST /pulltransactions/v1/query', ({ json }) => ({ status: 200, body: pulled(operator, json()) }))
    const { rail, close } = installed(operator, clock)
    let batches = 0
    const world = new MemoryWorld()
    const loop = gatewayOn(world, clock, {
      ...rail,
      async submit(orders) {
        const answers = await rail.submit(orders)
        // The process crashes before it has stored the reply.
        if ((batches += 1) % 5 === 0) throw new Error('died')
        return answers
      },
    })
    const { acceptance } = connect(world, async () => undefined)
    for (let n = 1; n <= PROMPTS; n += 1)
      await acceptance.accept(
        newTransaction({
          providerCode: 'mpesa_ke',
          account: accountOf(n),
          request: { amountMinor: 50_000n, currency: 'KES' },
          amount: { amountMinor: 50_000n, currency: 'KES' },
          dailyLimit: wholeLimit(10_000_000n),
          createdAt: clock.now(),
          firstJob: { kind: 'submitToRail', dueAt: clock.now() },
        }),
      )

    await loop.runDue()
    for (const afterMs of [20 * SECOND_MS, 600 * SECOND_MS, HOUR_MS, 20 * HOUR_MS]) {
      clock.advance(afterMs)
      await loop.runDue()
    }

    const charges = Map.groupBy(operator.latestOrders(), ({ account }) => account)
    const completed = [...world.transactions.values()].filter(({ transaction }) => transaction.status === 'COMPLETED')
    const twice = [...charges.values()].filter((orders) => orders.length > 1).length
    printAtEnd('lost-prompts', [
      `${PROMPTS} prompts whose answers were lost (seed ${SEED}): ${operator.submits().length} went out, ${charges.size} customers`,
      `were charged, ${twice} of them twice; ${completed.length} payments were found in the list of what was received.`,
    ])
    expect({ sent: operator.submits().length, twice }).toEqual({ sent: PROMPTS, twice: 0 })
    expect(charges.size).toBeGreaterThan(PROMPTS / 2)
    expect(new Set(completed.map(({ transaction }) => transaction.account))).toEqual(new Set(charges.keys()))
    const others = [...world.transactions.values()].filter(({ transaction }) => transaction.status !== 'COMPLETED')
    expect(new Set(others.map(({ transaction }) => transaction.status))).toEqual(new Set(['PROCESSING']))
    await close()
    await operator.close()
  },
)

const accountOf = (n: number): string => `2547${String(n).padStart(8, '0')}`

/** The page size of the list. */
const PAGE = 1_000

function pulled(operator: HostileOperator, question: unknown): object {
  const offset = Number((question as { readonly OffSetValue: string }).OffSetValue)
  const listed = operator.latestOrders().slice(offset, offset + PAGE)
  return {
    ResponseCode: listed.length > 0 ? '1000' : '1001',
    Response: [
      listed.map(({ number, texts: [billreference], account }) => ({
        transactionId: `UC23${number}`,
        billreference,
        msisdn: Number(account),
        amount: '500.00',
      })),
    ],
  }
}

function installed(operator: HostileOperator, clock: FixedClock) {
  const never = { failuresInARow: Infinity, callsMin: Infinity }
  const circuit = createCircuit(clock, never)
  const exchange = createExchange({
    railAccount: { name: 'ke', baseUrl: operator.url, secrets: [] },
    contract: operatorContract('daraja'),
    policy: SANDBOX_POLICY,
    circuit,
    record: { add: () => undefined },
    onExchange: () => undefined,
    clock,
    timers: systemTimers,
  })
  const adapter = darajaCollection.kind.connect(
    { ...darajaCollection.settings, base_url: operator.url, pull: 'yes' },
    {
      clock,
      random: { bytes: (size) => randomBytes(size) },
      currency: 'KES',
      fetchFor: exchange.fetchFor,
      callbackUrl: (orderId) => `https://pay.example/operators/ke/f00d/${orderId}`,
    },
  )
  const rail = createInstalledRail({
    adapter,
    circuit,
    timers: systemTimers,
    onFault(error) {
      throw error
    },
  })
  return { rail: { ...rail, railAccountOf: () => 'ke' }, close: () => exchange.close() }
}

/** The queues whose jobs call the rail, on an in-memory store. */
function gatewayOn(world: MemoryWorld, clock: FixedClock, rail: Rail) {
  const { store, queue } = connect(world, async () => undefined)
  const random = { bytes: (size: number) => randomBytes(size) }
  const deps: RailDeps = {
    store,
    rail,
    clock,
    random,
    reference: new SimulatedReference(KENYA),
    notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
    callbackBody: () => '{}',
  }
  const queueNamed = (kind: JobQueue['kind'], run: typeof pollRail): JobQueue => ({
    kind,
    batchMax: 500,
    capacity: 500,
    runsMax: 1,
    run: (items) => [run(deps, items)],
  })
  return createJobLoop({
    queues: [
      queueNamed('submitToRail', submitToRail),
      queueNamed('pollRail', pollRail),
      queueNamed('resolveUnknownOutcome', pollRail),
    ],
    queue,
    clock,
    random,
    timers: systemTimers,
    reasonOf: String,
    onError: () => undefined,
    onQuarantined: () => undefined,
  })
}
