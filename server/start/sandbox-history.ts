import { initializeCollection } from '../actions/initialize-collection.ts'
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { Delivery } from '../actions/ports/delivery.ts'
import type { Clock } from '../actions/ports/clock.ts'
import type { JobKind } from '../actions/ports/jobs.ts'
import { NOBODY } from '../actions/ports/wake.ts'
import { sendFunds } from '../actions/send-funds.ts'
import type { Merchant } from '../domain/merchant.ts'
import { present } from '../domain/present.ts'
import { fraction } from '../domain/references.ts'
import { whilePlaying } from '../admin/queries/doctor/past.ts'
import { firstMerchants } from '../admin/queries/merchants.ts'
import { handshakeHeaders } from '../callbacks/handshake.ts'
import { callbackHeaders } from '../callbacks/sender.ts'
import type { RsaSigner } from '../callbacks/sign.ts'
import type { NewInboxMessage } from '../domain/received/message.ts'
import { receiveCallback, receiveHandshake } from '../local/sandbox/inbox-receiver.ts'
import { createInboxStore } from '../local/sandbox/inbox-store.ts'
import { addDemoCompany } from '../local/sandbox/demo-company.ts'
import { paymentsOfPast, type DemoPast, type PastPayment } from '../local/sandbox/past-payments.ts'
import { DEMO_MERCHANT } from '../local/sandbox/providers.ts'
import { seededRandom } from '../local/sandbox/seeded-random.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import { createPool } from '../storage/pool.ts'
import { createAcceptance } from '../storage/accept-transactions.ts'
import { NO_TRACING } from '../tracing/tracing.ts'
import { createCore, type Core } from './core.ts'
import type { Foundation } from './foundation.ts'
import { createJobs, type JobRunner, type MerchantServers } from './jobs.ts'
import { connectRails, type ConnectedRails } from './rails.ts'

/** How long the past's customers take to approve. */
const CUSTOMER_MS = 14_000
/** What the inbox answers, and how long that takes. */
const ANSWERED = 200
const INBOX_MS = 12
/** The longest delay between a job's due time and its run. */
const JITTER_MS = 2_500

/** Each further one costs a backend, and plans every statement anew. */
const CONNECTIONS = 2

const BEFORE_SUBMISSION = ['verifyPayout', 'holdFunds', 'submitToRail'] as const satisfies readonly JobKind[]

/** Payments that are accepted this close together go on together. */
const BURST_MS = 60_000

/** A clock that goes where it is put, and never back. */
interface WalkingClock extends Clock {
  walkTo(at: Date): void
}

function walkingClock(from: Date): WalkingClock {
  let at = from.getTime()
  return { now: () => new Date(at), walkTo: (to) => void (at = Math.max(at, to.getTime())) }
}

/** The demo merchant's past, as seen from now. */
export const demoPast = (now: Date): DemoPast => paymentsOfPast(now, seededRandom('payments of the past'))

/**
 * Lets the demo merchant live through its past before this process runs any other job: the real actions, store, jobs
 * and rails on a clock that walks from payment to payment, and the inbox, as the server that every URL of a merchant
 * leads to.
 */
export async function playHistory(foundation: Foundation, past: DemoPast): Promise<void> {
  const clock = walkingClock(past.from)
  const then = inThePast(foundation, clock)
  await addDemoCompany(then.pool, clock.now())
  const core = await createCore(then, NOBODY)
  const rails = connectRails(then, core, undefined)
  const jobs = createJobs(
    then,
    core,
    rails,
    inboxOf(then, core, () => clock.now() >= past.outageFrom),
  )
  const acceptance = createAcceptance(then.pool, NOBODY, undefined, then.months.make)
  const { random } = then.surroundings
  const player = { core: { ...core, acceptance, allowLoopbackRedirect: true }, jobs, rails, clock, random }
  try {
    const holdsSessions = foundation.connection.pooling !== 'transaction'
    await whilePlaying(foundation.pool, holdsSessions, async () => {
      await play(player, past.payments, foundation.clock.now())
      await foundation.months.keep()
    })
  } finally {
    await jobs.stop()
    await rails.railAccounts.close()
    await then.pool.end()
  }
}

function inThePast(foundation: Foundation, clock: Clock): Foundation {
  const { config, surroundings, connection } = foundation
  const pool = createPool({ connection, connectionsMax: CONNECTIONS, onError: () => undefined })
  // A crash of the machine may cost the end of a past that nobody has seen. Behind a pooler the session is not ours.
  if (connection.pooling !== 'transaction')
    pool.on(
      'connect',
      (client) =>
        void client
          .query('set synchronous_commit to off; set plan_cache_mode to force_generic_plan')
          .catch(() => undefined),
    )
  return {
    ...foundation,
    pool,
    clock: { now: () => clock.now(), sync: async () => undefined, skewMs: () => 0 },
    config: { ...config, sandboxDelayMs: CUSTOMER_MS, databaseConnectionsMax: CONNECTIONS },
    surroundings: { ...surroundings, random: seededRandom('references of the past') },
    // They count what happens from now on.
    metrics: NO_METRICS,
    tracing: NO_TRACING,
  }
}

