import { isDeepStrictEqual } from 'node:util'
import { passing } from '../../driver/clock.ts'
import { isFinal } from '../../driver/message-fields.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { itemsOf } from '../../driver/requests.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { AdditionsFixture } from './additions-fixture.ts'

const PAGES_MAX = 50
const OLD_KINDS = 3
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Of a statement. */
const DAYS_MAX = 31
/** Beside the entries, a file has names, opening and closing. */
const OTHER_LINES = 3

/** What a merchant reads of its own history: events, transactions and statements say what callbacks and look-ups do. */
export async function lists(fixture: AdditionsFixture): Promise<void> {
  const driver = withSecret(fixture)
  await events(fixture, driver)
  await whileOpen(fixture, driver)
  await filters(driver)
  await transactions(driver)
  for (const type of ['MERCHANT_COLLECTION', 'MERCHANT_PAYOUT']) await statement(fixture, withSecret(fixture), type)
  const end = nowOf(fixture).getTime()
  for (const [more, wanted] of [
    [0, 200],
    [1_000, 400],
  ] as const) {
    const [from, to] = [end - DAYS_MAX * DAY_MS - more, end].map((at) => new Date(at).toISOString())
    const path = `/data/statement?wallet_type=MERCHANT_PAYOUT&currency=UGX&from=${from}&to=${to}`
    // A file: an envelope has too few entries for an account that has been used for long.
    const reply = await driver.get(path, { accept: 'text/csv' })
    driver.expect('getStatement', reply, wanted, `a statement of 31 days and ${more} ms`)
  }
}

function withSecret(fixture: AdditionsFixture): PaymentDriver {
  const driver = fixture.driver('lists')
  const secret = { 'secret-key': fixture.target.secretKey }
  return { ...driver, get: (path, more) => driver.get(path, { ...secret, ...more }) }
}

const nowOf = ({ target }: AdditionsFixture): Date => target.own?.now() ?? new Date()

async function events(fixture: AdditionsFixture, driver: PaymentDriver): Promise<void> {
  const { merchant, target } = fixture
  const listed: Fields[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const after = Number(listed.at(-1)?.number ?? 0)
    const items = itemsOf((await driver.get(`/data/events?after=${after}&limit=100`)).data, 'events')
    if (items.length === 0) break
    listed.push(...items)
  }
  // A program that keeps both goes on from where it was.
  const begin = new Date(nowOf(fixture).getTime() - DAY_MS / 2).toISOString()
  for (const after of [1, 2]) await driver.get(`/data/events?from=${begin}&after=${after}&limit=3`)
  const inOrder = listed.every(({ number }, index) => number === index + 1)
  driver.hold('listEvents', inOrder, 'events without gaps', 'the numbers of the events do not count 1, 2, 3')
  const bodies = new Map(listed.map((event) => [event.webhook_id, event.body]))
  driver.hold('listEvents', bodies.size === listed.length, 'events once', 'two events have one webhook_id')
  if (!target.own) return
  for (const { headers, body, path, webhook } of merchant?.messages ?? []) {
    const [id] = headers['webhook-id'] ?? []
    if (id === undefined || webhook === 'payoutHandshake' || path.startsWith('/other/')) continue
    const what = bodies.has(id) ? 'another body' : 'no event'
    const isSame = bodies.get(id) === body?.toString()
    driver.hold('listEvents', isSame, 'the event of a callback', `${webhook} ${id} has ${what} in the list`)
  }
}

/** Lists show payments also before their end. */
async function whileOpen({ target }: AdditionsFixture, driver: PaymentDriver): Promise<void> {
  const list = (type: string): Promise<unknown> => driver.get(`/data/transactions?transaction_type=${type}&limit=5`)
  const { data: payout } = await driver.pay({ account_number: driver.phone() })
  await list('PAYOUT')
  const { data } = await driver.collect({ msisdn: driver.phone() })
  const { merchant_reference: collection } = await driver.settled(data.merchant_reference)
  const body = { merchant_reference: driver.reference(), collection_reference: collection, reason: 'Sent back' }
  await driver.post('refundCollection', body)
  await list('REFUND')
  await driver.advance(0)
  await list('REFUND')
  // Otherwise one could end between its list and its look-up.
  await driver.settled(payout.merchant_reference)
  await passing(target.own, async () => isFinal((await driver.refund(body.merchant_reference)).data))
}

/** A filter leaves out nothing that has its value, and the beginning of a reference is no pattern. */
async function filters(driver: PaymentDriver): Promise<void> {
  const begin = driver.reference()
  const references = [`${begin}_1`, `${begin}X1`, `${begin}.1`]
  for (const merchant_reference of references) await driver.collect({ merchant_reference, msisdn: driver.phone('006') })
  const expected = { customer_reference: 'auto', description: 'Invoice of May', currency: 'UGX', amount: 5000 }
  const common = { provider_code: 'mtn_ug', merchant_reference: `${begin}-E`, ...expected }
  await driver.post('expectPayment', common)
  const listed = async (query: string): Promise<readonly Fields[]> =>
    itemsOf((await driver.get(`/data/transactions?limit=50&${query}`)).data, 'transactions')
  for (const reference of references) await listed(`reference=${reference.slice(0, -1)}`)
  const all = await listed('')
  for (const name of ['transaction_status', 'transaction_type', 'provider_code']) {
    const values = new Set(all.map(({ [name]: value }) => String(value)))
    for (const value of values) {
      const found = new Set((await listed(`${name}=${value}`)).map(({ internal_reference: id }) => id))
      const lacking = all.filter((each) => each[name] === value && !found.has(each.internal_reference))
      // What has ended meanwhile has another value now.
      const later = lacking.length > 0 ? await listed('') : []
      const missing = lacking.find((each) => later.some((now) => isDeepStrictEqual(now, each)))
      const what = `${String(missing?.merchant_reference)} is listed with ${name} ${value}, and a list with this filter lacks it`
      driver.hold('listTransactions', missing === undefined, `the filter ${name}`, what)
    }
  }
}

