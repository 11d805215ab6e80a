import type { FastifyInstance } from 'fastify'
import { claimsVerdict } from '../actions/claims-verdict.ts'
import type { PaymentSteps } from '../actions/customer-steps.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { send, allowOnly } from '../http/app.ts'
import { failure } from '../http/envelope.ts'
import {
  serveOperatorCallbacks,
  type OperatorAddresses,
  type OperatorCallbackDeps,
} from '../http/operator-callbacks.ts'
import { servePages } from '../http/pages.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { MessageReception } from '../message-spool/reception.ts'
import { ownHosts } from '../own-hosts.ts'
import type { RailKind } from '../rails/rail-kind.ts'
import { servePaymentPage } from '../payment-page/payment-page.ts'
import { createInboxStore } from '../local/sandbox/inbox-store.ts'
import { serveInbox } from '../local/sandbox/inbox.ts'
import type { ClockDesk } from '../local/sandbox/serve-clock.ts'
import { sandboxForecast } from '../local/sandbox/simulator.ts'
import { findLogo } from '../storage/merchant-logos.ts'
import { firstMerchants } from '../admin/queries/merchants.ts'
import type { Config } from '../config.ts'
import type { Audience } from '../domain/people/audience.ts'
import { listenerOf, plannedSignIn } from './addresses.ts'
import type { Core } from './core.ts'
import type { Foundation } from './foundation.ts'

/** What the routes beside the contract's operations need. */
interface RouteContext {
  readonly foundation: Foundation
  readonly core: Core
  readonly paymentSteps: PaymentSteps
  /** Stores operator messages. */
  readonly reception: MessageReception
  readonly rateLimits: RateLimits
  readonly readCallback: NonNullable<Rail['readCallback']>
  readonly answerQuestion: OperatorCallbackDeps['answerQuestion']
  readonly clockDesk: () => ClockDesk | undefined
  /** Known once we listen. */
  readonly baseUrl: () => string
}

/** Adds every route of an API process to its app. */
export function serveRoutes(app: FastifyInstance, served: RouteContext): void {
  const { foundation, core, baseUrl } = served
  const { reference } = core
  servePages(app, {
    baseUrl,
    newestRsaKey: () => reference.rsaPublicKeys()[0],
    findRsaKey: reference.findRsaPublicKey,
    isReady: foundation.readiness.check,
    degraded: foundation.readiness.degraded,
  })
  servePayments(app, served)
  serveOperators(app, served)
  if (foundation.sandbox) serveSandboxInbox(app, served)
}

function servePayments(app: FastifyInstance, { foundation, paymentSteps, rateLimits }: RouteContext): void {
  const { config, surroundings, sandbox, clock, digests, pool } = foundation
  const pageBaseUrl = config.paymentPageBaseUrl ?? config.publicBaseUrl
  servePaymentPage(app, {
    ...paymentSteps,
    redirect: ({ internalReference }) => paymentSteps.redirect(internalReference),
    logo: (digest) => findLogo(pool, digest),
    csrfKey: digests('csrf', ''),
    random: surroundings.random,
    clock,
    sandbox,
    guessed: rateLimits.pageGuess,
    ...(pageBaseUrl !== undefined && { pageBaseUrl }),
    ...(sandbox && { sandboxForecast }),
  })
}

function serveOperators(
  app: FastifyInstance,
  { foundation, core, reception, rateLimits, readCallback, answerQuestion }: RouteContext,
): void {
  const { clock, metrics, surroundings } = foundation
  serveOperatorCallbacks(app, {
    addressesOf: (name) => addressesOf(core.reference.railAccounts().get(name), surroundings.railKinds),
    now: () => clock.now(),
    receive: (callback) => reception.take({ ...callback, hasVerdict: claimsVerdict({ readCallback }, callback) }),
    answerQuestion,
    counted: metrics.operatorMessage,
    guessed: rateLimits.pageGuess,
  })
}

function addressesOf(railAccount: RailAccount | undefined, kinds: readonly RailKind[]): OperatorAddresses | undefined {
  if (!railAccount) return undefined
  const kind = kinds.find(({ name }) => name === railAccount.rail)
  const { callbackTails: tails, accountTails, paymentQuestionTail: questionTail } = kind ?? {}
  return {
    keys: railAccount.callbackKeys,
    ...(tails && { tails }),
    ...(accountTails && { accountTails }),
    ...(questionTail !== undefined && { questionTail }),
  }
}

/** Where it was asked to be; unknown while the port is to be any. */
const consoleOf = (config: Config, audience: Audience): string | undefined =>
  listenerOf(config, audience).port === 0 || config.port === 0 ? undefined : plannedSignIn(config, audience)

/** The demo merchant's inbox and the other pages of the sandbox. */
function serveSandboxInbox(
  app: FastifyInstance,
  { foundation, core, clockDesk }: Pick<RouteContext, 'foundation' | 'core' | 'clockDesk'>,
): void {
  const { config, pool, clock, realClock } = foundation
  serveInbox(app, {
    inbox: createInboxStore(pool),
    pool,
    clock,
    realClock,
    clockDesk,
    scenarios: core.scenarios,
    reference: core.reference,
    accountMessages: core.accountMessages,
    merchants: (max) => firstMerchants(pool, max),
    publicBaseUrl: config.publicBaseUrl,
    allowOnly,
    consoles: { staff: consoleOf(config, 'staff'), merchants: consoleOf(config, 'merchants') },
    isOwnHost: ownHosts(config),
    refuse: (_request, reply, status, message, headers) => send(reply, failure(status, message, headers)),
  })
}
