import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'
import { packOnce, run, type PackedClient } from './testing/packed.ts'

let packed: PackedClient | undefined
let project: string

/**
 * A user's program, from the tarball alone, against a server of its own; it prints one line when everything has
 * worked.
 */
const program = `
import { createMalipo, createDuplicateGuard, handshakes, MalipoError, money, redirects, webhooks, WebhookVerificationError } from '@malipo/client'
import { signedCallback, signedHandshake, signedRedirect } from '@malipo/client/testing'

const secret = 'whsec_c2hvcC1vZi10aGUtcmVjaXBlcyE='
const signingKey = 'SHOPOFTHERECIPESKEY1'
const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign', 'verify'])
const pem = (label, bytes) => '-----BEGIN ' + label + '-----\\n' + btoa(String.fromCharCode(...new Uint8Array(bytes))) + '\\n-----END ' + label + '-----\\n'
const rsaPrivateKey = pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey))
const rsaPublicKeys = pem('PUBLIC KEY', await crypto.subtle.exportKey('spki', publicKey))
const same = (got, wanted) => { if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(got) + ' is not ' + JSON.stringify(wanted)) }

const { headers, body } = await signedCallback({ secret, signingKey, rsaPrivateKey })
const callback = await webhooks.verify(new TextEncoder().encode(body), new Headers(headers), [secret])
same(callback.payload.total_credit, 4950)
await webhooks.verifyLegacy(body, headers, { signingKeys: signingKey, rsaPublicKeys })
same(await webhooks.verify(body + ' ', headers, secret).catch((error) => [error instanceof WebhookVerificationError, error.reason]), [true, 'wrong_signature'])
const guard = createDuplicateGuard()
same([await guard.once(callback, () => {}), await guard.once(callback, () => {})], ['handled', 'duplicate'])
const asked = await signedHandshake({ secret })
same((await handshakes.verify(asked.url, asked.headers, secret)).merchantReference, 'PAYOUT-2026-0001')
same((await redirects.verify(await signedRedirect({ signingKey, rsaPrivateKey }), { signingKeys: signingKey, rsaPublicKeys })).transaction_status, 'COMPLETED')

const sent = []
const malipo = createMalipo({
  baseUrl: 'https://malipo.example', publicKey: 'pub_test', secretKey: 'sec_test', waiting: { sleep: async () => {} },
  fetch: async (url, init) => {
    sent.push([url, init.headers['idempotency-key']])
    if (sent.length === 1) return new Response('down', { status: 503 })
    return Response.json({ code: 202, status: 'accepted', message: 'done', data: { internal_reference: 'MLP1', merchant_reference: 'ORDER-2026-0001' } }, { status: 202 })
  },
})
const request = { transaction_method: 'MOBILE_MONEY', provider_code: 'mpesa_ke', merchant_reference: 'ORDER-2026-0001', msisdn: '254712000123', currency: 'KES', amount: money.toAmount('12.50', 'KES'), description: 'Order 2026-0001' }
same((await malipo.collections.initialize(request)).internal_reference, 'MLP1')
same(sent[0], sent[1])
same(await malipo.collections.initialize({ ...request, amount: 0.125 }).catch((error) => [error instanceof MalipoError, error.kind]), [true, 'validation'])
same(await createMalipo({ baseUrl: 'http://127.0.0.1:9', publicKey: 'pub_test', maxRetries: 0 }).banks.list({ provider_code: 'bank_ng' }).catch((error) => error.kind), 'network')
console.log('all of it works')
`

/** The same program for Jest, older Nest, and everything else that calls `require`. */
const asCommonJs = (source: string) =>
  `${source.slice(0, source.indexOf('\nconst secret')).replaceAll(/import (\{[^}]+\}) from ('[^']+')/g, 'const $1 = require($2)')}
async function main() {${source.slice(source.indexOf('\nconst secret'))}}
main()`

beforeAll(async () => {
  packed = await packOnce()
  project = await packed.install('shop')
  await writeFile(join(project, 'program.mjs'), program)
  await writeFile(join(project, 'program.cjs'), asCommonJs(program))
}, 240_000)
afterAll(() => packed?.remove())

const WORKS = 'all of it works\n'

test('in the Node that runs these tests', async () => {
  expect(await run(process.execPath, ['program.mjs'], project)).toBe(WORKS)
})

test('in CommonJS', async () => {
  expect(await run(process.execPath, ['--no-experimental-require-module', 'program.cjs'], project)).toBe(WORKS)
})

test('the toolbox starts', async () => {
  expect(await run(process.execPath, [join('node_modules', '.bin', 'malipo-dev'), '--help'], project)).toContain(
    'malipo-dev <command> --help',
  )
})

/** The machine's Node, if it is the oldest version that we promise. */
const systemNode = '/usr/bin/node'
const systemVersion = await promisify(execFile)(systemNode, ['--version']).then(
  ({ stdout }) => stdout.trim(),
  () => 'none',
)
const isOldest = systemVersion.startsWith('v20.')
if (!isOldest)
  skipReason('no Node 20 is installed', `the packed client on the oldest Node (${systemNode}: ${systemVersion})`)

test.skipIf(!isOldest)('in Node 20, the toolbox too', async () => {
  expect(await run(systemNode, ['program.mjs'], project)).toBe(WORKS)
  expect(await run(systemNode, ['program.cjs'], project)).toBe(WORKS)
  expect(await run(systemNode, [join('node_modules', '.bin', 'malipo-dev'), '--help'], project)).toContain(
    'malipo-dev <command> --help',
  )
})

// They come as npm packages with one binary each; without access to the registry there is nothing to run.
testNightly.each([
  ['deno', '2.9.6', ['run', '--allow-read', '--allow-net', 'program.mjs']],
  ['bun', '1.4.5', ['program.mjs']],
] as const)(
  'in %s',
  async (name, version, args) => {
    const folder = join(project, '..', name)
    const missing = await run(
      'npm',
      ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund', `${name}@${version}`],
      project,
    ).then(
      () => undefined,
      (error: Error) => error,
    )
    if (missing) {
      skipReason(`no ${name} can be installed: ${missing.message.slice(0, 200)}`, 'the packed client in it')
      return
    }
    expect(await run(join(folder, 'node_modules', '.bin', name), args, project)).toBe(WORKS)
  },
  240_000,
)
