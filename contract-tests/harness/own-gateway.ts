import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { numberEvents } from '../../server/storage/merchant-events.ts'
import { addMerchant } from '../../server/verification/testing/another-merchant.ts'
import { asOwner, type TestDatabase } from '../../server/verification/testing/database.ts'
import { faultsInBooks } from '../../server/verification/testing/books.ts'
import {
  DEMO_KEYS,
  DEMO_MERCHANT,
  fixedClock,
  seededRandom,
  startTestGateway,
} from '../../server/verification/testing/gateway.ts'
import type { Gateway } from '../../server/main.ts'
import { listen } from './listen.ts'
import type { OtherMerchant, OwnGateway, ReceiverSettings, Target } from './part.ts'
import { OTHER_RECEIVER_PATHS, RECEIVER_PATHS } from './receiver-paths.ts'

const SET_RATE = `
  insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ($1, $2, $3, $4)
  on conflict (from_currency, to_currency) do update set rate = excluded.rate, updated_at = excluded.updated_at`

/** What has no order at its operator has none that could be refunded there. */
const NEVER_PAID = `update transactions set rail_paid_at = null where type = 'REFUND' and status = 'FAILED'`
const WITHOUT_OWN_REFUND = 'update transactions set rail_order_id = null where merchant_reference = $1'
/** It differs from that of payouts in its last word. */
const SET_REFUND_URL = `
  update merchants set refund_callback_url = case when $2 then replace(payout_callback_url, 'payouts', 'refunds') end
  where public_key = $1`

export interface OwnGatewayOptions {
  /** A migrated database that nothing else uses. */
  readonly connection: TestDatabase['connection']
  /** Seed of the references and keys that the gateway generates. */
  readonly seed?: number
  /** Where the merchant's URLs lead on this machine; absent: to the gateway's own inbox, which answers 200. */
  readonly receiverPort?: number
  /** Environment variables on top of the usual ones. */
  readonly env?: Readonly<Record<string, string>>
}

export interface RunningOwnGateway extends Target {
  readonly own: OwnGateway
  close(): Promise<void>
}

/** Rate limits are off: parts send thousands of requests a second with one key and few accounts. */
const USUAL = {
  // Requests with `traceparent` are traced, so that the header is sent on.
  OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  MALIPO_RATE_LIMIT: '1000000',
  MALIPO_RATE_LIMIT_ADDRESS: '1000000',
  MALIPO_OTP_SENDS_MAX: '1000000',
  MALIPO_OTP_WRONG_TRIES_MAX: '1000000',
  MALIPO_PROMPTS_PER_HOUR: '1000000',
  MALIPO_PROMPTS_PER_DAY: '1000000',
  MALIPO_PROMPT_DECLINES_MAX: '1000000',
  MALIPO_DATABASE_CONNECTIONS: '8',
}

/** The template was seeded on the real clock: statements would have payments before the money that they spend. */
const depositedAt = (connection: TestDatabase['connection'], at: Date): Promise<unknown> =>
  asOwner(
    connection,
    `alter table transfers disable trigger user;
     update transfers set created_at = '${at.toISOString()}' where kind = 'deposit';
     alter table transfers enable trigger user`,
  )

/** What staff change while the parts run. */
function settings(current: () => Gateway, now: () => Date) {
  const set = async (sql: string, values: readonly unknown[]): Promise<void> => {
    await current().pool.query(sql, [...values])
    await current().refresh()
  }
  return {
    setRate: (from, to, rate) => set(SET_RATE, [from, to, rate, now()]),
    refundsByPayout: async (merchantReference, isAllowed) => {
      await current().pool.query(WITHOUT_OWN_REFUND, [merchantReference])
      await set('update merchants set refunds_by_payout = $1', [isAllowed])
    },
    refundUrl: (isOn) => set(SET_REFUND_URL, [DEMO_KEYS['public-key'], isOn]),
    batchHandshake: (isOn) => set('update merchants set batch_handshake = $1', [isOn]),
    failedRefundsNeverPaid: async () => void (await current().pool.query(NEVER_PAID)),
  } satisfies Partial<OwnGateway>
}

/** An overloaded machine may not reach its database in time; the gateway polls again, as it does in production. */
async function runDue(gateway: Gateway): Promise<void> {
  await gateway.runDue().catch(() => gateway.runDue())
  await numberEvents(gateway.pool)
}

