import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { writtenOperations } from '../../../openapi/testing/written-operations.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { safeError } from '../../safe-error.ts'
import { createMerchant, type MerchantKeys } from '../../admin/queries/merchants.ts'
import { rsaPrivateKey } from '../../storage/sealed-places.ts'
import { createSecretBox, type SecretBox } from '../../storage/secret-box.ts'
import { bookByStaff } from '../testing/book-by-staff.ts'
import { createCanaries, type KnownSecret } from '../testing/canary.ts'
import { DATABASE_FAULTS, sendWithFaults } from '../testing/canary-faults.ts'
import { plantedRequests, validRequests } from '../testing/canary-places.ts'
import { textOfRequest, textsOfDatabase, type Text } from '../testing/canary-scan.ts'
import { sendBroken } from '../testing/canary-broken.ts'
import { sendForms } from '../testing/canary-forms.ts'
import { sendOtps, sendPlanted, type Traffic } from '../testing/canary-traffic.ts'
import { createTestDatabase, databaseUrl } from '../testing/database.ts'
import { startTestGateway, MASTER_KEY } from '../testing/gateway.ts'
import { runCli } from '../testing/served-gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { forFile } from '../testing/for-file.ts'
import { startCollector } from '../../tracing/testing/collector.ts'

// Sends keys, card numbers and OTPs through every field that the contract names and through every way to fail, and then
// searches everything the gateway has written, stored, logged or sent for them.

const KEYS: MerchantKeys = {
  publicKey: 'pub_kanari',
  secretKey: 'sec_kanarisecretkey000000000000000000000000000000001',
  signingKey: 'KANARISIGNINGKEY0001',
  webhookSecret: `whsec_${Buffer.from('a webhook secret to be found').toString('base64')}`,
}
const WRONG_KEY = 'sec_kanariwrongkey0000000000000000000000000000000002'
const SANDBOX_OTP = '123456'

/**
 * Where a canary may appear, and why. Every other place is a leak. A planted canary reads `card of sendFunds
 * payout_bank body account_number (card, taken)`.
 */
const ALLOWED: readonly { readonly planted: RegExp; readonly seen: RegExp; readonly why: string }[] = [
  {
    planted: /body description .*taken/,
    seen: /^transactions\.description$|^cli transaction list$/,
    why: "the merchant's own words, kept as given and shown to its operator",
  },
  {
    planted: /body customer_name .*taken/,
    seen: /^transactions\.customer_name$|^callbacks\.body$|^callback$|^reply to list(Transactions|Events) /,
    why: 'a field of the transaction record, which callbacks and lists carry',
  },
  { planted: /body customer_email .*taken/, seen: /^transactions\.customer_email$/, why: 'kept as given' },
  {
    planted: /body redirect_url .*taken/,
    seen: /^transactions\.redirect_url$|^cli transaction list$/,
    why: "the merchant's own address, its query is kept",
  },
  {
    planted: /body merchant_reference .*taken|expectPayment \w+ body customer_reference .*taken/,
    why: 'the name of the transaction for everybody, and what a customer types',
    seen: /^transactions\.merchant_reference$|^expected_payments\.reference$|^transaction_references\.merchant_reference$|^idempotency_keys\.outcome$|^callbacks\.body$|^callback$|^handshake$|^cli (transaction|callback) list$|^reply|^operator_exchanges\.re(quest|ply)$|^sandbox\.operator_journal\.entry$/,
  },
  {
    planted: /sendFunds \w+ body account_number .*taken|page confirm account_number/,
    why: 'where the money goes or comes from: rails need the whole number, verify and callbacks show it by requirement',
    seen: /^transactions\.account$|^limit_usage\.account$|^sandbox\.(orders\.account|operator_journal\.entry)$|^callbacks\.body$|^callback$/,
  },
  {
    planted: /body extra_params\.branch_code .*taken/,
    seen: /^transactions\.branch_code$/,
    why: 'passed on to the bank',
  },
  {
    planted: /query of the callback URL/,
    seen: /^merchants\.(collection|payout)_callback_url$|^callbacks\.url$|^callback$|^cli (merchant show|callback list)$/,
    why: "the merchant's own address, as an operator set it",
  },
  {
    planted:
      /body (provider_code|msisdn|account_number|internal_reference|collection_reference|extra_params\.bank_code) .*taken/,
    seen: /^reply/,
    why: 'the message tells the sender which value is wrong',
  },
  {
    planted: /query (provider_code|msisdn)|path (merchant|batch)_reference|header x-api-version/,
    seen: /^reply/,
    why: 'the same, outside the body',
  },
  {
    planted: /body (.* )?unknown name|body .*\(object, refused\)/,
    seen: /^reply/,
    why: 'the message names the field that is not allowed',
  },
  {
    planted: /unknown path|path longer than a reference/,
    seen: /^reply/,
    why: 'the message names the path that does not exist',
  },
  {
    planted: /page confirm wrong fields/,
    seen: /^reply to page confirm wrong fields$/,
    why: 'a form that is sent back keeps the account number that was typed',
  },
  {
    planted: /^one-time password$/,
    seen: /^reply to page otp/,
    why: 'the sandbox tells its only password on the page; nothing is sent to a phone there',
  },
]

