import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { send } from './app.ts'
import { contractText } from './contract.ts'
import { failure, type Reply } from './envelope.ts'
import { addressed, createServedFiles, type ServedFiles } from './served-files.ts'

export interface RsaPublicKey {
  readonly id: string
  readonly pem: string
}

export interface PagesOptions {
  /** The one that signs now. */
  readonly newestRsaKey: () => RsaPublicKey | undefined
  /** Any that signs or did. */
  readonly findRsaKey: (id: string) => Promise<RsaPublicKey | 'withdrawn' | undefined>
  /** Rejects when the database does not answer. @returns why it is not ready all the same */
  readonly isReady: () => Promise<string | undefined>
  /** What docs, contract and samples name as our address. Known once we listen. */
  readonly baseUrl: () => string
}

const DOCS_FILE = fileURLToPath(new URL('../../dist/docs.html', import.meta.url))
/** The same pages as Markdown files, for programs that read. */
const MARKDOWN_FOLDER = fileURLToPath(new URL('../../dist/docs/', import.meta.url))
/** The contract in the forms that other tools import. */
const EXPORTS = ['openapi-3.0.json', 'malipo.postman_collection.json'] as const
const GENERATED_FOLDER = fileURLToPath(new URL('../../generated/', import.meta.url))
const MARKDOWN_PAGE = '/docs/:page.md'
/** What operators take and answer, a page for each. */
const OPERATORS_FOLDER = fileURLToPath(new URL('../../dist/operators/', import.meta.url))
const OPERATOR_PAGE = '/docs/operators/:operator'
/** What a page can be called: nothing that leads out of the folder. */
const PAGE_NAME = /^[a-z0-9-]{1,64}$/
// The one offline page carries its script and styles inside; nothing may come from or go to another host.
const DOCS_POLICY =
  "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:; connect-src 'self'; frame-ancestors 'none'"

/** What is served beside the contract: docs, contract file, RSA public keys, health. */
export function servePages(app: FastifyInstance, { newestRsaKey, findRsaKey, isReady, baseUrl }: PagesOptions): void {
  const read = createServedFiles(baseUrl)
  app.addHook('onRequest', async (_request, reply) => {
    if (baseUrl().startsWith('https:')) reply.header('strict-transport-security', HTTPS_ONLY)
  })
  get(app, '/', async (_request, reply) => reply.redirect('/docs', 302))
  serveDocs(app, read)
  serveContractFiles(app, read, baseUrl)
  serveRsaKeys(app, newestRsaKey, findRsaKey)
  serveHealth(app, isReady)
}

function serveDocs(app: FastifyInstance, read: ServedFiles): void {
  const sendText = async (reply: FastifyReply, type: string, name: string, missing: Reply): Promise<FastifyReply> => {
    const content = await read(join(MARKDOWN_FOLDER, name))
    if (!content) return send(reply, missing)
    return reply.type(`${type}; charset=utf-8`).header('x-content-type-options', 'nosniff').send(content)
  }
  const sendPage = async (reply: FastifyReply, path: string, missing: Reply): Promise<FastifyReply> => {
    const docs = await read(path)
    if (!docs) return send(reply, missing)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY)
      .header('x-content-type-options', 'nosniff')
      .send(docs)
  }
  get(app, '/docs', async (_request, reply) => sendPage(reply, DOCS_FILE, failure(503, NOT_BUILT)))
  app.route<{ Params: { operator: string } }>({
    method: ['GET', 'HEAD'],
    url: OPERATOR_PAGE,
    handler: async ({ params: { operator } }, reply) => {
      const missing = failure(404, 'There is no such operator in the docs')
      return PAGE_NAME.test(operator)
        ? sendPage(reply, join(OPERATORS_FOLDER, `${operator}.html`), missing)
        : send(reply, missing)
    },
  })
  allowOnly(app, OPERATOR_PAGE, ['GET', 'HEAD'])
  get(app, '/llms.txt', async (_request, reply) => sendText(reply, 'text/plain', 'llms.txt', failure(503, NOT_BUILT)))
  app.route<{ Params: { page: string } }>({
    method: ['GET', 'HEAD'],
    url: MARKDOWN_PAGE,
    handler: async ({ params: { page } }, reply) => {
      const missing = failure(404, 'There is no such page in the docs: /llms.txt lists them all')
      return PAGE_NAME.test(page) ? sendText(reply, 'text/markdown', `${page}.md`, missing) : send(reply, missing)
    },
  })
  allowOnly(app, MARKDOWN_PAGE, ['GET', 'HEAD'])
}

function serveContractFiles(app: FastifyInstance, read: ServedFiles, baseUrl: () => string): void {
  let contract: Buffer | undefined
  get(app, '/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((contract ??= addressed(contractText, baseUrl()))),
  )
  for (const name of EXPORTS)
    get(app, `/${name}`, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await read(join(GENERATED_FOLDER, name))),
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

function serveHealth(app: FastifyInstance, isReady: PagesOptions['isReady']): void {
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
      .send(JSON.stringify({ status: missing ?? 'ready' }))
  })
}

const NOT_BUILT = 'The docs are not built yet: run npm run docs'
/** A browser that has been here comes back by https only, for a year. */
const HTTPS_ONLY = 'max-age=31536000'

const RSA_KEY_BY_ID = '/.well-known/malipo-rsa/:rsa_key_id.pem'
/** The key of an id never changes, but it may be withdrawn: no cache serves it for longer than this after that. */
const AN_HOUR = 'public, max-age=3600'
const NO_STORE = { 'cache-control': 'no-store' }

function sendRsaKey(reply: FastifyReply, key: RsaPublicKey | undefined, cacheControl: string): FastifyReply {
  if (!key) throw new Error('there is no RSA key') // one is made before anything is served
  return reply
    .headers({ 'cache-control': cacheControl, 'rsa-key-id': key.id })
    .type('application/x-pem-file')
    .send(key.pem)
}

/** A page of ours by GET; every other method gets the same 405 as the contract's paths. */
function get(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
  allowOnly(app, url, ['GET', 'HEAD'])
}

/** Answers 405 with the exact `Allow` to all other methods of a route. */
export function allowOnly(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = methods.join(', ')
  app.route({
    method: app.supportedMethods.filter((method) => !methods.includes(method)),
    url,
    handler: async (request, reply) =>
      send(reply, failure(405, `${request.method} is not allowed here: use ${allow}`, { allow })),
  })
}
