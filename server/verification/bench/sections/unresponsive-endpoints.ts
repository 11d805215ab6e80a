import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { destinationOf } from '../../../domain/destination.ts'
import { present } from '../../../domain/present.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { temporaryFolder } from '../processes.ts'
import { median, middleCost, runLoad } from '../load.ts'
import { costFigures, type Cost, type Metered } from '../meter.ts'
import { startReceiver } from '../receiver.ts'
import { wholeNumber, type Figure } from '../report.ts'
import { atMost, connectTo, type Section } from '../section.ts'

const PER_SECOND = 200
const LASTS_MS = 20_000
/** A checkpoint or another tenant of the machine can spoil one of them, but not their median. */
const ROUNDS = 3
const BACKLOGS = [100_000, 1_000_000] as const
const PART = 100_000
/** Upper bound, for a slow machine. */
const PART_TAKES_MS = 20_000
const ROUND_TAKES_MS = LASTS_MS + 5_000
/** The load is already running when the backlog falls due. */
const LEAD_MS = 2_000
const IDLE_MS = 15_000
const TARGETS = { p99: 1.2, changesPerSecond: 20 }

/** How a due backlog for an unresponsive endpoint affects another merchant, from its first second on. */
export const unresponsiveEndpointsSection: Section = {
  name: 'unresponsive-endpoints',
  what: `delivery time of one merchant's callbacks before and after ${BACKLOGS.map(wholeNumber).join(', then ')} callbacks fall due to an unresponsive endpoint`,
  async run(step) {
    const beside: BacklogComparison[] = []
    for (const waiting of BACKLOGS) beside.push(await besideBacklog(waiting, step))
    const idle = present(beside.at(-1), 'the last backlog').idle
    return {
      figures: [
        ...beside.flatMap(({ waiting, before, due }): Figure[] => [
          {
            name: `${wholeNumber(waiting)} due: final to acknowledged, p99`,
            value: `${wholeNumber(due.p99Ms)} ms`,
            peer: `before ${wholeNumber(before.p99Ms)} ms`,
            ratio: due.p99Ms / before.p99Ms,
            target: `≤ ${TARGETS.p99} ×`,
            reached: due.p99Ms <= TARGETS.p99 * before.p99Ms,
          },
          {
            name: '  mean',
            value: `${due.meanMs.toFixed(1)} ms`,
            peer: `before ${before.meanMs.toFixed(1)} ms`,
            ratio: due.meanMs / before.meanMs,
          },
          ...costFigures('  a payment meanwhile', due.cost, { name: 'before', cost: before.cost }),
          { name: '  p99 from the first second on', value: `${wholeNumber(due.each[0]?.p99Ms ?? NaN)} ms` },
        ]),
        {
          name: 'rows of jobs changed per second then, idle',
          ...atMost(TARGETS.changesPerSecond, 'rows', idle.changes),
        },
        { name: '  transactions per second', value: wholeNumber(idle.commits) },
      ],
      notes: [
        `${PER_SECOND} collections per second for ${LASTS_MS / 1000} s, ${ROUNDS} times before the backlog falls due and ${ROUNDS} times from then on, the medians. The first of these begin a moment before.`,
      ],
      raw: beside,
    }
  },
}

/** @returns its public key */
async function createSecondMerchant(gateway: GatewayProcess, url: string): Promise<string> {
  const created = await malipo(gateway, 'merchant', 'create', 'Second shop', '--collection-callback-url', url)
  return (created as { public_key: string }).public_key
}

interface BacklogComparison {
  readonly waiting: number
  readonly before: Medians
  readonly due: Medians
  readonly idle: Changes
}

/** With a gateway of its own: before the backlog falls due, nothing is queued. */
async function besideBacklog(waiting: number, step: (text: string) => void): Promise<BacklogComparison> {
  const gateway = await startGatewayProcess('all', await temporaryFolder())
  const { client, superuser, metered, close } = await connectTo(gateway)
  const [fine, dead] = await Promise.all([startReceiver({ hangs: false }), startReceiver({ hangs: true })])
  await malipo(gateway, 'merchant', 'set', DEMO_MERCHANT.keys.publicKey, '--collection-callback-url', fine.url)
  const second = await createSecondMerchant(gateway, dead.url)
  const measured = () => measureDeliveries(gateway.port, metered({ gateway: gateway.pid }), client)
  step(`storing ${wholeNumber(waiting)}, not yet due`)
  const dueAtMs = Date.now() + (waiting / PART) * PART_TAKES_MS + (ROUNDS + 2) * ROUND_TAKES_MS
  for (let stored = 0; stored < waiting; stored += PART)
    await store(client, second, stored, stored + PART, new Date(dueAtMs))
  // The cost of storing so much at once, and of flushing it in the minutes after, is not part of this measurement.
  await client.query('vacuum analyze')
  await superuser.query('checkpoint')
  await measured()
  step('nothing is due')
  const before = await rounds(measured)
  const leftMs = dueAtMs - Date.now()
  if (leftMs < 0) throw new Error(`this machine is too slow: the backlog fell due ${-leftMs} ms too early`)
  await sleep(Math.max(0, leftMs - LEAD_MS))
  step(`${wholeNumber(waiting)} fall due`)
  const due = await rounds(measured)
  step('idle')
  const idle = await changesOf(client)
  await close()
  await Promise.all([gateway.stop(), fine.stop(), dead.stop()])
  return { waiting, before, due, idle }
}

