import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './accepted-encoding.ts'
import { allowOnly, send } from './app.ts'
import { failure, type Reply } from './envelope.ts'
import type { ServedFiles } from './served-files.ts'

/** All of the docs in one file that works offline. */
const ONE_FILE = fileURLToPath(new URL('../../dist/docs.html', import.meta.url))
/** A page for each guide and operation, the same as Markdown, and the assets of the pages. */
const DOCS_FOLDER = fileURLToPath(new URL('../../dist/docs/', import.meta.url))
/** Shown in a browser at an address without a page. */
const NO_PAGE_FILE = join(DOCS_FOLDER, 'assets', 'no-such-page.html')
/** What operators accept and reply, one page for each. */
const OPERATORS_FOLDER = fileURLToPath(new URL('../../dist/operators/', import.meta.url))
/** The admin API. */
const ADMIN_FILE = fileURLToPath(new URL('../../dist/admin.html', import.meta.url))
/** Valid page names: none of them leads out of the folder. */
const PAGE_NAME = /^[a-z0-9-]{1,64}$/
const ASSET_NAME = /^[a-z0-9-]{1,64}\.(?:css|js|json)$/
/** Everything comes from this origin; nothing may be loaded from or sent to another host. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
/** The same policy, with scripts and styles inside the file. */
const ONE_FILE_POLICY =
  "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:; connect-src 'self'; frame-ancestors 'none'"

/** Pages that have moved; a test compares them with the redirects that `npm run docs` writes. */
const FORMER_PAGES = { 'where-the-source-is-silent': 'what-the-description-leaves-open' }

const HTML = 'text/html'
const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
}
/** Revalidated on each request, and not sent again while it is unchanged. */
const POLL_AGAIN = 'no-cache'
/** The name contains a digest of the content, so it may be cached for a year, the longest that caches keep anything. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const NOT_BUILT = 'The docs are not built here: run npm run docs in a clone after npm ci, and copy its dist/'
const NO_PAGE = 'There is no such page in the docs: /llms.txt lists them all'
const NO_OPERATOR = 'There is no such operator in the docs'

/** A request for a file. */
interface DocsRequest {
  readonly path: string
  readonly type: string
  readonly missing: Reply
  readonly headers: Readonly<Record<string, string>>
}

/** What a request for a page of the docs may say. */
type NamedRequest = FastifyRequest<{ Params: { readonly name: string } }>

/** Serves the docs: HTML, Markdown and the assets of the pages. */
export function serveDocs(app: FastifyInstance, read: ServedFiles): void {
  const page = (path: string, missing: Reply, policy = PAGE_POLICY): DocsRequest => ({
    path,
    type: HTML,
    missing,
    headers: { 'content-security-policy': policy, 'cache-control': POLL_AGAIN },
  })
  const text = (name: string, type: string, missing: Reply): DocsRequest => ({
    path: join(DOCS_FOLDER, name),
    type,
    missing,
    headers: { 'cache-control': POLL_AGAIN },
  })
  const get = (url: string, requested: (name: string) => DocsRequest | string | undefined): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request: NamedRequest, reply) => {
        const found = requested(request.params.name)
        if (typeof found === 'string') return reply.redirect(found, 308)
        return found ? sendFile(request, reply, read, found) : sendMissing(request, reply, read, failure(404, NO_PAGE))
      },
    })
    allowOnly(app, url, ['GET', 'HEAD'])
  }
  const notBuilt = failure(503, NOT_BUILT)
  get('/docs', () => page(join(DOCS_FOLDER, 'overview.html'), notBuilt))
  get('/docs/', () => '/docs')
  get('/docs/overview', () => '/docs')
  for (const [former, current] of Object.entries(FORMER_PAGES))
    for (const suffix of ['', '.md']) get(`/docs/${former}${suffix}`, () => `/docs/${current}${suffix}`)
  get('/docs/admin', () => page(ADMIN_FILE, notBuilt, ONE_FILE_POLICY))
  get('/docs/one-file', () => page(ONE_FILE, notBuilt, ONE_FILE_POLICY))
  get('/docs/:name', (name) =>
    PAGE_NAME.test(name) ? page(join(DOCS_FOLDER, `${name}.html`), failure(404, NO_PAGE)) : undefined,
  )
  get('/docs/:name.md', (name) =>
    PAGE_NAME.test(name) ? text(`${name}.md`, 'text/markdown', failure(404, NO_PAGE)) : undefined,
  )
  get('/docs/assets/:name', (name) => {
    const type = ASSET_NAME.test(name) ? ASSET_TYPES[name.slice(name.lastIndexOf('.') + 1)] : undefined
    return type && { ...text(`assets/${name}`, type, failure(404, NO_PAGE)), headers: { 'cache-control': FOR_EVER } }
  })
  get('/docs/operators/:name', (name) =>
    page(
      join(OPERATORS_FOLDER, PAGE_NAME.test(name) ? `${name}.html` : '-'),
      failure(404, NO_OPERATOR),
      ONE_FILE_POLICY,
    ),
  )
  get('/llms.txt', () => text('llms.txt', 'text/plain', notBuilt))
}

/** Sends a file in the best accepted encoding, or 304 when the client has it. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  read: ServedFiles,
  { path, type, missing, headers }: DocsRequest,
): Promise<FastifyReply> {
  const file = await read(path)
  if (!file) return sendMissing(request, reply, read, missing)
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  const tag = `"${file.digest}${encoding === undefined ? '' : `-${encoding}`}"`
  reply.headers({ ...headers, etag: tag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (encoding === undefined) return reply.send(file.content)
  return reply.header('content-encoding', encoding).send(await file.packed(encoding))
}

/** A person gets a page with the search and the list of all pages, a program gets the envelope. */
async function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  read: ServedFiles,
  missing: Reply,
): Promise<FastifyReply> {
  const isPerson = request.headers.accept?.includes('text/html') === true
  const page = missing.status === 404 && isPerson ? await read(NO_PAGE_FILE) : undefined
  if (!page) return send(reply, missing)
  return reply
    .code(404)
    .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store', vary: 'accept' })
    .header('x-content-type-options', 'nosniff')
    .type(`${HTML}; charset=utf-8`)
    .send(page.content)
}

/** Whether the client already has this version (RFC 9110, section 13.1.2). */
const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, ''))) === true
