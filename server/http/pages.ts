import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { send } from './app.ts'
import { contractText } from './contract.ts'
import { failure } from './envelope.ts'

export interface RsaPublicKey {
  readonly id: string
  readonly pem: string
}

export interface PagesOptions {
  /** The one that signs now. */
  readonly newestRsaKey: () => RsaPublicKey | undefined
  /** Any that signs or did. */
  readonly findRsaKey: (id: string) => Promise<RsaPublicKey | undefined>
  /** Resolves when the database answers. */
  readonly isReady: () => Promise<void>
}

const DOCS_FILE = fileURLToPath(new URL('../../dist/docs.html', import.meta.url))
// The one offline page carries its script and styles inside; nothing may come from or go to another host.
const DOCS_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:; connect-src 'self'; frame-ancestors 'none'"

/** What is served beside the contract: docs, contract file, RSA public keys, health. */
export function servePages(app: FastifyInstance, { newestRsaKey, findRsaKey, isReady }: PagesOptions): void {
  get(app, '/', async (_request, reply) => reply.redirect('/docs', 302))
  get(app, '/docs', async (_request, reply) => {
    if (!(await stat(DOCS_FILE).catch(() => undefined))) return send(reply, failure(503, 'The docs are not built yet: run npm run docs'))
    return reply.type('text/html; charset=utf-8').header('content-security-policy', DOCS_POLICY).header('x-content-type-options', 'nosniff').send(createReadStream(DOCS_FILE))
  })
  get(app, '/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(contractText))
  get(app, '/.well-known/malipo-rsa.pem', async (_request, reply) => sendRsaKey(reply, newestRsaKey(), 'no-cache'))
  app.route<{ Params: { rsa_key_id: string } }>({ method: ['GET', 'HEAD'], url: RSA_KEY_BY_ID, handler: async ({ params: { rsa_key_id: id } }, reply) => {
    const key = await findRsaKey(id)
    return key ? sendRsaKey(reply, key, FOR_EVER) : send(reply, failure(404, `RSA key (${id}) was not found`, { 'cache-control': 'no-store' }))
  } })
  allowOnly(app, RSA_KEY_BY_ID, ['GET', 'HEAD'])
  get(app, '/health/live', async (_request, reply) => reply.type('application/json; charset=utf-8').send('{"status":"live"}'))
  get(app, '/health/ready', async (_request, reply) => {
    const ready = await isReady().then(() => true, () => false)
    return reply.code(ready ? 200 : 503).headers(ready ? {} : { 'retry-after': '1' }).type('application/json; charset=utf-8').send(JSON.stringify({ status: ready ? 'ready' : 'database unavailable' }))
  })
}

const RSA_KEY_BY_ID = '/.well-known/malipo-rsa/:rsa_key_id.pem'
/** The key of an id never changes (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable'

function sendRsaKey(reply: FastifyReply, key: RsaPublicKey | undefined, cacheControl: string): FastifyReply {
  if (!key) throw new Error('there is no RSA key') // one is made before anything is served
  return reply.headers({ 'cache-control': cacheControl, 'rsa-key-id': key.id }).type('application/x-pem-file').send(key.pem)
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
