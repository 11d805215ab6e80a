import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { createLookups } from '../../../storage/lookups.ts'
import { checkLedger } from '../../../admin/queries/ledger-check.ts'
import { COMMITTED_AFTER_MS } from '../../../admin/queries/ledger-marks.ts'
import { listTransactions } from '../../../admin/queries/transactions.ts'
import { createPool, type Pool } from '../../../storage/pool.ts'
import { malipo } from '../command-line.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { percentilesOf, timesOf, type Percentiles } from '../request-times.ts'
import { addMerchants } from '../many-merchants.ts'
import { temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import { atMost, connectTo, type Measurement, type Section } from '../section.ts'
import { bookStored, storeMonths, storePayments } from '../stored-payments.ts'

const STORED = 5_000_000
const MONTHS = 3
/** Changes since the last check and the last clean doctor run. */
const CHANGED = 10_000
const MERCHANTS = 10_000
const TARGETS = { doctorMs: 10_000, walletsP99Ms: 2, listP99Ms: 20 }

/** Queries by staff, and queries of the gateway itself, when much is stored. */
export const operatorsSection: Section = {
  name: 'operators',
  what: `ledger check, doctor, list and wallets with ${wholeNumber(STORED)} payments and ${wholeNumber(MERCHANTS)} merchants stored`,
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { connection } = gateway
    const { client, superuser, close } = await connectTo(gateway)
    const pool = createPool({ connection, connectionsMax: 4, onError: () => undefined })
    step(`storing ${wholeNumber(STORED)}`)
    await storeMonths(pool, connection, { count: STORED, months: MONTHS })
    await bookStored(client)
    await addMerchants(client, gateway.dataDir, MERCHANTS)
    const merchants = await giveWallets(client)
    await client.query('vacuum analyze')

    step('everything: the ledger check, the doctor')
    const everything = await checks(pool, gateway, client, '--full')
    const sums = await timesOf(1, () => client.query('select account_id, sum(amount_minor) from entries group by 1'))
    const now = new Date()
    await storePayments(client, { from: STORED, to: STORED + CHANGED, at: now, everyMs: 0 })
    await bookStored(client)
    step(`what changed: ${wholeNumber(CHANGED)} payments`)
    const changed = await checks(pool, gateway, client)

    step('the list and wallets')
    await superuser.query('checkpoint')
    const lookups = createLookups(pool)
    // With 200 samples, the 99th percentile would be the worst two: one hiccup of the disk.
    const list = percentilesOf(await timesOf(2_000, () => listTransactions(pool, FIRST_PAGE)))
    let requested = 0
    const wallets = percentilesOf(
      await timesOf(2_000, () =>
        lookups.wallets(present(merchants[(requested += 7) % merchants.length], 'a merchant'), undefined),
      ),
    )
    const byKey = percentilesOf(await timesOf(2_000, () => client.query('select from merchants where id = $1', [1])))
    await pool.end()
    await close()
    await gateway.stop()
    return measurement({ everything, changed, sumsMs: present(sums[0], 'a time'), list, wallets, byKey })
  },
}

const FIRST_PAGE = { status: undefined, merchantId: undefined, since: undefined, limit: 20 } as const

interface Checks {
  readonly ledgerMs: number
  readonly doctorMs: number
  /** Rules that the doctor found broken: some are expected, because no gateway made these payments. */
  readonly broken: readonly string[]
}

/** Runs both as of a time at which everything stored is old enough to be counted. */
async function checks(pool: Pool, gateway: GatewayProcess, client: pg.Client, ...options: string[]): Promise<Checks> {
  const now = new Date()
  await checkLedger(pool, now, NEVER)
  // The check counts a quarter of an hour later what it records now; the bench does not wait for that.
  await client.query('update ledger_candidates set noted_at = noted_at - $1 * interval $$1 ms$$', [
    COMMITTED_AFTER_MS + 1_000,
  ])
  const [ledgerMs] = await timesOf(1, () => checkLedger(pool, now, NEVER))
  const { duration_ms: doctorMs, checks: found } = (await malipo(gateway, 'doctor', ...options)) as {
    readonly duration_ms: number
    readonly checks: readonly { readonly name: string; readonly ok: boolean }[]
  }
  return {
    ledgerMs: present(ledgerMs, 'a time'),
    doctorMs,
    broken: found.filter(({ ok }) => !ok).map(({ name }) => name),
  }
}

const NEVER = new AbortController().signal

/**
 * Creates wallets for merchants who collect and pay out in two currencies.
 * @returns the merchants
 */
async function giveWallets(client: pg.Client): Promise<bigint[]> {
  await client.query(
    `insert into accounts (kind, currency, merchant_id, provider_code)
     select kind, currency, m.id, '' from merchants m,
       unnest(array['collection_available', 'collection_uncleared', 'payout_available', 'payout_reserve']) as kind,
       unnest(array['UGX', 'KES']) as currency
     on conflict do nothing`,
  )
  const { rows } = await client.query<{ id: string }>('select id from merchants order by id')
  return rows.map(({ id }) => BigInt(id))
}

interface Measurements {
  readonly everything: Checks
  readonly changed: Checks
  readonly sumsMs: number
  readonly list: Percentiles
  readonly wallets: Percentiles
  readonly byKey: Percentiles
}

function measurement(measured: Measurements): Measurement {
  const { everything, changed, sumsMs, list, wallets, byKey } = measured
  const sums = `all entries summed once ${wholeNumber(sumsMs)} ms`
  const key = `a row by its key ${byKey.p99Ms.toFixed(1)} ms`
  const ms = (value: number) => `${wholeNumber(value)} ms`
  return {
    figures: [
      {
        name: 'ledger check of what changed',
        value: ms(changed.ledgerMs),
        peer: sums,
        ratio: changed.ledgerMs / sumsMs,
      },
      {
        name: '  of everything, in slices',
        value: ms(everything.ledgerMs),
        peer: sums,
        ratio: everything.ledgerMs / sumsMs,
      },
      {
        name: 'doctor, of what changed',
        peer: sums,
        ratio: changed.doctorMs / sumsMs,
        ...atMost(TARGETS.doctorMs, 'ms', changed.doctorMs),
      },
      { name: '  --full', value: ms(everything.doctorMs), peer: sums, ratio: everything.doctorMs / sumsMs },
      { name: '  rules that it found broken', ...atMost(0, 'rules', everything.broken.length + changed.broken.length) },
      {
        name: 'first page of transaction list, 99th percentile',
        peer: key,
        ...atMost(TARGETS.listP99Ms, 'ms', list.p99Ms),
      },
      {
        name: 'wallets of a merchant, 99th percentile',
        peer: key,
        ...atMost(TARGETS.walletsP99Ms, 'ms', wallets.p99Ms),
      },
    ],
    notes: [
      `${wholeNumber(CHANGED)} payments changed. One question at a time; the doctor's time is its own, without the start of its process.`,
    ],
    raw: measured,
  }
}
