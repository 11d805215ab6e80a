import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pino, type Logger } from 'pino'
import type { FastifyInstance } from 'fastify'
import { ownHosts } from './own-hosts.ts'
import { pooledRandom } from './random.ts'
import { safeError, safeReason } from './safe-error.ts'
import {
  StorageUnavailable,
  type Clock,
  type Notices,
  type OneTimePasswords,
  type Random,
  type Rail,
} from './actions/ports.ts'
import type { AuthorizeDeps } from './actions/authorize-collection.ts'
import {
  cancelPayment,
  confirmPayment,
  sendNewOtp,
  submitOtp,
  type BankChoice,
  type OtpResult,
  type StepResult,
} from './actions/payment-steps.ts'
import { redirectCustomer } from './actions/redirect-customer.ts'
import { settleResults } from './actions/settle-results.ts'
import { viewPayment, type PaymentView } from './actions/view-payment.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from './callbacks/outbound-guard.ts'
import { createSender } from './callbacks/sender.ts'
import { createHandshakeSender } from './callbacks/handshake.ts'
import { createLegacySigner } from './callbacks/sign.ts'
import { checkServer, type Config, type Role } from './config.ts'
import { present } from './domain/present.ts'
import { createApi } from './http/api.ts'
import { createApp, send } from './http/app.ts'
import { failure } from './http/envelope.ts'
import { createHandlers } from './http/handlers/index.ts'
import { allowOnly, servePages } from './http/pages.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { callbackBody } from './messages/transaction-record.ts'
import { LEDGER_CHECK_MS } from './metrics/ledger.ts'
import { createMetrics, NO_METRICS, type Metrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/server.ts'
import { servePaymentPage } from './payment-page/payment-page.ts'
import { createOneTimePasswords } from './sandbox/one-time-passwords.ts'
import { accountAsksForOtp, createSimulator, sandboxHint } from './sandbox/simulator.ts'
import { serveInbox } from './sandbox/inbox.ts'
import { DEMO_MERCHANT, DEMO_PAYOUT_BALANCE, SANDBOX_BANKS, SANDBOX_PROVIDERS } from './sandbox/providers.ts'
import { createAcceptance } from './storage/accept-transactions.ts'
import { createCallbackStore } from './storage/callbacks.ts'
import { openDatabase, sandboxMasterKey, type Database } from './embedded-postgres/database.ts'
import { openDigests } from './storage/digests.ts'
import { createFigures } from './storage/operators/figures.ts'
import { removeExpired } from './storage/housekeeping.ts'
import { createIdempotencyStore } from './storage/idempotency.ts'
import { createInboxStore } from './sandbox/inbox-store.ts'
import { createLookups } from './storage/lookups.ts'
import { ensureRsaKey, listMerchants } from './storage/operators/merchants.ts'
import { migrate } from './storage/migrate.ts'
import { createPool, type Pool } from './storage/pool.ts'
import { loadReferenceData, REFRESH_MS, type LiveReferenceData, type RailCoverage } from './storage/reference-data.ts'
import { resealFormer } from './storage/reseal.ts'
import { createSecretBox, type SecretBox } from './storage/secret-box.ts'
import { seedSandbox } from './sandbox/seed-sandbox.ts'
import { createSimulatorBook } from './sandbox/simulator-book.ts'
import { CLOCK_SKEW_MAX_MS, CLOCK_SKEW_TOLD_MS, createSharedClock, skewText } from './storage/shared-clock.ts'
import { createStore } from './storage/store.ts'
import { createWorkQueue } from './storage/work-items.ts'
import { createLanes } from './work/lanes.ts'
import { createWorkLoop, type WorkLoop } from './work/loop.ts'
import { putAsideMs } from './work/runner.ts'
import { systemTimers } from './work/timers.ts'
import { errorLog, repeat } from './work/repeat.ts'

/** What tests replace: everything that is not the same at every run. */
export interface Surroundings {
  /** Absent: the time that all processes share, which is the database's. */
  readonly clock: Clock | undefined
  readonly random: Random
  readonly logger: Logger
  readonly role: Role
  /** False: nothing runs by itself, `runDue` does the work. */
  readonly runWork: boolean
  readonly checkReplies: boolean
  /** The message service that takes one-time passwords. */
  readonly sendOtp?: OneTimePasswords['send']
}

export interface Gateway {
  /** Where others reach it: PUBLIC_BASE_URL, else where it listens: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Where it listens itself, behind whatever stands at `url`; absent for a worker. */
  readonly listeningUrl: string | undefined
  /** Where Prometheus asks; absent when metrics are off. */
  readonly metricsUrl: string | undefined
  /** As it was at the start. */
  readonly rails: RailCoverage
  readonly pool: Pool
  /** Does all work that is due by the clock, the simulated rails' reports included, until nothing is due. */
  runDue(): Promise<void>
  /** What the payment page lets a customer do. */
  readonly paymentSteps: PaymentSteps
  /** Sees changes of merchants, keys and providers now instead of within a second. */
  refresh(): Promise<void>
  /** Stops accepting, finishes what runs, closes the database. */
  stop(): Promise<void>
}

export interface PaymentSteps {
  view(internalReference: string): Promise<PaymentView | undefined>
  confirm(internalReference: string, choice?: BankChoice): Promise<StepResult>
  submitOtp(internalReference: string, otp: number): Promise<OtpResult>
  sendNewOtp(internalReference: string): Promise<StepResult>
  cancel(internalReference: string): Promise<StepResult>
  /** Signed address of the merchant's own page, once the collection is final and has one. */
  redirect(internalReference: string): Promise<string | undefined>
}

const systemRandom = pooledRandom(randomBytes)
const REPORT_POLL_MS = 50
/** Machines drift by milliseconds a day; a machine that stood still for a while must not be wrong for long. */
const CLOCK_SYNC_MS = 1_000
const HOUSEKEEPING_MS = 10 * 60_000
const STOP_GRACE_MS = 8_000
/**
 * How long running requests may take to end; then their connections are cut: a half-sent request would hold up the stop
 * for ever.
 */
const REQUEST_GRACE_MS = 3_000

/**
 * Starts the gateway: database, migrations, HTTP, work. @throws ConfigError, DataFolderError, WrongMode, or the
 * listener's error (EADDRINUSE)
 */
export async function startGateway(config: Config, given: Partial<Surroundings> = {}): Promise<Gateway> {
  const surroundings: Surroundings = {
    clock: undefined,
    random: systemRandom,
    logger: pino({ level: config.logLevel, serializers: { err: safeError } }),
    role: 'all',
    runWork: true,
    checkReplies: false,
    ...given,
  }
  const { logger } = surroundings
  checkServer(config, surroundings.role)
  const database = await openDatabase({
    ...config,
    role: 'owner',
    onEvent: (event) => logger.debug(event, 'embedded PostgreSQL'),
  })
  const cleanUp: (() => Promise<unknown>)[] = [() => database.stop()]
  try {
    return await startOn(database, config, surroundings, cleanUp)
  } catch (error) {
    for (const step of cleanUp.reverse()) await step()
    throw error
  }
}

async function startOn(
  database: Database,
  config: Config,
  surroundings: Surroundings,
  cleanUp: (() => Promise<unknown>)[],
): Promise<Gateway> {
  const { random, logger, role } = surroundings
  const sandbox = config.mode === 'sandbox'
  const applied = await migrate(database.connection, config.mode)
  if (applied.length > 0) logger.debug({ applied }, 'database migrated')
  const logError = errorLog(logger)
  // A restart ends all connections in one moment: that is one line, not one per connection.
  const pool = createPool({
    connection: database.connection,
    connectionsMax: config.databaseConnectionsMax,
    onError: (error) => logError(new StorageUnavailable(error), 'a connection'),
  })
  cleanUp.push(() => pool.end())
  const shared = surroundings.clock ? undefined : await createSharedClock(pool)
  const clock = present(surroundings.clock ?? shared, 'a clock')
  if (shared && Math.abs(shared.skewMs()) > CLOCK_SKEW_TOLD_MS) {
    logger.warn(
      { skewMs: shared.skewMs() },
      `this machine's clock is ${skewText(shared.skewMs())}: the database's counts, but look after this one`,
    )
  }
  const isReady = async () => {
    await pool.query('select')
    const skewMs = shared?.skewMs() ?? 0
    return Math.abs(skewMs) > CLOCK_SKEW_MAX_MS ? `the clock is ${skewText(skewMs)}` : undefined
  }
  const metrics =
    config.metricsPort === undefined
      ? NO_METRICS
      : createMetrics({ clock, figures: createFigures(pool), role, mode: config.mode })
  const box = createSecretBox(config.masterKey ?? (await sandboxMasterKey(config.dataDir)), random)
  const resealed = await resealFormer(pool, box)
  if (resealed) logger.info(resealed, 'what an older version sealed is sealed anew, each secret for its place')
  const digests = await openDigests(pool, box, random, clock.now())
  await ensureRsaKey(pool, box, clock.now())

  const simulator = sandbox
    ? createSimulator({ book: createSimulatorBook(pool), clock, delayMs: config.sandboxDelayMs })
    : undefined
  const parts: { app?: FastifyInstance; loop?: WorkLoop } = {}
  const wake = { wake: (kind: Parameters<WorkLoop['wake']>[0]) => parts.loop?.wake(kind) }

  // Providers and the demo merchant come before the first look at them; their callback URL needs the port, which is
  // known once we listen.
  if (sandbox && role !== 'worker') await seed(pool, box, clock, plannedUrl(config))
  const reference = await loadReferenceData({ pool, box, clock, sandbox })
  const core: Core = {
    store: createStore(pool),
    lookups: createLookups(pool),
    idempotency: createIdempotencyStore(pool),
    reference,
    clock,
    random,
    wake,
    notices: logNotices(logger),
    callbackBody,
    otps: createOneTimePasswords({ sandbox, mac: (text) => digests('otp', text), send: surroundings.sendOtp }),
    accountAsksForOtp: sandbox ? accountAsksForOtp : () => false,
    otpBounds: { sendsMax: config.otpSendsMax, wrongTriesMax: config.otpWrongTriesMax },
  }

  const paymentSteps = createPaymentSteps(core)
  if (role !== 'worker') {
    const baseUrl = () =>
      config.publicBaseUrl ?? listeningUrl(present(parts.app, 'the server that listens'), config.host)
    const paymentPageBase = () => config.paymentPageBaseUrl ?? baseUrl()
    const app = await createHttp({
      config,
      baseUrl,
      surroundings,
      clock,
      isReady,
      pool,
      metrics,
      core,
      paymentSteps,
      csrfKey: digests('csrf', ''),
      digest: (text) => digests('idempotency', text),
      paymentUrl: (internalReference) => `${paymentPageBase()}/pay/collection/${internalReference}`,
    })
    parts.app = app
    cleanUp.push(() => app.close())
    await app.listen({ host: config.host, port: config.port })
  }
  const url = config.publicBaseUrl ?? (parts.app ? listeningUrl(parts.app, config.host) : plannedUrl(config))
  if (sandbox && role !== 'worker' && url !== plannedUrl(config)) {
    await seed(pool, box, clock, url)
    await reference.refresh()
  }

  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics({
          host: config.metricsHost,
          port: config.metricsPort,
          isOwnHost: ownHosts(config),
          scrape: metrics.scrape,
          isReady,
          onError: (error) => logError(error, 'serving metrics'),
        })
  if (metricsServer) cleanUp.push(() => metricsServer.stop())
  const policy = sandbox ? SANDBOX_POLICY : LIVE_POLICY
  const sender = createSender({ reference, clock, policy })
  const handshakes = createHandshakeSender({ reference, clock, policy })
  const loop = createWorkLoop({
    queue: metrics.instrumentWorkQueue(createWorkQueue(pool)),
    clock,
    random,
    timers: systemTimers,
    reasonOf: safeReason,
    lanes: createLanes({
      ...core,
      timers: systemTimers,
      rail: metrics.instrumentRail(simulator ?? noRail),
      callbacks: metrics.instrumentCallbacks(createCallbackStore(pool)),
      sender: metrics.instrumentSender(sender),
      handshakes: metrics.instrumentHandshakes(handshakes),
    }),
    onError: (error, kind) => {
      metrics.workFailed(kind)
      logError(error, kind)
    },
    onPutAside: (error, { kind, subjectId, failures }) =>
      logger.error(
        { err: error, kind, subject: String(subjectId), failures: failures + 1 },
        'work was put aside: running it fails',
      ),
  })
  parts.loop = loop
  const putAside = (error: unknown, reference: string, failures: number) => {
    logger.error({ err: error, reference, failures: failures + 1 }, "a rail's report was put aside: taking it fails")
    return putAsideMs(failures)
  }
  const reportDue = async () =>
    simulator ? simulator.reportDue((reports) => settleResults(core, reports), putAside) : 0
  const repeated = [
    repeat(
      REFRESH_MS,
      () => reference.refresh(),
      (error) => logError(error, 'refreshing reference data'),
    ),
  ]
  if (shared)
    repeated.push(
      repeat(
        CLOCK_SYNC_MS,
        () => shared.sync(),
        (error) => logError(error, "looking at the database's clock"),
      ),
    )
  if (surroundings.runWork && role !== 'api') {
    loop.start()
    repeated.push(
      repeat(
        HOUSEKEEPING_MS,
        () => removeExpired(pool, clock.now()),
        (error) => logError(error, 'housekeeping'),
      ),
    )
    if (config.metricsPort !== undefined)
      repeated.push(
        repeat(
          LEDGER_CHECK_MS,
          () => metrics.checkLedger(),
          (error) => logError(error, 'checking the ledger'),
        ),
      )
    if (simulator)
      repeated.push(
        repeat(
          REPORT_POLL_MS,
          () => reportAll(reportDue),
          (error) => logError(error, 'reporting results'),
        ),
      )
  }

  return {
    url,
    listeningUrl: parts.app && listeningUrl(parts.app, config.host),
    metricsUrl: metricsServer?.url,
    rails: reference.rails(),
    pool,
    paymentSteps,
    refresh: async () => void (await reference.refresh()),
    async runDue() {
      do await loop.runDue()
      while ((await reportDue()) > 0)
      await loop.runDue()
    },
    async stop() {
      if (parts.app) await closeHttp(parts.app)
      metrics.stopChecks()
      await Promise.all(repeated.map((stop) => stop()))
      await loop.stop(STOP_GRACE_MS)
      await Promise.all([sender.close(), handshakes.close()])
      await loop.stop(STOP_GRACE_MS)
      await metricsServer?.stop()
      await pool.end()
      await database.stop()
    },
  }
}

/**
 * Somebody has to look at these: the log has them at once, `transaction list --stuck`, doctor and the metrics as long
 * as they last.
 */
const logNotices = (logger: Logger): Notices => ({
  paidNotBooked: ({ internalReference, providerCode, amount }) =>
    logger.error(
      { internalReference, providerCode, amountMinor: String(amount.amountMinor), currency: amount.currency },
      'the rail has paid a payout that is FAILED here and cannot be booked: an operator must settle it with `malipo transaction resolve`',
    ),
})

/** What every part that acts on payments shares. */
type Core = Omit<AuthorizeDeps, 'reference'> & { readonly reference: LiveReferenceData }

function createPaymentSteps(core: Core): PaymentSteps {
  const signer = createLegacySigner(core)
  return {
    view: (internalReference) => viewPayment(core, internalReference),
    confirm: (internalReference, choice) => confirmPayment(core, internalReference, choice),
    submitOtp: (internalReference, otp) => submitOtp(core, internalReference, otp),
    sendNewOtp: (internalReference) => sendNewOtp(core, internalReference),
    cancel: (internalReference) => cancelPayment(core, internalReference),
    redirect: async (internalReference) => {
      const payment = await core.lookups.payment(internalReference)
      return payment && redirectCustomer({ signer }, payment)
    },
  }
}

interface HttpParts {
  readonly config: Config
  readonly surroundings: Surroundings
  readonly clock: Clock
  readonly isReady: () => Promise<string | undefined>
  readonly pool: Pool
  readonly metrics: Metrics
  readonly core: Core
  readonly paymentSteps: PaymentSteps
  readonly csrfKey: Uint8Array
  /** Keyed, of requests that are to be recognised when they come again. */
  readonly digest: (text: string) => Uint8Array
  readonly paymentUrl: (internalReference: string) => string
  /** Known once we listen. */
  readonly baseUrl: () => string
}

async function createHttp({
  config,
  baseUrl,
  surroundings: { random, logger, checkReplies },
  clock,
  isReady,
  pool,
  metrics,
  core,
  paymentSteps,
  csrfKey,
  digest,
  paymentUrl,
}: HttpParts): Promise<FastifyInstance> {
  const sandbox = config.mode === 'sandbox'
  const { reference } = core
  const pageBaseUrl = config.paymentPageBaseUrl ?? config.publicBaseUrl
  const rateLimits = createRateLimits({
    perMerchant: config.rateLimitPerSecond,
    perAddress: config.rateLimitPerAddress,
  })
  const api = await createApi({
    reference,
    digest,
    checkReplies,
    rateLimits,
    handlers: createHandlers({
      ...core,
      acceptance: metrics.instrumentAcceptance(createAcceptance(pool, metrics.acceptBatch)),
      allowLoopbackRedirect: sandbox,
      paymentUrl,
    }),
  })
  return createApp({
    api,
    random,
    logger,
    answered: metrics.answered,
    trustedProxies: config.trustedProxies,
    routes: (app) => {
      servePages(app, {
        baseUrl,
        newestRsaKey: () => reference.rsaPublicKeys()[0],
        findRsaKey: reference.findRsaPublicKey,
        isReady,
      })
      servePaymentPage(app, {
        ...paymentSteps,
        redirect: ({ internalReference }) => paymentSteps.redirect(internalReference),
        csrfKey,
        random,
        clock,
        sandbox,
        allowOnly,
        guessed: rateLimits.pageGuess,
        ...(pageBaseUrl !== undefined && { pageBaseUrl }),
        ...(sandbox && { sandboxHint }),
      })
      if (!sandbox) return
      serveInbox(app, {
        inbox: createInboxStore(pool),
        clock,
        reference,
        merchants: () => listMerchants(pool),
        publicBaseUrl: config.publicBaseUrl,
        allowOnly,
        isOwnHost: ownHosts(config),
        refuse: (_request, reply, status, message, headers) => send(reply, failure(status, message, headers)),
      })
    },
  })
}

async function closeHttp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), REQUEST_GRACE_MS)
  await app.close()
  clearTimeout(cut)
}

