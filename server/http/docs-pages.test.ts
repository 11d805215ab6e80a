import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { buildDocs } from '../../openapi/docs/build.ts'
import { FORMER_PAGES } from '../../openapi/docs/former-pages.ts'
import { gatewayTest } from '../verification/testing/gateway-test.ts'

const DOCS = fileURLToPath(new URL('../../dist/docs/', import.meta.url))
// `npm ci` has built the docs; somebody may have emptied the folder since.
if (!existsSync(`${DOCS}overview.html`)) buildDocs(fileURLToPath(new URL('../../dist/', import.meta.url)))
const { gateway } = await gatewayTest()

/** The raw reply: nothing is decompressed, no redirect is followed. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { statusCode, headers: received, body } = await request(gateway.url + path, { headers })
  return { status: statusCode, headers: received, body: Buffer.from(await body.arrayBuffer()) }
}
const pages = readdirSync(DOCS)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.replace(/\.html$/, ''))
  .filter((name) => !(name in FORMER_PAGES))
const addressOf = (page: string): string => (page === 'overview' ? '/docs' : `/docs/${page}`)
const written = (name: string): string =>
  readFileSync(`${DOCS}${name}`, 'utf8').replaceAll('http://127.0.0.1:8080', gateway.url)
const [style = ''] = readdirSync(`${DOCS}assets`).filter((name) => name.endsWith('.css'))

test('each page has its own address and a policy that admits nothing else', async () => {
  expect(pages).toContain('send-funds')
  for (const page of pages) {
    const reply = await get(addressOf(page))
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
  const reply = await get('/docs/errors', { 'accept-encoding': encoding })
  expect([reply.headers['content-encoding'], reply.headers.vary]).toEqual([encoding, 'accept-encoding'])
  expect(String(unpack(reply.body))).toBe(written('errors.html'))
  expect(reply.body.length).toBeLessThan(written('errors.html').length / 2)
})

test('answers 304 for what a reader has, in each encoding', async () => {
  const tags: unknown[] = []
  for (const accepted of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': accepted }
    const { etag } = (await get('/docs/errors', headers)).headers
    tags.push(etag)
    for (const known of [etag, `"other", ${String(etag)}`, `W/${String(etag)}`, '*']) {
      const again = await get('/docs/errors', { ...headers, 'if-none-match': String(known) })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    }
    expect((await get('/docs/money', { ...headers, 'if-none-match': String(etag) })).status).toBe(200)
  }
  expect(new Set(tags).size).toBe(3)
})

test('page assets are cached for ever, because their name contains their digest', async () => {
  const reply = await get(`/docs/assets/${style}`)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(String(reply.body)).toBe(readFileSync(`${DOCS}assets/${style}`, 'utf8'))
})

test.each(['/docs/', '/docs/overview'])('%s leads to the start page', async (path) => {
  const { status, headers } = await get(path)
  expect([status, headers.location]).toEqual([308, '/docs'])
})

test.each(Object.entries(FORMER_PAGES))(
  'redirects the former page %s, as the built docs do',
  async (former, current) => {
    for (const suffix of ['', '.md']) {
      const { status, headers } = await get(`/docs/${former}${suffix}`)
      expect([status, headers.location]).toEqual([308, `/docs/${current}${suffix}`])
    }
  },
)

test.each([
  '/docs/nothing',
  '/docs/Errors',
  '/docs/errors.html',
  '/docs/assets/..%2ferrors.md',
  '/docs/assets/none.js',
  '/docs/assets/',
])('%s: an unknown page is 404 in the envelope', async (path) => {
  const { status, body } = await get(path)
  expect([status, JSON.parse(String(body))]).toEqual([404, expect.objectContaining({ code: 404, status: 'error' })])
})

test('a person who opens an unknown page gets a page with links', async () => {
  for (const path of ['/docs/nothing', '/docs/Errors', '/docs/operators/nobody']) {
    const { status, headers, body } = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(String(body)).toContain('<h1>There is no such page</h1>')
    expect(String(body)).toContain('href="/docs/errors"')
  }
})

test('serves all of it as one file', async () => {
  const { headers, body } = await get('/docs/one-file')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body.length).toBeGreaterThan(1_000_000)
})