/** All pages of a list of transactions. */
async function pagesOf(driver: PaymentDriver, filter: string): Promise<readonly Fields[]> {
  const listed: Fields[] = []
  let after = ''
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data } = await driver.get(`/data/transactions?limit=40${filter}${after}`)
    listed.push(...itemsOf(data, 'transactions'))
    if (typeof data.next !== 'string') break
    after = `&after=${data.next}`
  }
  return listed
}

/** The kinds that have not come for longest are found behind all others: a page may be empty, and is not the last. */
async function oldKinds(driver: PaymentDriver, listed: readonly Fields[]): Promise<void> {
  const kinds = Map.groupBy(
    listed,
    ({ transaction_type: type, provider_code: code }) =>
      `&transaction_type=${String(type)}&provider_code=${String(code)}`,
  )
  for (const [filter, records] of [...kinds].slice(-OLD_KINDS)) {
    const found = new Set((await pagesOf(driver, filter)).map(({ internal_reference: id }) => id))
    const missing = records.find(({ internal_reference: id }) => !found.has(id))
    const what = `the pages of ${filter.slice(1)} lack ${String(missing?.merchant_reference)}, which the whole list has`
    driver.hold('listTransactions', missing === undefined, 'the pages of a filter', what)
  }
}

async function transactions(driver: PaymentDriver): Promise<void> {
  const listed = await pagesOf(driver, '')
  await oldKinds(driver, listed)
  const ids = new Set(listed.map(({ internal_reference: id }) => id))
  driver.hold('listTransactions', ids.size === listed.length, 'listed once', 'a transaction is on two pages')
  for (const record of listed) {
    const { merchant_reference: reference, transaction_type: type } = record
    const own = type === 'REFUND' ? (await driver.refund(reference)).data : await driver.verify(reference)
    const what = `${String(reference)} is listed as ${JSON.stringify(record)}, and its look-up says ${JSON.stringify(own)}`
    driver.hold('listTransactions', isDeepStrictEqual(record, own), 'a listed record is that of its look-up', what)
  }
}

/** Of 30 days, or of the last hour or minute when that is more entries than a reply may have. */
async function longestStatement(driver: PaymentDriver, type: string, to: number) {
  const asked = async (ms: number) => {
    const [begin, end] = [to - ms, to].map((at) => new Date(at).toISOString())
    const path = `/data/statement?wallet_type=${type}&currency=UGX&from=${begin}&to=${end}`
    return { path, got: await driver.get(path) }
  }
  const isShort = ({ got: { reply } }: Awaited<ReturnType<typeof asked>>) =>
    reply === undefined || fieldsOf(jsonOf(reply.body)).reason !== 'statement_too_long'
  const ofMonth = await asked(30 * DAY_MS)
  if (isShort(ofMonth)) return ofMonth
  const ofHour = await asked(HOUR_MS)
  return isShort(ofHour) ? ofHour : asked(MINUTE_MS)
}

async function statement(fixture: AdditionsFixture, driver: PaymentDriver, type: string): Promise<void> {
  const to = nowOf(fixture).getTime() + 1_000
  const { path, got } = await longestStatement(driver, type, to)
  driver.expect('getStatement', got, 200, 'a statement of a wallet')
  if (got.status !== 200) return
  const { data } = got
  const { reply } = await driver.get(path, { accept: 'text/csv' })
  const entries = itemsOf(data, 'entries')
  const sum = entries.reduce((total, { amount }) => total + Number(amount), Number(data.opening_balance))
  const { data: wallets } = await driver.wallets()
  const wallet = itemsOf(wallets, 'merchant_wallets').find(
    (each) => each.wallet_type === type && each.currency === 'UGX',
  )
  const closing = Number(data.closing_balance)
  driver.hold('getStatement', sum === closing, 'a statement adds up', `entries add up to ${sum}, not ${closing}`)
  const lines = reply?.body.toString().trimEnd().split('\r\n').length
  if (!fixture.target.own) return
  const rows = `the file has ${lines} lines for ${entries.length} entries`
  driver.hold('getStatement', lines === entries.length + OTHER_LINES, 'a statement as a file', rows)
  // What payouts in flight hold is part of the statement, and not of the balance.
  const balance = Number(wallet?.actual_balance)
  const isRight = type === 'MERCHANT_PAYOUT' ? closing >= balance : closing === balance
  const what = `it closes with ${closing}, and the wallet has ${balance}`
  driver.hold('getStatement', isRight, 'a statement ends with the balance', what)
}