const seed = (pool: Pool, box: SecretBox, clock: Clock, url: string): Promise<void> =>
  seedSandbox(
    pool,
    box,
    {
      providers: SANDBOX_PROVIDERS,
      banks: SANDBOX_BANKS,
      demoMerchant: DEMO_MERCHANT,
      demoPayoutBalance: DEMO_PAYOUT_BALANCE,
      inboxUrl: `${url}/sandbox/inbox`,
      handshakeUrl: `${url}/sandbox/inbox/handshake`,
    },
    clock.now(),
  )

const plannedUrl = ({ publicBaseUrl, host, port }: Config): string =>
  publicBaseUrl ?? `http://${hostInUrl(host)}:${port}`
const listeningUrl = (app: FastifyInstance, host: string): string =>
  `http://${hostInUrl(host)}:${(app.server.address() as AddressInfo).port}`
/** The address that reaches us from this machine. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

async function reportAll(reportDue: () => Promise<number>): Promise<void> {
  while ((await reportDue()) > 0) {
    /* there may be more than one batch */
  }
}

/**
 * Live mode has no rail yet, so nothing is accepted there; this is for what a gateway with rails may have left behind.
 */
const noRail: Rail = {
  submit: async (orders) => orders.map(() => ({ answer: 'unreachable', error: 'no rail is configured' })),
  ask: async (orders) => orders.map(() => ({ knows: 'unreachable', error: 'no rail is configured' })),
}
