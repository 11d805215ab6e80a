import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { send } from './app.ts'
import { contractText } from './contract.ts'
import { failure } from './envelope.ts'

export interface PagesOptions {
  readonly rsaPublicPem: () => string
  /** Resolves when the database answers. */
  readonly isReady: () => Promise<void>
}

const DOCS_FILE = fileURLToPath(new URL('../../dist/docs.html', import.meta.url))
// The one offline page carries its script and styles inside; nothing may come from or go to another host.
const DOCS_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:; connect-src 'self'; frame-ancestors 'none'"

/** What is served beside the contract: docs, contract file, RSA public key, health. */
export function servePages(app: FastifyInstance, { rsaPublicPem, isReady }: PagesOptions): void {
  get(app, '/', async (_request, reply) => reply.redirect('/docs', 302))
  get(app, '/docs', async (_request, reply) => {
    if (!(await stat(DOCS_FILE).catch(() => undefined))) return send(reply, failure(503, 'The docs are not built yet: run npm run docs'))
    return reply.type('text/html; charset=utf-8').header('content-security-policy', DOCS_POLICY).header('x-content-type-options', 'nosniff').send(createReadStream(DOCS_FILE))
  })
  get(app, '/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(contractText))
  get(app, '/.well-known/malipo-rsa.pem', async (_request, reply) => reply.type('application/x-pem-file').send(rsaPublicPem()))
  get(app, '/health/live', async (_request, reply) => reply.type('application/json; charset=utf-8').send('{"status":"live"}'))
  get(app, '/health/ready', async (_request, reply) => {
    const ready = await isReady().then(() => true, () => false)
    return reply.code(ready ? 200 : 503).headers(ready ? {} : { 'retry-after': '1' }).type('application/json; charset=utf-8').send(JSON.stringify({ status: ready ? 'ready' : 'database unavailable' }))
  })
}

/** A page of ours by GET; every other method gets the same 405 as the contract's paths. */
function get(app: FastifyInstance, url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
  allowOnly(app, url, ['GET', 'HEAD'])
}

/** Answers 405 with the exact `Allow` to all other methods of a route. */
export function allowOnly(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = methods.join(', ')
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    handler: async (request, reply) => send(reply, failure(405, `${request.method} is not allowed here: use ${allow}`, { allow })),
  })
}