interface Player {
  readonly core: Parameters<typeof initializeCollection>[0] & Parameters<typeof sendFunds>[0] & Pick<Core, 'reference'>
  readonly jobs: JobRunner
  readonly rails: ConnectedRails
  readonly clock: WalkingClock
  readonly random: Core['random']
}

async function play(player: Player, payments: readonly PastPayment[], until: Date): Promise<void> {
  const { core, clock } = player
  const merchant = present(await core.reference.merchantByPublicKey(DEMO_MERCHANT.keys.publicKey), 'the demo merchant')
  for (const burst of bursts(payments)) {
    await runUntil(player, present(burst[0], 'the first of a burst').at)
    await Promise.all(
      burst.map((payment) => {
        clock.walkTo(payment.at)
        return accept(core, merchant, payment)
      }),
    )
  }
  await runUntil(player, until)
  clock.walkTo(until)
}

function bursts(payments: readonly PastPayment[]): readonly (readonly PastPayment[])[] {
  const all: PastPayment[][] = []
  let from = -Infinity
  for (const payment of payments) {
    const at = payment.at.getTime()
    if (at - from < BURST_MS) all.at(-1)?.push(payment)
    else {
      all.push([payment])
      from = at
    }
  }
  return all
}

/** Runs what is due until then, each at its time. */
async function runUntil({ jobs, rails, clock, random }: Player, until: Date): Promise<void> {
  for (;;) {
    const [next, reportAt] = await Promise.all([
      jobs.worker.nextDue(),
      rails.hasReportsAhead() ? rails.nextReport() : undefined,
    ])
    const dues = [...next.values(), ...(reportAt ? [reportAt] : [])].map((at) => at.getTime())
    const first = Math.min(...dues)
    if (first >= until.getTime()) return
    clock.walkTo(new Date(Math.min(first + Math.round(fraction(random) * JITTER_MS), until.getTime())))
    const isDue = (at: Date | undefined): boolean => at !== undefined && at <= clock.now()
    // A payout catches up with the collections of its burst before they are sent: together they share their commits.
    const before = BEFORE_SUBMISSION.find((kind) => isDue(next.get(kind)))
    if (before) await jobs.worker.runBatches([before])
    else if (isDue(reportAt)) await rails.reportSimulated()
    // One after another, on one connection: each further one plans every statement anew.
    else for (const [kind, at] of next) if (isDue(at)) await jobs.worker.runBatches([kind])
  }
}

function accept(core: Player['core'], merchant: Merchant, payment: PastPayment): Promise<unknown> {
  const { providerCode, type, account, amount, merchantReference, customerName, description, bankCode } = payment
  const { currency = '', method } = core.reference.option(providerCode, type) ?? {}
  if (method === undefined) throw new Error(`the sandbox has no provider ${providerCode}`)
  const request = { merchantReference, method, providerCode, customerName, description, currency, amount }
  if (type === 'PAYOUT') return sendFunds(core, merchant, { ...request, account, ...(bankCode && { bankCode }) })
  return initializeCollection(core, merchant, {
    ...request,
    msisdn: account,
    onPaymentPage: payment.onPaymentPage ?? false,
    ...(payment.onPaymentPage && { redirectUrl: 'https://duka.example/thanks' }),
    chargeCustomer: false,
    allowFinalStatusChange: true,
  })
}

/** The threads that sign are started by the first payment of whoever tries this out. */
function signsHere(): RsaSigner {
  let key: KeyObject | undefined
  return async (privatePem, text) =>
    sign('sha256', Buffer.from(text), (key ??= createPrivateKey(privatePem))).toString('base64')
}

/**
 * The inbox, on the clock of the past, as the server that every URL leads to, and down at times. In this process: over
 * HTTP its hundred messages would take as much time as all the rest.
 */
function inboxOf({ pool, clock }: Foundation, { reference }: Core, isDown: () => boolean): MerchantServers {
  const inbox = createInboxStore(pool)
  const signRsa = signsHere()
  // Every message is the demo merchant's, who is there.
  let merchants: ReturnType<typeof firstMerchants> | undefined
  const deps = { clock, reference, merchants: (max: number) => (merchants ??= firstMerchants(pool, max)) }
  const taken = async (message: NewInboxMessage): Promise<Delivery> => {
    await inbox.add(message)
    return { httpStatus: ANSWERED, replyExcerpt: '{"received":true}', durationMs: INBOX_MS }
  }
  const down = async (): Promise<Delivery> => ({ httpStatus: 503, durationMs: INBOX_MS })
  return {
    sender: {
      async prepare(callback) {
        const secrets = await reference.callbackSecrets(callback.merchantId)
        const headers = await callbackHeaders(callback, secrets, reference.rsaSigningKey(), clock.now(), signRsa)
        const body = Buffer.from(callback.body)
        return async () => (isDown() ? down() : taken(await receiveCallback({ headers, body }, ANSWERED, deps)))
      },
    },
    handshakes: {
      async request({ merchantId, merchantReference, webhookId }) {
        const { webhookSecrets } = await reference.callbackSecrets(merchantId)
        const headers = handshakeHeaders(webhookSecrets, webhookId, clock.now())
        return isDown() ? down() : taken(await receiveHandshake(headers, merchantReference, ANSWERED, deps))
      },
    },
    close: async () => undefined,
  }
}
