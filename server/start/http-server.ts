import type { FastifyInstance } from 'fastify'
import type { PaymentSteps } from '../actions/customer-steps.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { Wake } from '../actions/ports/wake.ts'
import { OverloadControl, type Admission } from '../http/admission.ts'
import { createApi, type Api } from '../http/api.ts'
import type { OperatorCallbackDeps } from '../http/operator-callbacks.ts'
import { createApp } from '../http/app.ts'
import { createHandlers } from '../http/handlers/index.ts'
import { createAccountHolderQueries } from '../admin/queries/account-holders.ts'
import { createMerchantLists } from '../admin/queries/merchant-lists.ts'
import { createRateLimits, type RateLimits } from '../http/rate-limit.ts'
import { lostPages, unreadablePages } from '../payment-page/lost.ts'
import { createMessageSigner } from '../callbacks/sign.ts'
import { createAcceptance } from '../storage/accept-transactions.ts'
import { createPayoutBatches } from '../storage/payout-batches.ts'
import { listeningUrl } from './addresses.ts'
import type { ClockDesk } from '../local/sandbox/serve-clock.ts'
import type { Core } from './core.ts'
import type { CleanUp, Foundation } from './foundation.ts'
import type { OpenSpool } from './message-spool.ts'
import { inBursts } from './repeat.ts'
import { serveRoutes } from './routes.ts'
import { systemTimers } from './timers.ts'

/**
 * The grace period of running requests; then their connections are closed, because a half-sent request would delay the
 * stop for ever.
 */
const REQUEST_GRACE_MS = 3_000
const REFUSED_LOG_MS = 10_000

export interface HttpParts {
  readonly foundation: Foundation
  readonly core: Core
  readonly paymentSteps: PaymentSteps
  readonly wake: Wake
  readonly readCallback: NonNullable<Rail['readCallback']>
  readonly answerQuestion: OperatorCallbackDeps['answerQuestion']
  readonly traitsOf: Rail['traitsOf']
  readonly holderQuery: NonNullable<Rail['holderQuery']>
  readonly messages: Pick<OpenSpool, 'reception'>
  /** Of the sandbox. */
  readonly clockDesk: () => ClockDesk | undefined
}

export interface HttpServer {
  readonly admission: Admission
  /** Where others reach it: PUBLIC_BASE_URL, else where it listens. */
  readonly url: string
  readonly listeningUrl: string
  close(): Promise<void>
}

/** The API, the payment page and the other routes. @throws the listener's error (EADDRINUSE) */
export async function startHttp(
  { foundation, core, paymentSteps, wake, messages, readCallback, answerQuestion, clockDesk, ...rail }: HttpParts,
  cleanUp: CleanUp,
): Promise<HttpServer> {
  const { config, surroundings, metrics } = foundation
  const rateLimits = createRateLimits({
    perMerchant: config.rateLimitPerSecond,
    perAddress: config.rateLimitPerAddress,
  })
  const refused = inBursts(REFUSED_LOG_MS, (requests, delayMs: number) =>
    surroundings.logger.warn({ requests, delayMs }, 'payments were refused: more arrive than the workers carry'),
  )
  const admission = new OverloadControl(systemTimers, config.jobDelayMsMax, refused)
  const baseUrl = (): string => config.publicBaseUrl ?? listeningUrl(server, config.host)
  const server: FastifyInstance = createApp({
    api: await apiOf({ foundation, core, wake, ...rail }, { rateLimits, admission }, baseUrl),
    random: surroundings.random,
    logger: surroundings.logger,
    answered: metrics.answered,
    trustedProxies: config.trustedProxies,
    connectionsPerAddressMax: config.connectionsPerAddressMax,
    isEnding: foundation.readiness.isEnding,
    lost: lostPages(config),
    unreadable: unreadablePages(config),
    routes: (app) =>
      serveRoutes(app, {
        foundation,
        core,
        paymentSteps,
        reception: messages.reception,
        rateLimits,
        readCallback,
        answerQuestion,
        clockDesk,
        baseUrl,
      }),
  })
  cleanUp.push(() => server.close())
  await server.listen({ host: config.host, port: config.port })
  return {
    admission,
    url: baseUrl(),
    listeningUrl: listeningUrl(server, config.host),
    async close() {
      const cut = setTimeout(() => server.server.closeAllConnections(), REQUEST_GRACE_MS)
      await server.close()
      clearTimeout(cut)
    },
  }
}

function apiOf(
  { foundation, core, wake, ...rail }: Pick<HttpParts, 'foundation' | 'core' | 'wake' | 'traitsOf' | 'holderQuery'>,
  limits: { readonly rateLimits: RateLimits; readonly admission: Admission },
  baseUrl: () => string,
): Promise<Api> {
  const { config, surroundings, pool, box, digests, metrics, tracing, months } = foundation
  return createApi({
    reference: core.reference,
    digest: (text) => digests('idempotency', text),
    checkReplies: surroundings.checkReplies,
    trace: tracing.traceRequest,
    ...limits,
    handlers: createHandlers({
      ...core,
      rail,
      lists: createMerchantLists(pool),
      holders: createAccountHolderQueries(pool, box, digests),
      holderQueriesMax: config.holderQueriesMax,
      messageSigner: createMessageSigner(core),
      acceptance: metrics.instrumentAcceptance(createAcceptance(pool, wake, metrics.acceptBatch, months.make)),
      batches: createPayoutBatches(pool, wake, months.make),
      allowLoopbackRedirect: config.mode !== 'live',
      paymentUrl: (internalReference) =>
        `${config.paymentPageBaseUrl ?? baseUrl()}/pay/collection/${internalReference}`,
    }),
  })
}
