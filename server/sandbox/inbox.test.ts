import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from '../callbacks/sign.ts'
import { readConfig } from '../config.ts'
import { startGateway, type Gateway } from '../main.ts'
import { sandboxMasterKey } from '../embedded-postgres/database.ts'
import { rotateRsaKey } from '../storage/operators/key-rotation.ts'
import { withdrawRsaKey } from '../storage/operators/withdraw-rsa-key.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { LIVE_ENV } from '../testing/gateway.ts'
import { checkHmac, checkRsa, checkWebhook, type KeysToTry } from './inbox-checks.ts'
import { readSummary, type Check, type Checks, type InboxMessage } from './inbox-message.ts'
import { inboxPage, maskAccount, messagePage, opensslCommand, PAGE_POLICY } from './inbox-page.ts'
import { DEMO_MERCHANT } from './providers.ts'

const SECRETS = { signingKeys: [DEMO_MERCHANT.keys.signingKey], webhookSecrets: [DEMO_MERCHANT.keys.webhookSecret] }
const KEYS: KeysToTry = { secrets: SECRETS, arePublic: true }
const NOW = new Date('2026-11-20T10:00:00.123Z')
const { publicKey: publicPem, privateKey: privatePem } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const BODY = JSON.stringify({
  event: 'transaction.completed',
  payload: {
    merchant_reference: 'ORDER-2026-0001',
    internal_reference: 'MLP7QK2M9V4T8ZC5R1XH0NDWB',
    transaction_type: 'COLLECTION',
    transaction_status: 'COMPLETED',
    transaction_amount: 5000,
    transaction_charge: 50,
    transaction_currency: 'UGX',
    transaction_account: '256772000123',
    provider_code: 'mtn_ug',
    status_message: 'Transaction Completed Successfully',
  },
})
const RSA_KEY = { id: '0123456789abcdef', privatePem }
const TEXT = 'transaction.completed:ORDER-2026-0001:MLP7QK2M9V4T8ZC5R1XH0NDWB:COLLECTION:COMPLETED'

const sign = (body = BODY, at = NOW) =>
  signatureHeaders({ webhookId: 'cb_TEST', legacyText: TEXT, body, at, secrets: SECRETS, rsaKey: RSA_KEY })

function check(
  headers: Readonly<Record<string, string>>,
  body = BODY,
  { keys = KEYS, now = NOW }: { keys?: KeysToTry; now?: Date } = {},
): Checks {
  const bytes = Buffer.from(body)
  const { signedText } = readSummary(bytes)
  return {
    hmac: checkHmac(headers, signedText, keys),
    rsa: checkRsa(headers, signedText, { pem: publicPem }),
    webhook: checkWebhook(headers, bytes, keys, now),
  }
}
const verdicts = ({ hmac, rsa, webhook }: Checks) => [hmac.verdict, rsa.verdict, webhook.verdict]
const why = (one: Check) => (one.verdict === 'bad' ? one.why : one.verdict)

