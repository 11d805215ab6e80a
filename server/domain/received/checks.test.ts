import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureHeaders } from '../../callbacks/sign.ts'
import type { Checks } from './message.ts'
import { SECRETS, NOW, BODY, RSA_KEY, TEXT, sign, check, verdicts, why } from './testing/signed-callback.ts'

test('a callback signed by the gateway has three good signatures', async () => {
  expect(verdicts(check(await sign()))).toEqual(['good', 'good', 'good'])
})
test('another amount breaks webhook-signature alone: the other two do not cover it', async () => {
  expect(verdicts(check(await sign(), BODY.replace('5000', '9000')))).toEqual(['good', 'good', 'bad'])
})
test('another status breaks all three', async () => {
  const result = check(await sign(), BODY.replace('COMPLETED', 'FAILED'))
  expect(verdicts(result)).toEqual(['bad', 'bad', 'bad'])
  expect(why(result.rsa)).toContain('by this gateway, but for another text')
})
test('one changed byte of the same meaning still breaks webhook-signature', async () => {
  expect(verdicts(check(await sign(), `${BODY} `))).toEqual(['good', 'good', 'bad'])
})
test.each(['hmac-signature', 'rsa-signature', 'rsa-key-id', 'webhook-signature', 'webhook-id', 'webhook-timestamp'])(
  'without %s its own check is bad and says so',
  async (name) => {
    const { [name]: _left, ...headers } = await sign()
    const result = check(headers)
    expect(
      Object.values(result)
        .filter(({ verdict }) => verdict === 'bad')
        .map(why),
    ).toEqual([`The header ${name} is missing`])
  },
)
test.each([
  ['hmac-signature', 't=1,s=zz', 'hmac'],
  ['hmac-signature', `t=1795168648123,s=${'0'.repeat(64)}`, 'hmac'],
  ['rsa-signature', 'not base64', 'rsa'],
  ['rsa-signature', Buffer.alloc(256, 1).toString('base64'), 'rsa'],
  ['rsa-signature', 'AAAA', 'rsa'],
  ['rsa-key-id', '../../health/live', 'rsa'],
  ['rsa-key-id', '0123456789ABCDEF', 'rsa'],
  ['webhook-signature', 'v1,AAAA', 'webhook'],
  ['webhook-signature', 'v2,AAAA', 'webhook'],
  ['webhook-id', 'cb_OTHER', 'webhook'],
  ['webhook-timestamp', 'soon', 'webhook'],
] as const)('with %s: %s only the %s check is bad', async (name, value, broken) => {
  const result = check({ ...(await sign()), [name]: value })
  expect(
    Object.entries(result)
      .filter(([, { verdict }]) => verdict === 'bad')
      .map(([check]) => check),
  ).toEqual([broken])
})
test("distinguishes another gateway's RSA signature from one of another text", async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const headers = await signatureHeaders({
    webhookId: 'cb_TEST',
    legacyText: TEXT,
    body: BODY,
    at: NOW,
    secrets: SECRETS,
    rsaKey: { ...RSA_KEY, privatePem: privateKey },
  })
  expect(why(check(headers).rsa)).toContain('not made with the private key that rsa-key-id names')
})
test.each([
  [300, 'good'],
  [301, 'bad'],
  [-300, 'good'],
  [-301, 'bad'],
] as const)('a webhook-timestamp %i seconds old is %s', async (seconds, verdict) => {
  const headers = await sign()
  const signedAt = Number(headers['webhook-timestamp']) * 1000
  expect(check(headers, BODY, { now: new Date(signedAt + seconds * 1000) }).webhook.verdict).toBe(verdict)
})
test('during rotation the old key and the new one are both good', async () => {
  const rotated = {
    signingKeys: ['NEWSIGNINGKEY0000001', ...SECRETS.signingKeys],
    webhookSecrets: ['whsec_bmV3LXNlY3JldA==', ...SECRETS.webhookSecrets],
  }
  expect(verdicts(check(await sign(), BODY, { keys: { secrets: rotated, arePublic: false } }))).toEqual([
    'good',
    'good',
    'good',
  ])
})
test('shows the right signature for public keys only: it signs for nobody else', async () => {
  const headers = { ...(await sign()), 'hmac-signature': `t=1,s=${'0'.repeat(64)}`, 'webhook-signature': 'v1,AAAA' }
  const expected = ({ hmac, webhook }: Checks) =>
    [hmac, webhook].map((one) => (one.verdict === 'bad' ? one.expected : undefined))
  expect(expected(check(headers))).toEqual([
    (await sign())['hmac-signature']!.replace(/^t=\d+,/, ''),
    (await sign())['webhook-signature'],
  ])
  expect(expected(check(headers, BODY, { keys: { secrets: SECRETS, arePublic: false } }))).toEqual([
    undefined,
    undefined,
  ])
})
test.each([
  '',
  '[]',
  'null',
  '{"event":1,"payload":[]}',
  '{"event":"transaction.completed"}',
  'x',
  '['.repeat(100_000),
])('a body without the signed fields (%.12s) is bad, not a fault', async (body) => {
  expect(verdicts(check(await sign(body), body))).toEqual(['bad', 'bad', 'good'])
})