const secrets: KnownSecret[] = [
  { name: 'secret key', value: KEYS.secretKey },
  { name: 'wrong secret key', value: WRONG_KEY },
  { name: 'signing key', value: KEYS.signingKey },
  { name: 'webhook secret', value: KEYS.webhookSecret.slice('whsec_'.length) },
  { name: 'webhook secret, decoded', value: 'a webhook secret to be found' },
  { name: 'master key', value: MASTER_KEY },
  { name: 'one-time password', value: SANDBOX_OTP },
  { name: 'wrong one-time password', value: '918273' },
]
const canaries = createCanaries(secrets)

const lines: string[] = []
const logger = pino(
  { level: 'trace', serializers: { err: safeError } },
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  }),
)
const replies: Text[] = []

const collector = await forFile(startCollector())
const { database, gateway, clock, receiver } = await gatewayTest({
  surroundings: { logger },
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    MALIPO_METRICS_PORT: '0',
    MALIPO_METRICS_HOST: '127.0.0.1',
    MALIPO_OTP_SENDS_MAX: '1000',
    MALIPO_OTP_WRONG_TRIES_MAX: '1000',
  },
})
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
await takeRsaKey(box)
const callbackUrl = `${receiver.url}?token=${canaries.plant('secret', 'query of the callback URL')}`
const id = await createMerchant(
  gateway.pool,
  box,
  {
    name: 'Kanari',
    keys: KEYS,
    sandboxOnly: false,
    collectionCallbackUrl: callbackUrl,
    payoutCallbackUrl: callbackUrl,
    verificationUrl: receiver.url,
  },
  clock.now(),
)
for (const currency of ['UGX', 'NGN'])
  await bookByStaff(gateway.pool, depositTransfer(id, currency, 50_000_000n), clock.now())
await gateway.refresh()
const card = canaries.plant('card', 'reply to a callback')
// A merchant's server that prints its settings and the received request when something goes wrong.
receiver.answer((request) => {
  const { text } = textOfRequest(request)
  return request.method === 'GET'
    ? ''
    : `${JSON.stringify({ ...KEYS, card, spaced: card.replace(/(\d{4})(?=\d)/g, '$1 ') })}\n${/"transaction_account":"[^"]*"/.exec(text)?.[0]}\n${text.slice(-300)}`
})

await sendEverything({ url: gateway.url, keys: KEYS, canaries })
for (const waitMs of [0, 2_000, 60_000, 31 * 60_000]) {
  clock.advance(waitMs)
  await gateway.runDue()
}
// The receiver forgets before each test.
const received = receiver.received.map(textOfRequest)

