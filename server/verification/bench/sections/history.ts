import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { startGatewayProcess, type GatewayProcess } from '../gateway-process.ts'
import { median, runLoad, type Load } from '../load.ts'
import { loadCollections } from '../measure-accepting.ts'
import { temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import { storedReference } from '../requests.ts'
import { atMost, connectTo, rate, type Section } from '../section.ts'

const SMALL = 10_000
const LARGE = 5_000_000
const ROUNDS = 3
const PART = 500_000
const TARGETS = { accept: 0.9, verifyP99Ms: 20 }

/** What a long history costs: accepting and looking up with ten thousand and with five million stored transactions. */
export const historySection: Section = {
  name: 'history',
  what: `accepting and verify with ${wholeNumber(SMALL)} and with ${wholeNumber(LARGE)} transactions stored`,
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { client, close } = await connectTo(gateway)
    await store(client, 0, SMALL)
    step(`with ${wholeNumber(SMALL)}`)
    const small = await measure(gateway, client, SMALL)
    step(`storing ${wholeNumber(LARGE)}`)
    for (let from = SMALL; from < LARGE; from += PART) await store(client, from, Math.min(from + PART, LARGE))
    await client.query('vacuum analyze')
    step(`with ${wholeNumber(LARGE)}`)
    const large = await measure(gateway, client, LARGE)
    const { rows } = await client.query<{ gigabytes: number }>(
      'select (pg_database_size(current_database()) / 1e9)::float8 as gigabytes',
    )
    const { gigabytes } = present(rows[0], 'the size of the database')
    await close()
    await gateway.stop()
    const accepts = {
      small: median(small.accepting.map(({ perSecond }) => perSecond)),
      large: median(large.accepting.map(({ perSecond }) => perSecond)),
    }
    const ratio = accepts.large / accepts.small
    return {
      figures: [
        {
          name: `accepted collections with ${wholeNumber(LARGE)} stored`,
          value: rate(accepts.large),
          peer: `with ${wholeNumber(SMALL)} ${rate(accepts.small)}`,
          ratio,
          target: `≥ ${TARGETS.accept} ×`,
          reached: ratio >= TARGETS.accept,
        },
        {
          name: `verify with ${wholeNumber(LARGE)} stored, 99th percentile`,
          ...atMost(TARGETS.verifyP99Ms, 'ms', large.verify.p99Ms),
        },
        {
          name: '  its rate',
          value: rate(large.verify.perSecond),
          peer: `with ${wholeNumber(SMALL)} ${rate(small.verify.perSecond)}`,
          ratio: large.verify.perSecond / small.verify.perSecond,
        },
        {
          name: 'replies that were not as expected',
          ...atMost(
            0,
            'replies',
            [...small.accepting, ...large.accepting, small.verify, large.verify].reduce(
              (sum, { failed }) => sum + failed,
              0,
            ),
          ),
        },
      ],
      notes: [
        `Each stored transaction has its reference and three events of its history; the database has ${gigabytes.toFixed(1)} GB in the end. Verify queries transactions spread over all of it.`,
      ],
      raw: { small, large },
    }
  },
}

async function measure(
  gateway: GatewayProcess,
  client: pg.Client,
  stored: number,
): Promise<{ readonly accepting: Load[]; readonly verify: Load }> {
  const accepting: Load[] = []
  await client.query('checkpoint')
  // After a checkpoint each page is written in full once, and a longer history has more pages: these first seconds are
  // excluded on both sides.
  await loadCollections(gateway)
  for (let round = 0; round < ROUNDS; round += 1) accepting.push(await loadCollections(gateway))
  const verify = await runLoad(gateway.pid, {
    kind: 'verify',
    port: gateway.port,
    warmUpMs: 2_000,
    measureMs: 5_000,
    expectedStatus: 200,
    stored,
  })
  return { accepting, verify }
}

/** Completed collections of the past months, in the form in which the gateway stores them. */
async function store(client: pg.Client, from: number, to: number): Promise<void> {
  const prefix = storedReference(0).replace(/0+$/, '')
  await client.query(
    `
    with rows as materialized (
      select n, nextval('transaction_ids') as id, $3 || lpad(n::text, 8, '0') as reference, now() - interval '1 day' - (5000000 - n) * interval '3 seconds' as at
      from generate_series($1::int, $2::int - 1) as n
    ), named as (
      insert into transaction_references (merchant_id, merchant_reference, transaction_id) select m.id, reference, rows.id from rows, merchants m where m.public_key = 'pub_sandbox_demo'
    ), told as (
      insert into transaction_events (transaction_id, at, kind, detail)
      select id, at, kind, 'Stored by the bench' from rows, unnest(array['accepted', 'submitted', 'settled']) as kind
    )
    insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account, request_currency, request_amount_minor, currency, amount_minor,
      charge_minor, total_minor, charge_customer, allow_final_status_change, customer_name, description, status, status_message, created_at, final_at)
    select rows.id, m.id, reference, 'MLP' || upper(substr(md5(n::text), 1, 22)), 'COLLECTION', 'MOBILE_MONEY', 'mtn_ug', '25677' || lpad((n % 10000)::text, 4, '0') || '123', 'UGX', 500, 'UGX', 500,
      5, 495, false, true, 'Amina Nakato', 'Bench collection', 'COMPLETED', 'Transaction Completed Successfully', at, at + interval '2 seconds'
    from rows, merchants m where m.public_key = 'pub_sandbox_demo'`,
    [from, to, prefix],
  )
}
