import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { createPool } from '../../../storage/pool.ts'
import { HISTORY, partitionOf, type Month } from '../../../storage/months.ts'
import { listTransactions } from '../../../admin/queries/transactions.ts'
import { until } from '../../testing/until.ts'
import { startGatewayProcess, startWorkerProcess, type GatewayProcess } from '../gateway-process.ts'
import { malipo } from '../command-line.ts'
import { p99Of } from '../api-loads.ts'
import { middleCost, perSecond, runLoad, type Load } from '../load.ts'
import { costFigures } from '../meter.ts'
import { startFastify } from '../peers/peer-server.ts'
import { startReceiver } from '../receiver.ts'
import { DEMO_MERCHANT } from '../../../local/sandbox/providers.ts'
import { percentilesOf, timesOf, type Percentiles } from '../request-times.ts'
import { temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import { atMost, connectTo, rate, type DatabaseAccess, type Measurement, type Section } from '../section.ts'
import { markProcessed, storeMonths } from '../stored-payments.ts'

const STORED = 1_500_000
const MONTHS = 3
const PER_SECOND = 500
/** After a checkpoint whole pages are logged once: the shorter the run, the more of them there are per payment. */
const LOAD_MS = 60_000
const PATIENCE_MS = 60_000
const POLLS = 200
const TARGETS = { diskBytes: 2_400, walBytes: 5_000, verifyP99Ms: 10, listP99Ms: 20 }

/** What a payment costs on disk and in the WAL when a million and a half are stored, spread over three months. */
export const partitionsSection: Section = {
  name: 'partitions',
  what: `disk and WAL per payment, verify and the first page of the list with ${wholeNumber(STORED)} payments stored in ${MONTHS} months`,
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { connection } = gateway
    const { client, superuser, metered, close } = await connectTo(gateway)
    const pool = createPool({ connection, connectionsMax: 4, onError: () => undefined })
    step(`storing ${wholeNumber(STORED)}`)
    const months = await storeMonths(pool, connection, { count: STORED, months: MONTHS })
    await markProcessed(client)
    await client.query('vacuum analyze')
    const disk = await diskOf(client, months)
    step('payments')
    const receiver = await startReceiver({ webhookSecret: DEMO_MERCHANT.keys.webhookSecret, hangs: false })
    await malipo(gateway, 'merchant', 'set', DEMO_MERCHANT.keys.publicKey, '--collection-callback-url', receiver.url)
    const payments = await wal(gateway, client, superuser, metered)
    await receiver.stop()
    const peer = await plainRows(client, present(months[0], 'a month'))
    step('verify and the list')
    const verify = await verifyInTurn(gateway, metered)
    const list = percentilesOf(await timesOf(POLLS, () => listTransactions(pool, FIRST_PAGE)))
    const byKey = percentilesOf(
      await timesOf(POLLS, () => pool.query('select * from transactions_plain where id = $1', [peer.id])),
    )
    await pool.end()
    await close()
    await gateway.stop()
    return measurement({ disk, payments, peer, verify, list, byKey })
  },
}

const ROUNDS = 3

interface Verify {
  readonly gateway: readonly Load[]
  readonly peer: readonly Load[]
}

/**
 * Compares the gateway with what a good developer writes by hand for this one operation, in alternation on one
 * database.
 */