describe('the three verdicts', () => {
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
  test('one changed byte that means the same still breaks webhook-signature', async () => {
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
  test("a signature of another gateway's RSA key is told from one of another text", async () => {
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
  test('the right signature is shown for public keys only: the inbox does not sign for others', async () => {
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
})

describe('the page', () => {
  const message = (body: string, changes: Partial<InboxMessage> = {}): InboxMessage => {
    const bytes = Buffer.from(body)
    const summary = readSummary(bytes)
    return {
      id: 7n,
      receivedAt: NOW,
      kind: 'callback',
      delivery: 1,
      answered: 200,
      headers: {},
      body: bytes,
      bodyBytes: bytes.length,
      summary,
      checks: { hmac: { verdict: 'good' }, rsa: { verdict: 'good' }, webhook: { verdict: 'good' } },
      ...(summary.merchantReference !== undefined && { merchantReference: summary.merchantReference }),
      ...changes,
    }
  }
  const list = (...messages: InboxMessage[]) =>
    inboxPage({ messages, merchantReference: undefined, baseUrl: 'http://127.0.0.1:8080' })
  const single = (one: InboxMessage) => messagePage({ message: one, baseUrl: 'http://127.0.0.1:8080' })

  test('nothing that a stranger sends becomes markup', () => {
    const attack = `</pre></style><script>alert(1)</script><img src=x onerror='alert(1)'>"`
    const body = JSON.stringify({
      event: attack,
      payload: {
        merchant_reference: attack,
        internal_reference: attack,
        transaction_type: attack,
        transaction_status: attack,
        status_message: attack,
        transaction_amount: 5,
        transaction_currency: attack,
        transaction_account: attack,
        provider_code: attack,
      },
    })
    const hostile = message(body, {
      webhookId: attack,
      delivery: 2,
      signer: attack,
      headers: { [attack]: attack, 'rsa-signature': attack },
    })
    for (const page of [
      list(hostile),
      single(hostile),
      inboxPage({ messages: [], merchantReference: attack, baseUrl: 'http://127.0.0.1:8080' }),
    ]) {
      expect(page).not.toMatch(/<script|<img|onerror=/i)
      expect(page.match(/<\/style>/g)).toHaveLength(1)
    }
  })
  test('characters that reorder or hide text are shown as escapes', () => {
    const page = single(
      message(
        JSON.stringify({
          event: 'transaction.completed\u202edetelpmoc',
          payload: { merchant_reference: 'A\u200bB\u2066' },
        }),
      ),
    )
    expect(page).not.toMatch(/[\u200b\u202e\u2066]/)
    expect(page).toContain('\\u202e')
  })
  test('a body of 200 kB and one nested 10,000 deep are shown without growing out of proportion', () => {
    expect(single(message(JSON.stringify({ payload: { customer_name: '<'.repeat(200_000) } }))).length).toBeLessThan(
      1_500_000,
    )
    expect(single(message('['.repeat(10_000) + ']'.repeat(10_000))).length).toBeLessThan(200_000)
  })
  test('the account is masked except for its last three digits', () => {
    expect(maskAccount('256772000123')).toBe('•••••••••123')
    expect(maskAccount('123')).toBe('•••')
  })
  test('a bad signature is told in words, with what was expected', () => {
    const page = list(
      message(BODY, {
        checks: {
          hmac: { verdict: 'bad', why: 'It differs', expected: 's=00' },
          rsa: { verdict: 'good' },
          webhook: { verdict: 'good' },
        },
      }),
    )
    expect(page).toContain('A signature is bad.')
    expect(page).toContain('It differs.')
    expect(page).toContain('s&#61;00')
  })
  test('a repeated webhook-id is shown as a repeated delivery', () => {
    expect(list(message(BODY, { webhookId: 'cb_1', delivery: 2 }))).toContain('2nd delivery of <code>cb_1</code>')
  })
  test('the command to paste is withheld when a message holds characters that Malipo never sends', () => {
    const command = (signedText: string, signature: string, keyId = RSA_KEY.id) =>
      opensslCommand({ signedText }, { 'rsa-signature': signature, 'rsa-key-id': keyId }, 'http://127.0.0.1:8080')
    expect(command(TEXT, 'AAAA')).toContain('openssl dgst -sha256 -verify')
    expect(command(`${TEXT}'; rm -rf ~; '`, 'AAAA')).toBeUndefined()
    expect(command(TEXT, "AAAA' | sh; '")).toBeUndefined()
    expect(command(TEXT, 'AAAA', '$(rm -rf ~)')).toBeUndefined()
  })
  test('its style is allowed by digest; scripts are not allowed at all', () => {
    expect(PAGE_POLICY).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}=';/)
    expect(list(message(BODY))).not.toMatch(/ style=|<script|https?:\/\/(?!127\.0\.0\.1)/)
  })
})

interface WireMessage {
  readonly id: number
  readonly delivery: number
  readonly answered: number
  readonly merchant_reference: string
  readonly transaction_status: string
  readonly checks: Checks
  readonly headers: Record<string, string>
  readonly body: string
}

describe('in the running gateway', () => {
  let gateway: Gateway
  let folder: string
  let asked = 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
    gateway = await startGateway(
      readConfig({
        MALIPO_DATA_DIR: join(folder, 'data'),
        PORT: '0',
        LOG_LEVEL: 'silent',
        MALIPO_SANDBOX_DELAY_MS: '50',
      }),
    )
  }, 60_000)
  afterAll(async () => {
    await gateway?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const collect = async (msisdn: string): Promise<string> => {
    const merchantReference = `INBOX-TEST-${++asked}`
    const reply = await fetch(`${gateway.url}/collections/initialize`, {
      method: 'POST',
      headers: {
        'public-key': DEMO_MERCHANT.keys.publicKey,
        'secret-key': DEMO_MERCHANT.keys.secretKey,
        'x-api-version': '1',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        transaction_method: 'MOBILE_MONEY',
        provider_code: 'mtn_ug',
        merchant_reference: merchantReference,
        msisdn,
        currency: 'UGX',
        amount: 5000,
        description: 'Inbox test',
        charge_customer: false,
        allow_final_status_change: false,
      }),
    })
    expect(reply.status, await reply.text()).toBe(202)
    return merchantReference
  }
  const inbox = async (reference: string): Promise<WireMessage[]> => {
    const reply = await fetch(`${gateway.url}/sandbox/inbox?reference=${reference}`, {
      headers: { accept: 'application/json' },
    })
    return ((await reply.json()) as { messages: WireMessage[] }).messages
  }
  const arrived = async (reference: string): Promise<WireMessage> => {
    const deadline = Date.now() + 15_000
    for (;;) {
      const [message] = await inbox(reference)
      if (message) return message
      if (Date.now() > deadline) throw new Error(`no callback for ${reference} within 15 s`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** Sends a message that has arrived once more, as a retry of the gateway would. */
  const again = (
    { headers, body }: WireMessage,
    query = '',
    changedBody = body,
    changedHeaders: Record<string, string> = {},
  ) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
    return fetch(`${gateway.url}/sandbox/inbox${query}`, {
      method: 'POST',
      headers: { ...sent, ...changedHeaders },
      body: changedBody,
    })
  }

  test.each([
    ['256772000123', 'COMPLETED'],
    ['256772000002', 'FAILED'],
  ])(
    'the callback of a collection from %s (%s) arrives with three good signatures',
    async (msisdn, status) => {
      const message = await arrived(await collect(msisdn))
      expect(message.transaction_status).toBe(status)
      expect(message.checks).toEqual({
        hmac: { verdict: 'good' },
        rsa: { verdict: 'good' },
        webhook: { verdict: 'good' },
      })
      const page = await fetch(`${gateway.url}/sandbox/inbox/${message.id}`)
      expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, PAGE_POLICY])
      expect(await page.text()).toContain(message.merchant_reference)
    },
    30_000,
  )

  test('openssl alone verifies the RSA signature of a callback', async ({ skip }) => {
    try {
      execFileSync('openssl', ['version'])
    } catch {
      console.warn('skipped: there is no openssl on this machine')
      skip()
    }
    const { headers, body } = await arrived(await collect('256772000123'))
    const file = (name: string, content: string | Buffer) => (
      writeFileSync(join(folder, name), content),
      join(folder, name)
    )
    const pem = file(
      'key.pem',
      await (await fetch(`${gateway.url}/.well-known/malipo-rsa/${headers['rsa-key-id']}.pem`)).text(),
    )
    const signature = file('signature.bin', Buffer.from(headers['rsa-signature']!, 'base64'))
    const verified = execFileSync('openssl', [
      'dgst',
      '-sha256',
      '-verify',
      pem,
      '-signature',
      signature,
      file('signed.txt', readSummary(Buffer.from(body)).signedText!),
    ])
    expect(verified.toString()).toContain('Verified OK')
  }, 30_000)

  test('a repeated message is recorded as its second delivery, also while a failing server is rehearsed', async () => {
    const first = await arrived(await collect('256772000123'))
    expect((await again(first, '?answer=503')).status).toBe(503)
    expect((await inbox(first.merchant_reference)).map(({ delivery, answered }) => [delivery, answered])).toEqual([
      [2, 503],
      [1, 200],
    ])
  }, 30_000)

  test('an altered message is acknowledged and shown as bad', async () => {
    const first = await arrived(await collect('256772000123'))
    expect((await again(first, '', first.body.replace('5000', '9000'))).status).toBe(200)
    const [altered] = await inbox(first.merchant_reference)
    expect(verdicts(altered!.checks)).toEqual(['good', 'good', 'bad'])
  }, 30_000)

  test('what an older RSA key signed stays good, and a key id of nobody is bad', async () => {
    const first = await arrived(await collect('256772000123'))
    const { id } = await rotateRsaKey(
      gateway.pool,
      createSecretBox(await sandboxMasterKey(join(folder, 'data')), { bytes: randomBytes }),
      NOW,
    )
    for (const keyId of [first.headers['rsa-key-id']!, id, '0123456789abcdef'])
      await again(first, '', first.body, { 'rsa-key-id': keyId })
    const [unknown, newer, repeated] = (await inbox(first.merchant_reference)).map(({ checks }) => why(checks.rsa))
    expect(repeated).toBe('good')
    expect(newer).toContain('not made with the private key that rsa-key-id names')
    expect(unknown).toBe('This gateway has no RSA key of that rsa-key-id')
  }, 30_000)

  test('what a withdrawn RSA key signed is bad, and says why', async () => {
    const first = await arrived(await collect('256772000123'))
    await rotateRsaKey(
      gateway.pool,
      createSecretBox(await sandboxMasterKey(join(folder, 'data')), { bytes: randomBytes }),
      NOW,
    )
    await withdrawRsaKey(gateway.pool, first.headers['rsa-key-id']!, NOW)
    await gateway.refresh()
    await again(first, '', first.body, {})
    const [repeated] = (await inbox(first.merchant_reference)).map(({ checks }) => why(checks.rsa))
    expect(repeated).toBe('The RSA key of that rsa-key-id was withdrawn: nothing that it signed is to be trusted')
  }, 30_000)

  test('a handshake is verified over the empty body and answered', async () => {
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = await sign('', new Date())
    const reply = await fetch(`${gateway.url}/sandbox/inbox/handshake?reference=PAYOUT-INBOX-1`, {
      headers: { 'webhook-id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! },
    })
    expect(reply.status).toBe(200)
    expect((await inbox('PAYOUT-INBOX-1')).map(({ checks }) => verdicts(checks))).toEqual([
      ['not_expected', 'not_expected', 'good'],
    ])
  })

  test.each([
    ['DELETE', '', 405, 'GET, HEAD, POST'],
    ['POST', '/handshake', 405, 'GET'],
    ['GET', '/clear', 405, 'POST'],
    ['PUT', '/1', 405, 'GET, HEAD'],
    ['GET', '/999999', 404, null],
    ['GET', '/x', 404, null],
    ['POST', '?answer=99', 400, null],
    ['POST', '?delay=20001', 400, null],
    ['POST', '', 415, null],
  ])('%s /sandbox/inbox%s is refused in the envelope: %i', async (method, path, status, allow) => {
    const reply = await fetch(`${gateway.url}/sandbox/inbox${path}`, { method })
    expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow])
    expect(await reply.json()).toMatchObject({ code: status, status: 'error', data: {} })
  })

  test('a body of more than 256 kB is refused', async () => {
    const reply = await fetch(`${gateway.url}/sandbox/inbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(262_145),
    })
    expect(reply.status).toBe(413)
  })

  test("another site's form cannot empty it, its own can", async () => {
    const { merchant_reference: reference } = await arrived(await collect('256772000123'))
    const clear = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/sandbox/inbox/clear`, { method: 'POST', headers, redirect: 'manual' })
    expect((await clear({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await clear({ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect(await inbox(reference)).toHaveLength(1)
    const cleared = await clear({ origin: gateway.url, 'sec-fetch-site': 'same-origin' })
    expect([cleared.status, cleared.headers.get('location')]).toEqual([303, '/sandbox/inbox'])
    expect(await inbox(reference)).toHaveLength(0)
  }, 30_000)

  test('it keeps the newest 500 and lists the newest 100', async () => {
    const post = (number: number) =>
      fetch(`${gateway.url}/sandbox/inbox`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payload: { merchant_reference: `KEPT-${number % 2}` } }),
      })
    for (let number = 0; number < 560; number += 40)
      await Promise.all(Array.from({ length: 40 }, (_, index) => post(number + index)))
    expect((await gateway.pool.query<{ count: bigint }>('select count(*) from sandbox.inbox')).rows[0]!.count).toBe(
      500n,
    )
    expect(await inbox('KEPT-1')).toHaveLength(100)
  }, 30_000)

  test('a late answer does not hold up the end of the gateway', async () => {
    const second = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
    const other = await startGateway(
      readConfig({ MALIPO_DATA_DIR: join(second, 'data'), PORT: '0', LOG_LEVEL: 'silent' }),
    )
    try {
      const late = fetch(`${other.url}/sandbox/inbox?delay=20000`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      while ((await other.pool.query('select from sandbox.inbox')).rowCount === 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      const startedAt = performance.now()
      await other.stop()
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      expect((await late).status).toBe(200)
    } finally {
      rmSync(second, { recursive: true, force: true })
    }
  }, 60_000)
})

test('live mode has no inbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
  const live = await startGateway(
    readConfig({
      MALIPO_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...LIVE_ENV,
      MALIPO_MASTER_KEY: 'k'.repeat(32),
    }),
  )
  try {
    for (const path of ['', '/handshake', '/1', '/clear'])
      expect((await fetch(`${live.listeningUrl}/sandbox/inbox${path}`)).status).toBe(404)
    expect(
      (
        await fetch(`${live.listeningUrl}/sandbox/inbox`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404)
  } finally {
    await live.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
