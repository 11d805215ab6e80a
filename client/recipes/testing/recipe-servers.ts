import { createServer, type Server } from 'node:http'
import { standardServer } from './standard-server.ts'

/** The server of each recipe, not listening yet. */
export const recipeServers = {
  express: async () => createServer((await import('../express.ts')).app),
  fastify: async () => {
    const { app } = await import('../fastify.ts')
    await app.ready()
    return app.server
  },
  hono: async () => {
    const { app } = await import('../hono.ts')
    return standardServer(async (request) => app.fetch(request))
  },
  next: async () => {
    const { callbacks, handshake, paid } = await import('../next.ts')
    const routes = new Map([
      ['/callbacks', callbacks],
      ['/handshake', handshake],
      ['/paid', paid],
    ])
    return standardServer(
      async (request) => routes.get(new URL(request.url).pathname)?.(request) ?? new Response(null, { status: 404 }),
    )
  },
  'node-http': async () => (await import('../node-http.ts')).server,
} as const satisfies Readonly<Record<string, () => Promise<Server>>>

export type Recipe = keyof typeof recipeServers
export const RECIPES: readonly Recipe[] = ['express', 'fastify', 'hono', 'next', 'node-http']
