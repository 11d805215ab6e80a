import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { addresseeOf } from '../../domain/addressee.ts'
import { present } from '../../domain/present.ts'
import { DEMO_MERCHANT } from '../../sandbox/providers.ts'
import { malipo } from '../command-line.ts'
import { measureDeliveries } from '../delivery-times.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { temporaryFolder } from '../processes.ts'
import { startReceiver } from '../receiver.ts'
import { wholeNumber, type Figure } from '../report.ts'
import { atMost, connectTo, type Section } from '../section.ts'
import { createSecondMerchant } from './hanging.ts'

const PER_SECOND = 200
const LASTS_MS = 20_000
const BACKLOGS = [100_000, 1_000_000] as const
const PART = 100_000
const IDLE_MS = 15_000
const TARGETS = { p99: 1.2, changesPerSecond: 20 }

/** What another merchant feels of a backlog that is due to a server that hangs, from its first second on. */
export const deadHostsSection: Section = {
  name: 'dead-hosts',
  what: `delivery time of one merchant's callbacks while ${BACKLOGS.map(wholeNumber).join(', then ')} due callbacks wait for a server that hangs`,
  async run(step) {
    const gateway = await startGatewayProcess('all', await temporaryFolder())
    const { client, close } = await connectTo(gateway)
    const [fine, dead] = await Promise.all([startReceiver({ hangs: false }), startReceiver({ hangs: true })])
    await malipo(gateway, 'merchant', 'set', DEMO_MERCHANT.keys.publicKey, '--collection-callback-url', fine.url)
    const second = await createSecondMerchant(gateway, dead.url)
    const load = { perSecond: PER_SECOND, lastsMs: LASTS_MS }
    step('warming up')
    await measureDeliveries(gateway, client, { ...load, lastsMs: LASTS_MS / 4 })
    step('nothing waits')
    const calm = await measureDeliveries(gateway, client, load)
    const beside = []
    let stored = 0
    for (const waiting of BACKLOGS) {
      step(`${wholeNumber(waiting)} wait`)
      for (; stored < waiting; stored += PART) await store(client, second, stored, stored + PART)
      // What it costs to have stored so much at once is not asked here.
      await client.query('vacuum analyze')
      beside.push({ waiting, ...(await measureDeliveries(gateway, client, load)) })
    }
    step('nobody asks for anything')
    const idle = await changesOf(client)
    await close()
    await Promise.all([gateway.stop(), fine.stop(), dead.stop()])
    return {
      figures: [
        ...beside.flatMap(({ waiting, meanMs, p99Ms }): Figure[] => [
          {
            name: `${wholeNumber(waiting)} wait: final to acknowledged, p99`,
            value: `${wholeNumber(p99Ms)} ms`,
            peer: `nothing waits ${wholeNumber(calm.p99Ms)} ms`,
            ratio: p99Ms / calm.p99Ms,
            target: `≤ ${TARGETS.p99} ×`,
            reached: p99Ms <= TARGETS.p99 * calm.p99Ms,
          },
          {
            name: '  mean',
            value: `${meanMs.toFixed(1)} ms`,
            peer: `nothing waits ${calm.meanMs.toFixed(1)} ms`,
            ratio: meanMs / calm.meanMs,
          },
        ]),
        {
          name: 'rows of work changed per second then, idle',
          ...atMost(TARGETS.changesPerSecond, 'rows', idle.changes),
        },
        { name: '  transactions per second', value: wholeNumber(idle.commits) },
      ],
      notes: [
        `${PER_SECOND} collections per second for ${LASTS_MS / 1000} s. The backlog is due as it is stored; the figures count from then, without a pause.`,
      ],
      raw: { calm, beside, idle },
    }
  },
}

/** Payments that ended, whose callbacks are due now. */
async function store(client: pg.Client, publicKey: string, from: number, to: number): Promise<void> {
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
    ), told as (
      insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at)
      select 'msg_dead_' || n, id, $3, 'transaction.failed', $4, '{"event":"transaction.failed"}', 'PENDING', now() from rows returning id
    )
    insert into work (kind, subject_id, due_at, addressee) select 'deliverCallback', id, now(), $5 from told`,
    [from, to, id, url, addresseeOf(id, 'COLLECTION')],
  )
}

/** Per second, while nothing else happens. */
async function changesOf(client: pg.Client): Promise<{ readonly changes: number; readonly commits: number }> {
  const count = async () => {
    const { rows } = await client.query<{ changes: number; commits: number }>(
      `select (select n_tup_upd from pg_stat_user_tables where relname = 'work')::float8 as changes,
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