interface Medians extends DeliveryTimes {
  readonly each: readonly DeliveryTimes[]
}

async function rounds(measure: () => Promise<DeliveryTimes>): Promise<Medians> {
  const times: DeliveryTimes[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await measure())
  return {
    meanMs: median(times.map(({ meanMs }) => meanMs)),
    p99Ms: median(times.map(({ p99Ms }) => p99Ms)),
    cost: middleCost(times.map(({ cost }) => cost)),
    each: times,
  }
}

/** Finished payments whose callbacks fall due at that time. */
async function store(client: pg.Client, publicKey: string, from: number, to: number, dueAt: Date): Promise<void> {
  const { rows } = await client.query<{ id: bigint; url: string }>(
    'select id, collection_callback_url as url from merchants where public_key = $1',
    [publicKey],
  )
  const { id, url } = present(rows[0], 'the merchant')
  await client.query(
    `
    with rows as materialized (
      select n, nextval('transaction_ids') as id, 'dead-host-' || lpad(n::text, 8, '0') as reference from generate_series($1::int, $2::int - 1) as n
    ), named as (
      insert into transaction_references (merchant_id, merchant_reference, transaction_id) select $3, reference, id from rows
    ), paid as (
      insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency, amount_minor,
        charge_minor, total_minor, charge_customer, allow_final_status_change, customer_name, description, status, status_message, created_at, final_at)
      select id, $3, reference, 'MLP' || upper(substr(md5('dead' || n), 1, 22)), 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '25677' || lpad((n % 10000)::text, 4, '0') || '123', 'UGX', 500, 'UGX', 500,
        5, 495, false, true, 'Amina Nakato', 'Bench collection', 'FAILED', 'Declined', now() - interval '1 hour', now() - interval '1 hour' from rows
    ), delivered as (
      insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
      select 'msg_dead_' || n, id, $3, 'transaction.failed', $4, '{"event":"transaction.failed"}', 'PENDING', now() from rows returning id
    )
    insert into jobs (kind, subject_id, due_at, destination) select 'deliverCallback', id, $6, $5 from delivered`,
    [from, to, id, url, destinationOf(id, 'COLLECTION'), dueAt],
  )
}

/** Rate per second while nothing else happens. */
interface Changes {
  readonly changes: number
  readonly commits: number
}

async function changesOf(client: pg.Client): Promise<Changes> {
  const count = async () => {
    const { rows } = await client.query<{ changes: number; commits: number }>(
      `select (select n_tup_upd from pg_stat_user_tables where relname = 'jobs')::float8 as changes,
         (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits`,
    )
    return present(rows[0], 'the counts of PostgreSQL')
  }
  const before = await count()
  await sleep(IDLE_MS)
  const after = await count()
  const perSecond = (of: 'changes' | 'commits') => ((after[of] - before[of]) * 1000) / IDLE_MS
  return { changes: perSecond('changes'), commits: perSecond('commits') }
}

interface DeliveryTimes {
  /** From final state to acknowledgement, for the first attempts for the demo merchant. */
  readonly meanMs: number
  readonly p99Ms: number
  readonly cost: Cost
}

/** Deliveries lag the requests. */
const LAG_MS = 3_000

/** How long the demo merchant's callbacks take under an even load of its collections. */
async function measureDeliveries(port: number, metered: Metered, client: pg.Client): Promise<DeliveryTimes> {
  const since = new Date()
  const { cost } = await runLoad(metered, {
    kind: 'collection',
    port,
    warmUpMs: 0,
    measureMs: LASTS_MS,
    expectedStatus: 202,
    pacePerSecond: PER_SECOND,
  })
  await sleep(LAG_MS)
  const { rows } = await client.query<Omit<DeliveryTimes, 'cost'>>(
    `select avg(ms)::float8 as "meanMs", (percentile_cont(0.99) within group (order by ms))::float8 as "p99Ms"
     from (
       select extract(epoch from a.at - t.final_at) * 1000 + a.duration_ms as ms
       from transactions t join callbacks c on c.transaction_id = t.id
         join callback_attempts a on a.callback_id = c.id and a.attempt = 1
         join merchants m on m.id = t.merchant_id
       where t.created_at >= $1 and m.public_key = $2
     ) first`,
    [since, DEMO_MERCHANT.keys.publicKey],
  )
  return { ...present(rows[0], 'the first attempts'), cost }
}