async function sendEverything(traffic: Traffic): Promise<void> {
  const requests = plantedRequests(canaries)
  for (let start = 0; start < requests.length; start += 32)
    replies.push(
      ...(await Promise.all(requests.slice(start, start + 32).map((request) => sendPlanted(traffic, request)))),
    )
  replies.push(
    ...(await sendBroken(traffic)),
    ...(await sendBroken({ ...traffic, keys: { ...KEYS, secretKey: WRONG_KEY } })),
    ...(await sendForms(traffic)),
    ...(await sendOtps(traffic)),
  )
}

/** The private key is a secret too: any one of its lines would suffice. */
async function takeRsaKey(box: SecretBox): Promise<void> {
  const {
    rows: [row],
  } = await gateway.pool.query<{ public_pem: string; sealed_private_pem: Buffer }>(
    'select public_pem, sealed_private_pem from rsa_keys',
  )
  const pem = box.open(row!.sealed_private_pem, rsaPrivateKey(row!.public_pem)).split('\n')
  for (const at of [2, 10, 20]) secrets.push({ name: `line ${at} of the RSA private key`, value: pem[at]! })
}

const used = new Set<(typeof ALLOWED)[number]>()

/** `transactions.description: card of sendFunds … in "…"`, once for each canary found where it is not allowed. */
function leaksIn(texts: readonly Text[]): string[] {
  const leaks = new Map<string, string>()
  for (const { where, text } of texts) {
    for (const { of, around } of canaries.findIn(text)) {
      const what = 'place' in of ? `${of.kind} of ${of.place}` : of.name
      const allowed = ALLOWED.find(({ planted, seen }) => planted.test(what) && seen.test(where))
      if (allowed) used.add(allowed)
      else leaks.set(`${where}: ${what}`, `${where}: ${what}, in "${around}"`)
    }
  }
  return [...leaks.values()]
}

const logTexts = (): Text[] =>
  lines.map((text, index) => ({ where: `log line ${index + 1} (${(JSON.parse(text) as { msg: string }).msg})`, text }))

test('tries each operation with keys, card numbers and OTPs, accepted and refused', () => {
  expect(new Set(validRequests.map(({ operationId }) => operationId)).size).toBe(writtenOperations.length)
  expect(new Set(canaries.planted.map(({ kind }) => kind))).toEqual(new Set(['secret', 'card', 'otp']))
  expect(canaries.planted.length).toBeGreaterThan(2_000)
  // A canary in an accepted request goes further than one that is rejected at the door: both kinds must be many.
  const accepted = replies.filter(({ text }) => text.startsWith('202\n'))
  expect(accepted.length).toBeGreaterThan(200)
  expect(replies.length - accepted.length).toBeGreaterThan(1_000)
})

/** What the valid requests have besides canaries: phone numbers, names, descriptions, references of merchants. */
const OF_PEOPLE = new RegExp(
  ['25677\\d{7}', 'TEST-\\d+-\\d{6}']
    .concat(validRequests.flatMap(({ body }) => [body?.['customer_name'], body?.['description']].filter(isText)))
    .join('|'),
)
function isText(value: unknown): value is string {
  return typeof value === 'string'
}

test('the log contains none of them, even at its most verbose', () => {
  expect(lines.length).toBeGreaterThan(replies.length / 2)
  expect(lines.filter((line) => OF_PEOPLE.test(line))).toEqual([])
  expect(leaksIn(logTexts())).toEqual([])
})

test('no table contains one, except the columns that the field is for', async () => {
  expect(leaksIn(await textsOfDatabase(gateway.pool))).toEqual([])
})

test('no metric shows one', async () => {
  const text = await (await fetch(gateway.metricsUrl!)).text()
  expect(text).toContain('initializeCollection')
  expect(leaksIn([{ where: 'metrics', text }])).toEqual([])
})

test('no trace shows one', async () => {
  // Spans are exported every five seconds, or sooner when there are many.
  await expect.poll(() => collector.spans.some(({ kind }) => kind === 3)).toBe(true)
  await expect.poll(() => collector.spans.length).toBeGreaterThan(500)
  expect(collector.bodies.filter((body) => OF_PEOPLE.test(body))).toEqual([])
  expect(leaksIn(collector.bodies.map((text) => ({ where: 'traces', text })))).toEqual([])
})

