import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { buildDocs } from '../../openapi/docs/build.ts'
import { FORMER_PAGES } from '../../openapi/docs/former-pages.ts'
import { buildOtherDocs } from '../../openapi/operators/docs/build.ts'
import { OPERATORS } from '../../openapi/operators/operators.ts'
import { startTestGateway } from '../verification/testing/gateway.ts'
import { ICON_HEADERS, ICON_LINK } from './icon.ts'
import { createServedFiles } from './served-files.ts'
import { gatewayTest } from '../verification/testing/gateway-test.ts'
import { createTestDatabase } from '../verification/testing/database.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))
const DOCS = `${DIST}docs/`

// `npm ci` has built the docs; somebody may have emptied the folder since.
if (!existsSync(`${DOCS}llms.txt`)) buildDocs(DIST)
if (!existsSync(`${DIST}admin.html`)) buildOtherDocs(DIST, new Date())
const { gateway } = await gatewayTest()
const { path: folder } = temporaryFolder()

/** One of our files as this gateway serves it. */
const atHome = (written: string): string => written.replaceAll('http://127.0.0.1:8080', gateway.url)

const get = (path: string, method = 'GET') => fetch(gateway.url + path, { method })

test('every page of the docs is served as Markdown, and llms.txt lists each of them', async () => {
  const list = await get('/llms.txt')
  expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const listed = [...(await list.text()).matchAll(/\((\/docs\/[^)]+\.md)\)/g)].map(([, path = '']) => path)
  expect(listed.toSorted()).toEqual(
    readdirSync(DOCS)
      .filter((file) => file.endsWith('.md'))
      .map((file) => `/docs/${file}`)
      .toSorted(),
  )
  for (const path of listed) {
    const reply = await get(path)
    expect([
      path,
      reply.status,
      reply.headers.get('content-type'),
      reply.headers.get('x-content-type-options'),
    ]).toEqual([path, 200, 'text/markdown; charset=utf-8', 'nosniff'])
    expect(await reply.text()).toBe(atHome(readFileSync(`${DIST}${path.slice(1)}`, 'utf8')))
  }
})

test.each([
  '/docs/no-such-page.md',
  '/docs/..%2fdocs.md',
  '/docs/%2e%2e%2f%2e%2e%2fREADME.md',
  '/docs/Errors.md',
  '/docs/.md',
  `/docs/${'a'.repeat(200)}.md`,
  '/docs/nothing',
  '/docs/Errors',
  '/docs/errors.html',
  '/docs/assets/..%2ferrors.md',
  '/docs/assets/none.js',
  '/docs/assets/',
  '/docs/operators/nobody',
  '/docs/operators/..%2fdocs',
  '/docs/operators/mtn-momo.html',
])('%s: an unknown page of the docs is 404 in the envelope', async (path) => {
  const reply = await get(path)
  expect([reply.status, await reply.json()]).toEqual([
    404,
    expect.objectContaining({ code: 404, status: 'error', data: {} }),
  ])
})