/** The real gateway in this process, on a clock that only `own.advance` moves; advancing by 0 runs what is due now. */
export async function startOwnGateway({
  connection,
  seed = 1,
  receiverPort,
  env,
}: OwnGatewayOptions): Promise<RunningOwnGateway> {
  const clock = fixedClock()
  // Counts all starts: a restarted gateway must not repeat references.
  const random = seededRandom(`own gateway ${seed}`)
  const start = (port: string, changed?: Readonly<Record<string, string>>): Promise<Gateway> =>
    startTestGateway({
      // Replies go out unvalidated, as they do to merchants: validating them is the purpose of the parts.
      connection,
      surroundings: { clock, random, checkReplies: false },
      env: { ...USUAL, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env, ...changed, PORT: port },
    })
  await depositedAt(connection, clock.now())
  const collector = await listen(
    createServer((request, response) => request.resume().once('end', () => response.end())),
  )
  let gateway = await start('0')
  let isStopped = false
  const { port } = new URL(gateway.url)

  return {
    url: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
    sandbox: true,
    contract: fileURLToPath(new URL('../../generated/openapi.json', import.meta.url)),
    ...(receiverPort !== undefined && (await merchantsAt(gateway, receiverPort, clock.now()))),
    own: {
      advance(ms) {
        clock.advance(ms)
        return runDue(gateway)
      },
      now: () => clock.now(),
      restart: async (changed) => {
        await gateway.stop()
        isStopped = true
        // For the same reason.
        gateway = await start(port, changed).catch(() => start(port, changed))
        isStopped = false
      },
      ...settings(() => gateway, clock.now),
      // Payments of test number 006 never end, and months pass here: no fault. The model knows its own payments.
      audit: () => faultsInBooks(gateway, clock.now()),
    },
    // A gateway that could not be restarted has already stopped.
    close: async () => {
      if (!isStopped) await gateway.stop()
      await collector.close()
    },
  }
}

/** Points the messages of the demo merchant, and of a second merchant that it adds, at a port of this machine. */
async function merchantsAt(
  gateway: Gateway,
  port: number,
  now: Date,
): Promise<{ readonly receiver: ReceiverSettings; readonly other: OtherMerchant }> {
  const url = `http://127.0.0.1:${port}`
  await pointDemoMerchantAt(gateway, url)
  const { signingKey, webhookSecret } = DEMO_MERCHANT.keys
  return { receiver: { port, signingKey, webhookSecret }, other: await addOther(gateway, url, now) }
}

async function pointDemoMerchantAt(gateway: Gateway, url: string): Promise<void> {
  await gateway.pool.query(
    `update merchants set collection_callback_url = $2, payout_callback_url = $3, verification_url = $4,
       refund_callback_url = $5 where public_key = $1`,
    [DEMO_KEYS['public-key'], ...Object.values(RECEIVER_PATHS).map((path) => url + path)],
  )
  await gateway.refresh()
}

/**
 * Less money than the first merchant has, and not all of its options: a mix-up becomes visible. Of Rwanda exactly one
 * payout with its charge.
 */
const OTHER_PAYOUT_BALANCES = { UGX: 400_000, KES: 90_000, NGN: 70_000, RWF: 10_050 }

async function addOther(gateway: Gateway, url: string, now: Date): Promise<OtherMerchant> {
  const { publicKey, secretKey, signingKey, webhookSecret } = await addMerchant(
    gateway,
    {
      name: 'Duka Lingine',
      collectionCallbackUrl: url + OTHER_RECEIVER_PATHS.collectionCallback,
      payoutCallbackUrl: url + OTHER_RECEIVER_PATHS.payoutCallback,
      verificationUrl: url + OTHER_RECEIVER_PATHS.handshake,
      refundCallbackUrl: url + OTHER_RECEIVER_PATHS.refundCallback,
      payoutBalances: OTHER_PAYOUT_BALANCES,
      disabled: [
        ['airtel_rw', 'COLLECTION'],
        ['airtel_rw', 'PAYOUT'],
      ],
    },
    now,
  )
  return { publicKey, secretKey, receiver: { signingKey, webhookSecret } }
}