test('callbacks and handshakes carry what the record has, and no more', () => {
  expect(new Set(received.map(({ where }) => where))).toEqual(new Set(['callback', 'handshake']))
  expect(leaksIn(received)).toEqual([])
})

test('replies repeat only the value that their message is about', () => {
  expect(leaksIn(replies)).toEqual([])
})

test("stores a merchant's reply without its keys and without the whole number", async () => {
  const { rows } = await gateway.pool.query<{ reply_excerpt: string }>('select reply_excerpt from callback_attempts')
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ reply_excerpt }) => /256772000(123|005)|0690000031/.test(reply_excerpt))).toEqual([])
  expect(rows[0]!.reply_excerpt).toMatch(
    /"secretKey":"\*+","signingKey":"\*+","webhookSecret":"\*+","card":"\*{13}\d{3}","spaced":"\*{4} \*{4} \*{4} \*\d{3}"/,
  )
})

test('shows staff no key and no whole number, and repeats no refused address', async () => {
  const env = { DATABASE_URL: databaseUrl(database.connection), MALIPO_MASTER_KEY: MASTER_KEY }
  const malipo = async (where: string, ...args: string[]): Promise<Text> => ({
    where: `cli ${where}`,
    text: await runCli(args, tmpdir(), env).catch((error: Error) => error.message.replace(args.join(' '), '')),
  })
  const {
    rows: [otp],
  } = await gateway.pool.query<{ transaction_id: bigint }>(
    `select transaction_id from transaction_events where kind = 'otp_wrong' limit 1`,
  )
  const withPassword = receiver.url.replace('//', `//shop:${canaries.plant('secret', 'password in a callback URL')}@`)
  const texts = await Promise.all([
    malipo('transaction list', 'transaction', 'list', '--limit', '1000', '--json'),
    malipo('transaction events', 'transaction', 'events', String(otp!.transaction_id)),
    malipo('callback list', 'callback', 'list', '--limit', '1000', '--json'),
    malipo('merchant show', 'merchant', 'show', KEYS.publicKey),
    malipo('merchant set', 'merchant', 'set', KEYS.publicKey, '--collection-callback-url', withPassword),
    malipo('keys list', 'keys', 'list', KEYS.publicKey, '--json'),
  ])
  expect(texts.map(({ where, text }) => (text.length > 100 ? where : text))).toEqual(texts.map(({ where }) => where))
  expect(texts.find(({ where }) => where === 'cli merchant set')!.text).toContain(
    'must not carry a user name or password',
  )
  expect(leaksIn(texts)).toEqual([])
  expect(texts.filter(({ text }) => /\b256772000(123|005)\b/.test(text)).map(({ where }) => where)).toEqual([])
})

test("PostgreSQL's text about a failed statement reaches neither log nor reply", async () => {
  const broken = await createTestDatabase()
  const failing = await startTestGateway({
    connection: broken.connection,
    surroundings: { clock, logger },
  })
  try {
    const before = lines.length
    expect(await sendWithFaults(failing, broken.connection, canaries)).toEqual(
      DATABASE_FAULTS.map(({ status }) => status),
    )
    expect(lines.slice(before).filter((line) => line.includes('request failed')).length).toBeGreaterThan(0)
    expect(lines.slice(before).filter((line) => line.includes('it will be tried again')).length).toBeGreaterThan(0)
    expect(leaksIn(logTexts())).toEqual([])
  } finally {
    await failing.stop()
    await broken.drop()
  }
})

test('PostgreSQL itself writes none of them into its log', async () => {
  const text = await readFile(join(inject('postgresFolder'), 'postgres.log'), 'utf8')
  expect(text).not.toBe('')
  expect(leaksIn([{ where: 'postgres.log', text }])).toEqual([])
})

test('everything that may appear somewhere does appear there', () => {
  expect(ALLOWED.filter((row) => !used.has(row)).map(({ planted }) => String(planted))).toEqual([])
})