test.each(['openapi-3.0.json', 'malipo.postman_collection.json'])('%s is served as it was generated', async (name) => {
  const reply = await get(`/${name}`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(await reply.text()).toBe(atHome(readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8')))
})

/** The expected addresses that occur in the text: a whole page is too long to print on a failure. */
const addressesIn = (text: string): string[] =>
  [gateway.url, 'https://pay.example', 'http://127.0.0.1:8080'].filter((url) => new RegExp(`${url}(?!\\d)`).test(text))
const PATHS = [
  '/docs/first-collection',
  '/docs/one-file',
  '/docs/first-collection.md',
  '/openapi.json',
  '/openapi-3.0.json',
  '/malipo.postman_collection.json',
]

test.each(PATHS)('%s names the address that serves it, also when the system chose the port', async (path) => {
  const served = await (await get(path)).text()
  expect(addressesIn(served)).toEqual([gateway.url])
})

test('the contract and its samples name PUBLIC_BASE_URL where there is one', async () => {
  const own = await createTestDatabase()
  const published = await startTestGateway({
    connection: own.connection,
    env: { PUBLIC_BASE_URL: 'https://pay.example', PORT: '0' },
  })
  try {
    const {
      rows: [address],
    } = await published.pool.query<{ collection_callback_url: string }>(
      `select collection_callback_url from merchants where public_key = 'pub_sandbox_demo'`,
    )
    expect([published.url, address!.collection_callback_url]).toEqual([
      'https://pay.example',
      'https://pay.example/sandbox/inbox',
    ])
    for (const path of PATHS) {
      const reply = await fetch(published.listeningUrl! + path)
      expect(reply.headers.get('strict-transport-security'), path).toBe('max-age=31536000')
      const served = await reply.text()
      expect(addressesIn(served), path).toEqual(['https://pay.example'])
      if (path === '/openapi.json')
        expect(JSON.parse(served)).toMatchObject({ servers: [{ url: 'https://pay.example' }] })
    }
    expect((await get('/docs')).headers.get('strict-transport-security')).toBeNull()
  } finally {
    await published.stop()
    await own.drop()
  }
})

test.each([...OPERATORS.map((operator) => `operators/${operator}`), 'admin'])(
  'the docs have a page of %s',
  async (name) => {
    const reply = await get(`/docs/${name}`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await reply.text()).toBe(atHome(readFileSync(`${DIST}${name}.html`, 'utf8')))
  },
)

test('docs that were rebuilt are served anew', async () => {
  const [file, read] = [join(folder, 'page.md'), createServedFiles(() => 'http://127.0.0.1:9000')]
  expect(await read(file)).toBeUndefined()
  writeFileSync(file, 'curl http://127.0.0.1:8080/docs, not http://127.0.0.1:80801')
  expect(String((await read(file))?.content)).toBe('curl http://127.0.0.1:9000/docs, not http://127.0.0.1:80801')
  expect(await read(file)).toBe(await read(file))
  writeFileSync(file, 'new')
  utimesSync(file, 1, 1)
  expect(String((await read(file))?.content)).toBe('new')
})

test.each([
  '/docs',
  '/docs/errors',
  '/docs/one-file',
  '/docs/errors.md',
  '/docs/operators/daraja',
  '/llms.txt',
  '/openapi-3.0.json',
  '/favicon.svg',
  '/favicon.ico',
])('%s: by GET and HEAD only', async (path) => {
  expect([(await get(path, 'HEAD')).status, await (await get(path, 'HEAD')).text()]).toEqual([200, ''])
  const refused = await get(path, 'POST')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each(['/favicon.svg', '/favicon.ico'])('%s is the icon, cached for a day', async (path) => {
  const { status, headers } = await get(path)
  expect([status, Object.fromEntries(headers)]).toEqual([200, expect.objectContaining(ICON_HEADERS)])
})

test.each(['/docs', '/sandbox/inbox', '/pay/nothing'])('%s names the icon, and its policy allows it', async (path) => {
  const page = await get(path)
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
  expect(await page.text()).toContain(ICON_LINK)
})

test('the docs may connect only to the gateway that serves them', async () => {
  const policy = (await get('/docs')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:|\*/)
})

/** The raw reply: nothing is decompressed, no redirect is followed. */
async function raw(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { statusCode, headers: received, body } = await request(gateway.url + path, { headers })
  return { status: statusCode, headers: received, body: Buffer.from(await body.arrayBuffer()) }
}
const pages = readdirSync(DOCS)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.replace(/\.html$/, ''))
  .filter((name) => !(name in FORMER_PAGES))
const addressOf = (page: string): string => (page === 'overview' ? '/docs' : `/docs/${page}`)
const written = (name: string): string => atHome(readFileSync(`${DOCS}${name}`, 'utf8'))
const [style = ''] = readdirSync(`${DOCS}assets`).filter((name) => name.endsWith('.css'))

test('each page has its own address and a policy that admits nothing else', async () => {
  expect(pages).toContain('send-funds')
  for (const page of pages) {
    const reply = await raw(addressOf(page))
    expect([page, reply.status, reply.headers['content-type']]).toEqual([page, 200, 'text/html; charset=utf-8'])
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    expect(reply.headers['cache-control']).toBe('no-cache')
    expect(String(reply.body) === written(`${page}.html`), page).toBe(true)
  }
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('serves a page compressed by %s on request, with the same content', async (encoding, unpack) => {
  const reply = await raw('/docs/errors', { 'accept-encoding': encoding })
  expect([reply.headers['content-encoding'], reply.headers.vary]).toEqual([encoding, 'accept-encoding'])
  expect(String(unpack(reply.body))).toBe(written('errors.html'))
  expect(reply.body.length).toBeLessThan(written('errors.html').length / 2)
})

test('answers 304 for what a reader has, in each encoding', async () => {
  const tags: unknown[] = []
  for (const accepted of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': accepted }
    const { etag } = (await raw('/docs/errors', headers)).headers
    tags.push(etag)
    for (const known of [etag, `"other", ${String(etag)}`, `W/${String(etag)}`, '*']) {
      const again = await raw('/docs/errors', { ...headers, 'if-none-match': String(known) })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    }
    expect((await raw('/docs/money', { ...headers, 'if-none-match': String(etag) })).status).toBe(200)
  }
  expect(new Set(tags).size).toBe(3)
})

test('page assets are cached for ever, because their name contains their digest', async () => {
  const reply = await raw(`/docs/assets/${style}`)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(String(reply.body)).toBe(readFileSync(`${DOCS}assets/${style}`, 'utf8'))
})

test.each(['/docs/', '/docs/overview'])('%s leads to the start page', async (path) => {
  const { status, headers } = await raw(path)
  expect([status, headers.location]).toEqual([308, '/docs'])
})

test.each(Object.entries(FORMER_PAGES))(
  'redirects the former page %s, as the built docs do',
  async (former, current) => {
    for (const suffix of ['', '.md']) {
      const { status, headers } = await raw(`/docs/${former}${suffix}`)
      expect([status, headers.location]).toEqual([308, `/docs/${current}${suffix}`])
    }
  },
)

test('a person who opens an unknown page gets a page with links', async () => {
  for (const path of ['/docs/nothing', '/docs/Errors', '/docs/operators/nobody']) {
    const { status, headers, body } = await raw(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(String(body)).toContain('<h1>There is no such page</h1>')
    expect(String(body)).toContain('href="/docs/errors"')
  }
})

test('serves all of it as one file', async () => {
  const { headers, body } = await raw('/docs/one-file')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body.length).toBeGreaterThan(1_000_000)
})
