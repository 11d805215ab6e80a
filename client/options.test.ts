import { afterEach, expect, test, vi } from 'vitest'
import { createMalipo, type MalipoOptions } from './index.ts'

afterEach(() => vi.unstubAllGlobals())

const good: MalipoOptions = { baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_test' }

const MOZILLA = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const place = (globals: Readonly<Record<string, unknown>>) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
}

test.each([
  ['a page', { window: {}, document: {} }],
  ['a page, with the process that bundlers put there', { window: {}, document: {}, process: { env: {} } }],
  ['a worker of a page', { WorkerGlobalScope: class {}, navigator: { userAgent: MOZILLA } }],
])('in %s createMalipo throws, whatever the keys', (_where, globals) => {
  place(globals)
  for (const keys of [{}, { secretKey: 'sec_test' }])
    expect(() => createMalipo({ ...good, ...keys })).toThrow(/^createMalipo is for servers, not for browsers$/)
})

test.each([
  ['Node', {}],
  ['Deno 1', { window: {}, Deno: {}, navigator: { userAgent: 'Deno/1.46.3' } }],
  ['a worker of Deno', { WorkerGlobalScope: class {}, navigator: { userAgent: 'Deno/2.9.6' } }],
  ['a worker of Bun', { WorkerGlobalScope: class {}, navigator: { userAgent: 'Bun/1.4.5' } }],
  [
    'Cloudflare Workers',
    { WorkerGlobalScope: class {}, ServiceWorkerGlobalScope: class {}, navigator: { userAgent: 'Cloudflare-Workers' } },
  ],
  ['an edge runtime without navigator', { WorkerGlobalScope: class {}, navigator: undefined }],
])('%s is not taken for a browser', (_where, globals) => {
  place(globals)
  expect(() => createMalipo({ ...good, secretKey: 'sec_test' })).not.toThrow()
})

test.each([
  '',
  'malipo.example',
  '/api',
  'ftp://malipo.example',
  'https://user:word@malipo.example',
  'https://malipo.example/?v=1',
  undefined,
])('refuses the base URL %s by name', (baseUrl) => {
  expect(() => createMalipo({ ...good, baseUrl: baseUrl! })).toThrow(/^baseUrl must be/)
})

test.each(['', 'pub test', 'pub_test\n', undefined])(
  'refuses a missing or truncated key (%j) by name, without repeating it',
  (key) => {
    expect(() => createMalipo({ ...good, publicKey: key! })).toThrow(/^publicKey must be a text without spaces/)
    if (key !== undefined)
      expect(() => createMalipo({ ...good, secretKey: key.replace('pub', 'sec') })).toThrow(
        /^secretKey must be a text without spaces/,
      )
  },
)

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'refuses a time-out of %d ms, for all calls and for one',
  async (timeoutMs) => {
    expect(() => createMalipo({ ...good, timeoutMs })).toThrow(RangeError)
    await expect(createMalipo(good).transactions.verify('ORDER-2026-0001', { timeoutMs })).rejects.toThrow(RangeError)
  },
)

test('the time-out is 30 seconds unless it is set', async () => {
  vi.useFakeTimers()
  try {
    const never: MalipoOptions['fetch'] = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    const call = createMalipo({ ...good, fetch: never })
      .transactions.verify('ORDER-2026-0001')
      .catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(await Promise.race([call, Promise.resolve('still waiting')])).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await call).toMatchObject({ kind: 'timeout' })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  { publicKey: 'sec_test' },
  { publicKey: 'whsec_dGVzdA==' },
  { secretKey: 'pub_test' },
  { secretKey: 'whsec_dGVzdA==' },
])('refuses one key in place of another (%j) before sending, without repeating it', (swapped) => {
  const [name] = Object.keys(swapped)
  expect(() => createMalipo({ ...good, ...swapped })).toThrow(
    new RegExp(`^${name} begins with (pub|sec|whsec)_: are two keys swapped\\?$`),
  )
})

test.each([
  'http://malipo.example',
  'http://203.0.113.7:8080',
  'http://172.32.0.1',
  'http://10.malipo.example',
  'http://[2001:db8::1]:8080',
  'http://[::ffff:203.0.113.7]',
  'http://[fc::1]',
  'http://[fec0::1]',
  'http://[fe::1]',
])('sends no secret key to %s without https', (baseUrl) => {
  expect(() => createMalipo({ ...good, baseUrl, secretKey: 'sec_test' })).toThrow('baseUrl must be https here')
  expect(() => createMalipo({ ...good, baseUrl })).not.toThrow()
  expect(() =>
    createMalipo({ ...good, baseUrl: baseUrl.replace('http:', 'https:'), secretKey: 'sec_test' }),
  ).not.toThrow()
})

test.each([
  'localhost:8080',
  '127.0.0.1:8080',
  '[::1]:8080',
  '[fd12:3456::7]',
  '[fc00::1]',
  '[fe80::1]',
  '[febf::1]',
  'malipo:8080',
  'malipo.internal',
  'malipo.pay.svc.cluster.local',
  '10.1.2.3',
  '172.16.0.9',
  '192.168.1.20',
])('sends a secret key without https within %s', (host) => {
  expect(() => createMalipo({ ...good, baseUrl: `http://${host}`, secretKey: 'sec_test' })).not.toThrow()
})
