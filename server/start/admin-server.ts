import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { SettleDeps } from '../actions/settle-results.ts'
import type { OidcSettings } from '../admin/sign-in/oidc.ts'
import type { ConsoleDeps } from '../admin/console/console-routes.ts'
import type { RailDesk } from '../admin/operations/rail-desk.ts'
import type { Config } from '../config.ts'
import type { Audience } from '../domain/people/audience.ts'
import { createRateLimits } from '../http/rate-limit.ts'
import { findLogo } from '../storage/merchant-logos.ts'
import { listenerOf, plannedSignIn, signInUrl } from './addresses.ts'
import type { Core } from './core.ts'
import type { CleanUp, Foundation } from './foundation.ts'

/** What settles payments, besides the store of a change's own transaction. */
type DecideDeps = Omit<SettleDeps, 'store'>

/** The console, the admin API and the sign-in of one audience. */
export interface AdminServer {
  /** Where people sign in. */
  readonly url: string
  /** Sandbox only, for staff, until somebody used it: the link by which the first admin sets up a sign-in. */
  readonly firstAdminLink: string | undefined
  close(): Promise<void>
}

interface ConsoleParts {
  readonly decide: DecideDeps & Pick<Core, 'reference'>
  readonly rails: RailDesk
  /** Of the gateway. */
  readonly url: string
}

/** Serves both audiences, each where that is on. @throws the listener's error (EADDRINUSE) */
export async function startConsoles(foundation: Foundation, parts: ConsoleParts, cleanUp: CleanUp) {
  const admin = await startAdmin(foundation, parts, cleanUp, 'staff')
  const console = await startAdmin(foundation, parts, cleanUp, 'merchants')
  return { served: { admin, console }, close: () => Promise.all([admin?.close(), console?.close()]) }
}

async function startAdmin(
  foundation: Foundation,
  { decide, rails, url }: ConsoleParts,
  cleanUp: CleanUp,
  audience: Audience,
): Promise<AdminServer | undefined> {
  const { config, surroundings, sandbox, pool, clock, realClock, digests } = foundation
  if (listenerOf(config, audience).port === undefined || surroundings.role === 'worker') return undefined
  // The modules load only where people sign in.
  const [{ createAdminApp }, { createOidc }, { firstAdminLink }] = await Promise.all([
    import('../admin/console/admin-app.ts'),
    import('../admin/sign-in/oidc.ts'),
    import('../admin/sign-in/first-admin.ts'),
  ])
  const { random, logger, passwordCost } = surroundings
  const baseUrl = (): string => signInUrl(config, audience, (app.server.address() as AddressInfo | null)?.port)
  const deps = {
    pool,
    clock,
    realClock,
    random,
    digests,
    baseUrl,
    audience,
    isSandbox: sandbox,
    passwordCost,
    ...(sandbox && { inboxUrl: `${url}/sandbox/inbox` }),
  }
  const identityProvider = identityProviderOf(config)
  const api = await apiOf(foundation, { decide, rails }, audience, baseUrl)
  const app = createAdminApp({
    ...deps,
    api,
    logo: (digest) => findLogo(pool, digest),
    ...(sandbox && { phone: await phoneOf({ pool, clock }) }),
    isPlayground:
      sandbox &&
      isLoopback(listenerOf(config, audience).host) &&
      isLoopback(new URL(signInUrl(config, audience)).hostname),
    oidc: identityProvider && createOidc(deps, identityProvider),
    trustedProxies: config.trustedProxies,
    logger,
  })
  cleanUp.push(() => app.close())
  await listen(app, config, audience)
  const path = sandbox && audience === 'staff' ? await firstAdminLink(deps) : undefined
  return { url: baseUrl(), firstAdminLink: path && `${baseUrl()}${path}`, close: () => app.close() }
}

async function apiOf(
  foundation: Foundation,
  { decide, rails }: Pick<ConsoleParts, 'decide' | 'rails'>,
  audience: Audience,
  baseUrl: () => string,
) {
  const { config, surroundings, pool, clock, digests, box } = foundation
  const [{ createAdminApi }, { linkMaker }, { createTestReceiver }] = await Promise.all([
    import('../admin/api/admin-api.ts'),
    import('../admin/sign-in/links.ts'),
    import('./test-receiver.ts'),
  ])
  const { random, checkReplies } = surroundings
  return createAdminApi({
    audience,
    pool,
    clock,
    random,
    mode: config.mode,
    secretBox: async () => box,
    settling: async () => decide,
    dailyLimitShare: config.dailyLimitShare,
    digests,
    signInLink: linkMaker({
      random,
      clock,
      baseUrl: (of) => (of === audience ? baseUrl() : plannedSignIn(config, of)),
    }),
    rails,
    testReceiver: createTestReceiver(foundation, decide),
    rateLimits: createRateLimits({ perMerchant: config.rateLimitPerSecond, perAddress: config.rateLimitPerAddress }),
    checkReplies,
  })
}

/** All of its settings, or none counts. */
const identityProviderOf = (config: Config): OidcSettings | undefined => {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  return issuer !== undefined && clientId !== undefined && clientSecret !== undefined
    ? { issuer, clientId, clientSecret }
    : undefined
}

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

async function phoneOf(deps: Pick<Foundation, 'pool' | 'clock'>): Promise<NonNullable<ConsoleDeps['phone']>> {
  const { decideOnPhone, waitingOnPhone } = await import('../local/sandbox/phone.ts')
  return {
    waits: async (reference) => (await waitingOnPhone(deps, [reference])).has(reference),
    decide: (order, decision) => decideOnPhone(deps, order, decision),
  }
}

/** `next` is a wish: another process may have that port. */
async function listen(app: FastifyInstance, config: Config, audience: Audience): Promise<void> {
  const { host, port, offset } = listenerOf(config, audience)
  if (typeof port === 'number') return void (await app.listen({ host, port }))
  const next = config.port === 0 || config.port + offset > 65_535 ? 0 : config.port + offset
  await app.listen({ host, port: next }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return app.listen({ host, port: 0 })
  })
}
