import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowOnly, send } from './app.ts'
import { serveDocs } from './docs-pages.ts'
import { failure } from './envelope.ts'
import { ICON, ICON_HEADERS, ICON_PATHS } from './icon.ts'
import { createServedFiles, type ServedFiles } from './served-files.ts'

interface RsaPublicKey {
  readonly id: string
  readonly pem: string
}

interface PagesOptions {
  /** The key that signs now. */
  readonly newestRsaKey: () => RsaPublicKey | undefined
  /** Any key that signs or has signed. */
  readonly findRsaKey: (id: string) => Promise<RsaPublicKey | 'withdrawn' | undefined>
  /** Rejects when the database does not answer. @returns why it is not ready although the database answers */
  readonly isReady: () => Promise<string | undefined>
  /** What does not work although this process is ready. */
  readonly degraded?: () => string | undefined
  /** Our address in docs, contract and samples. Known once we listen. */
  readonly baseUrl: () => string
}

/** The contract, and in the formats that other tools import. */
const CONTRACT_FILES = ['openapi.json', 'openapi-3.0.json', 'malipo.postman_collection.json'] as const
const GENERATED_FOLDER = fileURLToPath(new URL('../../generated/', import.meta.url))

/** Serves what is not in the contract: docs, contract file, RSA public keys, health, and the icon of all pages. */
export function servePages(
  app: FastifyInstance,
  { newestRsaKey, findRsaKey, isReady, degraded, baseUrl }: PagesOptions,
): void {
  const read = createServedFiles(baseUrl)
  app.addHook('onRequest', async (_request, reply) => {
    if (baseUrl().startsWith('https:')) reply.header('strict-transport-security', HTTPS_ONLY)
  })
  get(app, '/', async (_request, reply) => reply.redirect('/docs', 302))
  for (const url of ICON_PATHS) get(app, url, async (_request, reply) => reply.headers(ICON_HEADERS).send(ICON))
  serveDocs(app, read)
  serveContractFiles(app, read)
  serveRsaKeys(app, newestRsaKey, findRsaKey)
  serveHealth(app, isReady, degraded)
}

function serveContractFiles(app: FastifyInstance, read: ServedFiles): void {
  for (const name of CONTRACT_FILES)
    get(app, `/${name}`, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send((await read(join(GENERATED_FOLDER, name)))?.content),
    )
}

function serveRsaKeys(
  app: FastifyInstance,
  newestRsaKey: PagesOptions['newestRsaKey'],
  findRsaKey: PagesOptions['findRsaKey'],
): void {
  get(app, '/.well-known/malipo-rsa.pem', async (_request, reply) => sendRsaKey(reply, newestRsaKey(), 'no-cache'))
  app.route<{ Params: { rsa_key_id: string } }>({
    method: ['GET', 'HEAD'],
    url: RSA_KEY_BY_ID,
    handler: async ({ params: { rsa_key_id: id } }, reply) => {
      const key = await findRsaKey(id)
      if (key === 'withdrawn')
        return send(reply, failure(410, `RSA key (${id}) was withdrawn: trust nothing that it signed`, NO_STORE))
      return key
        ? sendRsaKey(reply, key, AN_HOUR)
        : send(reply, failure(404, `RSA key (${id}) was not found`, NO_STORE))
    },
  })
  allowOnly(app, RSA_KEY_BY_ID, ['GET', 'HEAD'])
}

/** Liveness (the process runs) and readiness (it can accept payments). */
export function serveHealth(
  app: FastifyInstance,
  isReady: PagesOptions['isReady'],
  degraded: PagesOptions['degraded'] = () => undefined,
): void {
  get(app, '/health/live', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send('{"status":"live"}'),
  )
  get(app, '/health/ready', async (_request, reply) => {
    const missing = await isReady().catch(() => 'database unavailable')
    const headers = missing === undefined ? {} : { 'retry-after': '1' }
    return reply
      .code(missing === undefined ? 200 : 503)
      .headers(headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ status: missing ?? 'ready', degraded: degraded() }))
  })
}

/** A browser that has visited uses only https for a year. */
const HTTPS_ONLY = 'max-age=31536000'

const RSA_KEY_BY_ID = '/.well-known/malipo-rsa/:rsa_key_id.pem'
/** The key of an id never changes, but it may be withdrawn: no cache serves it for longer than this after that. */
const AN_HOUR = 'public, max-age=3600'
const NO_STORE = { 'cache-control': 'no-store' }

function sendRsaKey(reply: FastifyReply, key: RsaPublicKey | undefined, cacheControl: string): FastifyReply {
  if (!key) throw new Error('there is no RSA key') // a key is created before anything is served
  return reply
    .headers({ 'cache-control': cacheControl, 'rsa-key-id': key.id })
    .type('application/x-pem-file')
    .send(key.pem)
}

/** Serves one of our pages by GET; every other method gets the same 405 as the contract's paths. */
function get(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
  allowOnly(app, url, ['GET', 'HEAD'])
}
