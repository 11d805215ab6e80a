import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DecideDeps } from '../admin/sign-in/admin-routes.ts'
import type { Config } from '../config.ts'
import { createRateLimits } from '../http/rate-limit.ts'
import { adminUrl } from './addresses.ts'
import type { CleanUp, Foundation } from './foundation.ts'

export interface AdminServer {
  /** Where people sign in. */
  readonly url: string
  /** Sandbox only, until somebody used it: the link by which the first admin sets up a sign-in. */
  readonly firstAdminLink: string | undefined
  close(): Promise<void>
}

/** Serves the sign-in on its own port, if that is on. @throws the listener's error (EADDRINUSE) */
export async function startAdmin(
  foundation: Foundation,
  decide: DecideDeps,
  cleanUp: CleanUp,
): Promise<AdminServer | undefined> {
  const { config, surroundings, sandbox, pool, clock, digests, box } = foundation
  if (config.adminPort === undefined || surroundings.role === 'worker') return undefined
  // The modules load only where people sign in.
  const [{ createAdminApp }, { createAdminApi }, { createOidc }, { firstAdminLink }] = await Promise.all([
    import('../admin/sign-in/admin-app.ts'),
    import('../admin/api/admin-api.ts'),
    import('../admin/sign-in/oidc.ts'),
    import('../admin/sign-in/first-admin.ts'),
  ])
  const { random, logger } = surroundings
  const api = await createAdminApi({
    audience: 'staff',
    pool,
    clock,
    random,
    mode: config.mode,
    secretBox: async () => box,
    settling: async () => decide,
    rateLimits: createRateLimits({ perMerchant: config.rateLimitPerSecond, perAddress: config.rateLimitPerAddress }),
    checkReplies: surroundings.checkReplies,
  })
  const baseUrl = (): string => adminUrl(config, (app.server.address() as AddressInfo | null)?.port)
  const deps = { pool, clock, random, digests, baseUrl }
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  const hasOidc = issuer !== undefined && clientId !== undefined && clientSecret !== undefined
  const app = createAdminApp({
    ...deps,
    decide,
    api,
    oidc: hasOidc ? createOidc(deps, { issuer, clientId, clientSecret }) : undefined,
    trustedProxies: config.trustedProxies,
    logger,
  })
  cleanUp.push(() => app.close())
  await listen(app, config)
  const path = sandbox ? await firstAdminLink(deps) : undefined
  return { url: baseUrl(), firstAdminLink: path && `${baseUrl()}${path}`, close: () => app.close() }
}

/** `next` is a wish: another process may have that port. */
async function listen(app: FastifyInstance, { adminHost: host, adminPort, port }: Config): Promise<void> {
  if (typeof adminPort === 'number') return void (await app.listen({ host, port: adminPort }))
  const next = port === 0 || port === 65_535 ? 0 : port + 1
  await app.listen({ host, port: next }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return app.listen({ host, port: 0 })
  })
}