async function verifyInTurn(gateway: GatewayProcess, metered: DatabaseAccess['metered']): Promise<Verify> {
  const fastify = await startFastify(await temporaryFolder(), gateway.connection)
  const order = { kind: 'verify', warmUpMs: 2_000, measureMs: 4_000, expectedStatus: 200, stored: STORED } as const
  const verify = { gateway: [] as Load[], peer: [] as Load[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    verify.gateway.push(await runLoad(metered({ API: gateway.pid }), { ...order, port: gateway.port }))
    verify.peer.push(await runLoad(metered({ server: fastify.pid }), { ...order, port: fastify.port }))
  }
  await fastify.stop()
  return verify
}

const FIRST_PAGE = { status: undefined, merchantId: undefined, since: undefined, limit: 20 } as const

interface Disk {
  readonly bytesPerPayment: number
  readonly byTable: Readonly<Record<string, number>>
}

/** Rows, indexes and their maps, including the narrow table of references. */
async function diskOf(client: pg.Client, months: readonly Month[]): Promise<Disk> {
  const tables = [
    ...HISTORY.map(({ name }) => ({ name, parts: months.map((month) => partitionOf(name, month.name)) })),
    { name: 'transaction_references', parts: ['transaction_references'] },
  ]
  const byTable: Record<string, number> = {}
  for (const { name, parts } of tables) {
    const { rows } = await client.query<{ bytes: number }>(
      'select sum(pg_total_relation_size(part::regclass))::float8 as bytes from unnest($1::text[]) as part',
      [parts],
    )
    byTable[name] = present(rows[0], 'a size').bytes / STORED
  }
  return { byTable, bytesPerPayment: Object.values(byTable).reduce((sum, bytes) => sum + bytes, 0) }
}

interface Wal {
  readonly bytesPerPayment: number
  /** The share of full-page images, which follow a checkpoint. */
  readonly pageBytesPerPayment: number
  readonly payments: number
  readonly load: Load
}

/** End-to-end payments from a checkpoint until the last callback is delivered. */
async function wal(
  gateway: GatewayProcess,
  client: pg.Client,
  superuser: pg.Client,
  metered: DatabaseAccess['metered'],
): Promise<Wal> {
  const worker = await startWorkerProcess(gateway, { env: { MALIPO_SANDBOX_DELAY_MS: '1000' } })
  const paymentsPlayed = async (measureMs: number): Promise<Load> => {
    const load = await runLoad(metered({ API: gateway.pid, worker: worker.pid }), {
      kind: 'collection',
      port: gateway.port,
      warmUpMs: 0,
      measureMs,
      expectedStatus: 202,
      pacePerSecond: PER_SECOND,
    })
    await until(
      async () => (await client.query('select from jobs limit 1')).rowCount === 0,
      PATIENCE_MS,
      'no job is left',
    )
    return load
  }
  await paymentsPlayed(3_000)
  await superuser.query('checkpoint')
  const before = await logged(client)
  const load = await paymentsPlayed(LOAD_MS)
  const after = await logged(client)
  await worker.stop()
  const payments = after.accepted - before.accepted
  return {
    payments,
    load,
    bytesPerPayment: (after.bytes - before.bytes) / payments,
    pageBytesPerPayment: ((after.pages - before.pages) * 8_192) / payments,
  }
}

async function logged(client: pg.Client) {
  const { rows } = await client.query<{ bytes: number; pages: number; accepted: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes, (select wal_fpi from pg_stat_wal)::int as pages,
       (select count(*)::int from transaction_references where merchant_reference like 'BENCH-%') as accepted`,
  )
  return present(rows[0], 'the log')
}

const SAMPLE = 20_000

/**
 * Stores the same rows once, in tables with one key and nothing else: the lower bound for storing these facts in
 * PostgreSQL.
 */
async function plainRows(client: pg.Client, month: Month) {
  let [disk, log] = [0, 0]
  for (const { name } of HISTORY) {
    const source = partitionOf(name, month.name)
    await client.query(`create table ${name}_plain as select * from ${source} where false`)
    if (name === 'transactions') await client.query('alter table transactions_plain add primary key (id)')
    const before = await logged(client)
    const last = `(select id + 15 from ${partitionOf('transactions', month.name)} order by id offset ${SAMPLE - 1} limit 1)`
    const key =
      { transaction_events: 'transaction_id', callback_attempts: 'callback_id', entries: 'transfer_id' }[name] ?? 'id'
    await client.query(`insert into ${name}_plain select * from ${source} where ${key} <= ${last}`)
    log += (await logged(client)).bytes - before.bytes
    const { rows } = await client.query<{ bytes: number }>('select pg_table_size($1::regclass)::float8 as bytes', [
      `${name}_plain`,
    ])
    disk += present(rows[0], 'a size').bytes
  }
  const { rows } = await client.query<{ id: string }>('select max(id) as id from transactions_plain')
  return { diskBytes: disk / SAMPLE, walBytes: log / SAMPLE, id: present(rows[0], 'a payment').id }
}

interface Measurements {
  readonly disk: Disk
  readonly payments: Wal
  readonly peer: { readonly diskBytes: number; readonly walBytes: number }
  readonly verify: Verify
  readonly list: Percentiles
  readonly byKey: Percentiles
}

function measurement({ disk, payments, peer, verify, list, byKey }: Measurements): Measurement {
  const bytes = (value: number) => `${wholeNumber(value)} bytes`
  return {
    figures: [
      {
        name: 'disk per payment',
        peer: `its rows alone ${bytes(peer.diskBytes)}`,
        ratio: disk.bytesPerPayment / peer.diskBytes,
        ...atMost(TARGETS.diskBytes, 'bytes', disk.bytesPerPayment),
      },
      {
        name: 'WAL per payment, a whole life',
        peer: `its rows written once ${bytes(peer.walBytes)}`,
        ratio: payments.bytesPerPayment / peer.walBytes,
        ...atMost(TARGETS.walBytes, 'bytes', payments.bytesPerPayment),
      },
      { name: '  whole pages after the checkpoint, at most', value: bytes(payments.pageBytesPerPayment) },
      {
        name: 'verify, 99th percentile',
        peer: `Fastify + Ajv + pg by hand ${wholeNumber(p99Of(verify.peer))} ms`,
        ratio: p99Of(verify.gateway) / p99Of(verify.peer),
        ...atMost(TARGETS.verifyP99Ms, 'ms', p99Of(verify.gateway)),
      },
      {
        name: '  its rate',
        value: rate(perSecond(verify.gateway)),
        peer: `Fastify + Ajv + pg by hand ${rate(perSecond(verify.peer))}`,
        ratio: perSecond(verify.gateway) / perSecond(verify.peer),
      },
      ...costFigures('  one of them', middleCost(verify.gateway.map(({ cost }) => cost)), {
        name: 'by hand',
        cost: middleCost(verify.peer.map(({ cost }) => cost)),
      }),
      {
        name: 'first page of transaction list, 99th percentile',
        peer: `a row by its key ${byKey.p99Ms.toFixed(1)} ms`,
        ...atMost(TARGETS.listP99Ms, 'ms', list.p99Ms),
      },
      {
        name: 'replies that were not as expected',
        ...atMost(
          0,
          'replies',
          [payments.load, ...verify.gateway].reduce((sum, { failed }) => sum + failed, 0),
        ),
      },
    ],
    notes: [
      `WAL from a checkpoint on, over ${wholeNumber(payments.payments)} whole payments at ${PER_SECOND}/s: accepted, handed over, settled, booked, reported; with the book of the simulated operators (about 900 bytes), which a live gateway does not have.`,
      `Its rows alone: the same rows in tables without indexes. Verify with 64 connections at once, medians of ${ROUNDS} rounds in turn with the peer, which does one statement for each request and nothing else; a row by its key with one.`,
    ],
    raw: { disk, payments, peer, verify, list, byKey },
  }
}
