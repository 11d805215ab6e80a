import type { DueCallback } from '../../actions/ports/callbacks.ts'
import type { CallbackSender, Delivery } from '../../actions/ports/delivery.ts'
import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { deliveryOf, paymentRuleFor, planOfStep, stepOf, type Scenario } from './scenario.ts'
import type { OrderPlans, Plan, SimulatedOrder } from './simulator.ts'

export interface LoadedScenario {
  readonly scenario: Scenario
  readonly loadedAt: Date
  /** How many orders each rule for payments has met. */
  readonly orders: readonly number[]
}

/** The scenarios of all merchants. This process has their texts in memory: most sandboxes have none. */
export interface Scenarios extends OrderPlans {
  /** Reads what other processes have loaded. */
  refresh(): Promise<void>
  load(merchantId: bigint, scenario: Scenario, now: Date): Promise<void>
  remove(merchantId: bigint): Promise<void>
  find(merchantId: bigint): Promise<LoadedScenario | undefined>
  /** A sender that loses what the scenarios say is lost. */
  losing(sender: CallbackSender): CallbackSender
}

const lost = (what: string, durationMs: number): Delivery => ({
  error: `the ${what} was lost on the way, as the scenario of the sandbox says`,
  durationMs,
})

export async function openScenarios(pool: Pool): Promise<Scenarios> {
  let known: ReadonlyMap<bigint, Scenario> = new Map()

  async function refresh(): Promise<void> {
    const { rows } = await available(() =>
      pool.query<{ merchant_id: bigint; document: Scenario }>({
        name: 'scenarios',
        text: 'select merchant_id, document from sandbox.scenarios',
      }),
    )
    known = new Map(rows.map(({ merchant_id: merchantId, document }) => [merchantId, document]))
  }

  await refresh()
  return {
    refresh,
    async load(merchantId, scenario, now) {
      await inTransaction(pool, async (client) => {
        await client.query(
          `insert into sandbox.scenarios (merchant_id, document, loaded_at) values ($1, $2, $3)
           on conflict (merchant_id) do update set document = $2, loaded_at = $3`,
          [merchantId, JSON.stringify(scenario), now],
        )
        await client.query('delete from sandbox.scenario_orders where merchant_id = $1', [merchantId])
      })
      await refresh()
    },
    async remove(merchantId) {
      await available(() => pool.query('delete from sandbox.scenarios where merchant_id = $1', [merchantId]))
      await refresh()
    },
    find: (merchantId) => available(() => findScenario(pool, merchantId)),
    async plansFor(orders, delayMs) {
      if (known.size === 0) return new Map()
      const plans = await inTransaction(pool, (client) => plan(client, orders, delayMs))
      return new Map(plans)
    },
    losing: (sender) => ({
      async prepare(callback: DueCallback) {
        const scenario = known.get(callback.merchantId)
        const step = scenario === undefined ? 'delivered' : deliveryOf(scenario, callback)
        if (step === 'lost') return async () => lost('callback', 0)
        const send = await sender.prepare(callback)
        if (step === 'delivered') return send
        return async (traceparent) => lost('reply', (await send(traceparent)).durationMs)
      },
    }),
  }
}

async function findScenario(pool: Pool, merchantId: bigint): Promise<LoadedScenario | undefined> {
  const { rows } = await pool.query<{ document: Scenario; loaded_at: Date; met: Record<string, number> }>(
    `select document, loaded_at, (select coalesce(json_object_agg(rule, orders), '{}') from (
        select rule, count(*)::int as orders from sandbox.scenario_orders o where o.merchant_id = s.merchant_id
         group by rule) counted) as met
     from sandbox.scenarios s where merchant_id = $1`,
    [merchantId],
  )
  return rows.map(({ document: scenario, loaded_at: loadedAt, met }) => ({
    scenario,
    loadedAt,
    orders: (scenario.payments ?? []).map((_rule, n) => met[String(n)] ?? 0),
  }))[0]
}

type PlannedOrder = readonly [reference: string, plan: Plan]

async function plan(
  client: Queryable,
  orders: readonly SimulatedOrder[],
  delayMs: number,
): Promise<readonly PlannedOrder[]> {
  // Locked: of two orders at the same time one is the first. The order of ids keeps two batches from a deadlock.
  const { rows: scenarios } = await client.query<{ merchant_id: bigint; document: Scenario }>(
    'select merchant_id, document from sandbox.scenarios order by merchant_id for update',
  )
  const { rows: merchants } = await client.query<{ internal_reference: string; merchant_id: bigint }>(
    'select internal_reference, merchant_id from transactions where internal_reference = any($1)',
    [orders.map(({ internalReference }) => internalReference)],
  )
  const documents = new Map(scenarios.map((row) => [row.merchant_id, row.document]))
  const merchantOf = new Map(merchants.map((row) => [row.internal_reference, row.merchant_id]))
  const planned: PlannedOrder[] = []
  for (const order of orders) {
    const merchantId = merchantOf.get(order.internalReference)
    const scenario = merchantId === undefined ? undefined : documents.get(merchantId)
    const rule = scenario ? paymentRuleFor(scenario, order) : -1
    if (!scenario || merchantId === undefined || rule < 0) continue
    const number = await numberOf(client, merchantId, rule, order.internalReference)
    const step = stepOf(scenario, rule, number)
    if (step) planned.push([order.internalReference, planOfStep(step, order.type, delayMs)])
  }
  return planned
}

/** Which order of its rule it is, counted from 1; the same when it comes again. */
async function numberOf(client: Queryable, merchantId: bigint, rule: number, reference: string): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `insert into sandbox.scenario_orders (merchant_id, rule, reference, number)
     select $1, $2, $3, count(*) + 1 from sandbox.scenario_orders where merchant_id = $1 and rule = $2
     on conflict (merchant_id, rule, reference) do update set number = scenario_orders.number returning number`,
    [merchantId, rule, reference],
  )
  return rows[0]?.number ?? 1
}
