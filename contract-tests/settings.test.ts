import { expect, test } from 'vitest'
import { readSettings, type SuiteSettings } from './settings.ts'
import { UsageError } from './usage-error.ts'

const settings = (given: SuiteSettings, env: Record<string, string> = {}) => readSettings(given, env)
const refusal = (given: SuiteSettings): string => {
  try {
    readSettings(given, {})
  } catch (error) {
    if (error instanceof UsageError) return error.message
  }
  return 'it was accepted'
}
const local = 'http://127.0.0.1:8080'

test("defaults to our own gateway, all parts, seed 1 and the project's coverage", () => {
  expect(settings({})).toEqual({
    contract: expect.stringMatching(/generated\/openapi\.json$/),
    seed: 1,
    size: 'pull-request',
    coverageMin: expect.any(Number),
    reportDir: 'dist/contract-tests',
    failOn: 'findings',
  })
})

test.each<[string, SuiteSettings, number | undefined]>([
  ['single parts', { only: 'wire,rules' }, undefined],
  ['another server', { url: local }, undefined],
  ['some operations', { onlyOperation: ['sendFunds', 'verifyTransaction'] }, undefined],
  ['another server with a minimum', { url: local, coverageMin: '82.5' }, 82.5],
])('requires this coverage of %s: %j', (_what, given, min) => expect(settings(given).coverageMin).toBe(min))

test.each<[string, SuiteSettings, Record<string, string>, object]>([
  ['the demo keys', { url: `${local}/` }, {}, { url: local, publicKey: 'pub_sandbox_demo', sandbox: true }],
  ['the environment', { url: local }, { PUBLIC_KEY: 'p', SECRET_KEY: 's' }, { publicKey: 'p', sandbox: false }],
  [
    'options first',
    { url: local, publicKey: 'q', sandbox: true },
    { PUBLIC_KEY: 'p' },
    { publicKey: 'q', sandbox: true },
  ],
])('takes the keys of %s', (_what, given, env, target) => expect(settings(given, env).target).toMatchObject(target))

test('takes a sandbox on this machine to be used by nobody else', () => {
  const isOnlyUser = (given: SuiteSettings) => settings(given).target?.isOnlyUser
  expect(isOnlyUser({ url: local })).toBe(true)
  expect(isOnlyUser({ url: local, publicKey: 'p', secretKey: 's' })).toBe(false)
  expect(isOnlyUser({ url: 'https://gateway.example' })).toBe(false)
  expect(isOnlyUser({ url: 'https://gateway.example', onlyUser: true })).toBe(true)
  expect(isOnlyUser({ url: local, onlyUser: false })).toBe(false)
  expect(refusal({ onlyUser: true })).toMatch(/--only-user says something about a server/)
})

test('needs --test-account before it sends payments to another machine', () => {
  const elsewhere = { url: 'https://gateway.example', publicKey: 'p', secretKey: 's' }
  expect(refusal(elsewhere)).toMatch(/--test-account/)
  expect(settings({ ...elsewhere, testAccount: true }).target).toMatchObject({ url: 'https://gateway.example' })
  expect(settings({ url: 'https://gateway.example' }).target).toMatchObject({ sandbox: true })
})

test('a receiver needs the signing secrets of callbacks', () => {
  expect(refusal({ url: local, receiverPort: '9000' })).toMatch(/--signing-key and --webhook-secret/)
  expect(refusal({ url: local, receiverPort: '9000', signingKey: 'k', webhookSecret: '' })).toMatch(
    /--signing-key and --webhook-secret/,
  )
  expect(
    settings({ url: local, receiverPort: '9000' }, { SIGNING_KEY: 'k', WEBHOOK_SECRET: 'w' }).target!.receiver,
  ).toEqual({ port: 9000, signingKey: 'k', webhookSecret: 'w' })
})

test('a second merchant has both keys and its own signing secrets', () => {
  const keys = { OTHER_PUBLIC_KEY: 'op', OTHER_SECRET_KEY: 'os' }
  expect(settings({ url: local }).target).not.toHaveProperty('other')
  expect(settings({ url: local }, { OTHER_PUBLIC_KEY: '', OTHER_SECRET_KEY: '' }).target).not.toHaveProperty('other')
  expect(settings({ url: local, otherPublicKey: 'q' }, keys).target!.other).toEqual({ publicKey: 'q', secretKey: 'os' })
  const signed = { otherSigningKey: 'k', otherWebhookSecret: 'w' }
  const received = { url: local, receiverPort: '9000', signingKey: 'k', webhookSecret: 'w' }
  expect(settings({ ...received, ...signed }, keys).target!.other).toEqual({
    publicKey: 'op',
    secretKey: 'os',
    receiver: { signingKey: 'k', webhookSecret: 'w' },
  })
  expect(settings({ url: local, ...signed }, keys).target!.other).not.toHaveProperty('receiver')
})

test.each<[string, SuiteSettings, RegExp]>([
  ['an unknown part', { only: 'declared,nothing' }, /^There is no part nothing, only declared, /],
  ['an unknown operation', { onlyOperation: ['sendMoney'] }, /^--only-operation: the contract has no sendMoney, only /],
  ['an address that is none', { url: 'gateway' }, /^--url must be an address/],
  ['a key without a server', { secretKey: 's' }, /^--secret-key says something about a server/],
  ['a seed that is no number', { seed: 'x' }, /^--seed must be a number/],
  [
    'a port that does not exist',
    { url: local, receiverPort: '70000' },
    /^--receiver-port must be a number up to 65535/,
  ],
  ['a reason to fail that there is not', { failOn: 'errors' }, /^--fail-on must be one of findings, warnings, nothing/],
  ['two choices of operations', { since: 'v1', onlyOperation: ['sendFunds'] }, /^--since chooses the operations/],
  ['more than all', { coverageMin: '101' }, /^--coverage-min/],
  ['a contract that is none', { contract: 'package.json' }, /^--contract must be a bundled OpenAPI document/],
  ['half of a second merchant', { url: local, otherPublicKey: 'o' }, /^--other-public-key and --other-secret-key/],
  [
    'half of what it signs with',
    { url: local, otherPublicKey: 'o', otherSecretKey: 's', otherSigningKey: 'k' },
    /^--other-signing-key and --other-webhook-secret/,
  ],
  [
    'a secret that signs nothing',
    { url: local, otherSigningKey: 'k', otherWebhookSecret: 'w' },
    /^--other-signing-key needs --other-public-key/,
  ],
  [
    'a second merchant that is the first',
    { url: local, otherPublicKey: 'pub_sandbox_demo', otherSecretKey: 's' },
    /^--other-public-key is that of the first/,
  ],
  ['a second merchant without a server', { otherPublicKey: 'o' }, /^--other-public-key says something about a server/],
  ['an empty key', { url: local, publicKey: '' }, /^A key is empty/],
])('reports %s in one line', (_case, given, message) => expect(refusal(given)).toMatch(message))
