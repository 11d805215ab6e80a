import { expect, test } from 'vitest'
import { HOLDER_QUERIES_KEPT_MS, QUERIES_PER_ACCOUNT_MAX } from '../../actions/ports/account-holders.ts'
import type { HolderKnowledge } from '../../actions/ports/rail.ts'
import { withoutRail } from '../../start/rails-by-provider.ts'
import { removeExpired } from '../../storage/housekeeping.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { refusal } from '../testing/refusal.ts'
import { send, uniqueMsisdn } from '../testing/requests.ts'

// What an operator says about a number, and how often it is asked: our client, HTTP, PostgreSQL, and an operator that says
// what a test wants. Test numbers, spellings and refusals are tested by the parts `additions` and `declared` of the contract
// suite.

const PER_DAY = 30
let hears: HolderKnowledge = { knows: 'active' }
let queries = 0
const { gateway, malipo, clock } = await gatewayTest({
  env: { MALIPO_ACCOUNT_HOLDERS_PER_DAY: String(PER_DAY), MALIPO_RATE_LIMIT: '100000' },
  surroundings: {
    rails: {
      mtn_rw: {
        ...withoutRail('a test'),
        holderQuery: () => async () => {
          queries += 1
          return hears
        },
      },
    },
  },
})

const SECRET = { 'secret-key': DEMO_KEYS['secret-key'] }
const get = (path: string, headers: Readonly<Record<string, string>> = SECRET) =>
  send(gateway.url, 'GET', `/data/${path}`, { headers })
const holder = (msisdn: string, provider_code = 'mtn_ug') => malipo.data.accountHolder({ provider_code, msisdn })
const rwandan = (ending: string) => `250788${ending.padStart(6, '0')}`
const nextDay = () => clock.advance(HOLDER_QUERIES_KEPT_MS)

test('an operator that does not answer is away, and its number no answer', async () => {
  const { status, body, headers } = await get('account-holder?provider_code=mtn_ug&msisdn=256772000013')
  expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  expect(body).toMatchObject({ reason: 'operator_unavailable', message: refusal('operator_silent') })
})

test.each([
  ['markup', '<script>alert(1)</script>', 's***** a**** s*****'],
  ['control characters', '\u0000\u202eEve\r\nSet-Cookie: x\u0007', 'E** S********* x'],
  ['a long word', 'A'.repeat(5_000), 'A***********'],
  ['a number', '250788123456', undefined],
])('masks %s in place of a name', async (_what, name, masked_name) => {
  hears = { knows: 'active', name }
  expect((await holder(rwandan(String(queries)), 'mtn_rw')).masked_name).toBe(masked_name)
})

test('keeps no name and no number: the audit log has who asked for which masked number', async () => {
  nextDay()
  hears = { knows: 'active', name: 'Zuberi Quillfeather' }
  await holder(rwandan('777'), 'mtn_rw')
  const { rows } = await gateway.pool.query<{ stored: string }>(
    `select q::text as stored from account_holder_queries q union all select a::text from audit_log a`,
  )
  const stored = rows.map((row) => row.stored).join('\n')
  for (const secret of ['Zuberi', 'Quillfeather', rwandan('777'), Buffer.from('Zuberi').toString('hex')])
    expect(stored).not.toContain(secret)
  const { rows: entries } = await gateway.pool.query(
    `select actor_kind, actor, command, subject from audit_log where actor_kind = 'api' order by id desc limit 1`,
  )
  expect(entries).toEqual([
    {
      actor_kind: 'api',
      actor: DEMO_KEYS['public-key'],
      command: 'account-holder',
      subject: 'mtn_rw *********777',
    },
  ])
  await removeExpired(gateway.pool, new Date(clock.now().getTime() + HOLDER_QUERIES_KEPT_MS))
  expect((await gateway.pool.query('select from account_holder_queries')).rowCount).toBe(0)
})

test('repeats an answer for an hour to who asked, and to nobody else', async () => {
  nextDay()
  hears = { knows: 'active', name: 'Ann Bee' }
  const [first, before] = [await holder(rwandan('800'), 'mtn_rw'), queries]
  hears = { knows: 'no_account' }
  clock.advance(59 * 60_000)
  expect(await holder(rwandan('800'), 'mtn_rw')).toEqual(first)
  expect(queries).toBe(before)
  const other = await addMerchant(gateway, { name: 'Another that asks' }, clock.now())
  const keys = { 'public-key': other.publicKey, 'secret-key': other.secretKey }
  const { body } = await get(`account-holder?provider_code=mtn_rw&msisdn=${rwandan('800')}`, keys)
  expect(body.data).toMatchObject({ account_status: 'NOT_FOUND', checked_at: clock.now().toISOString() })
  clock.advance(60_000)
  expect((await holder(rwandan('800'), 'mtn_rw')).account_status).toBe('NOT_FOUND')
})

test('an account is asked for ten times a day, whoever else asks', async () => {
  nextDay()
  hears = { knows: 'unreachable', error: 'away' }
  const path = `account-holder?provider_code=mtn_rw&msisdn=${rwandan('900')}`
  for (let asked = 0; asked < QUERIES_PER_ACCOUNT_MAX; asked += 1) expect((await get(path)).status).toBe(503)
  const before = queries
  clock.advance(60_000)
  const { status, body, headers } = await get(path)
  const seconds = String((HOLDER_QUERIES_KEPT_MS - 60_000) / 1000)
  expect([status, body.message]).toEqual([429, refusal('holder_too_often', { 3600: seconds })])
  expect([headers.get('retry-after'), queries]).toEqual([seconds, before])
  const other = await addMerchant(gateway, { name: 'Another that asks' }, clock.now())
  expect((await get(path, { 'public-key': other.publicKey, 'secret-key': other.secretKey })).status).toBe(503)
})

test('of concurrent queries no more go out than a day allows', async () => {
  nextDay()
  hears = { knows: 'active', name: 'Ann Bee' }
  const before = queries
  const replies = await Promise.all(
    Array.from({ length: 2 * PER_DAY }, (_, n) =>
      get(`account-holder?provider_code=mtn_rw&msisdn=${rwandan(String(n))}`),
    ),
  )
  const refused = replies.filter(({ status }) => status === 429)
  expect([queries - before, refused.length]).toEqual([PER_DAY, PER_DAY])
  expect(refused[0]?.body.message).toBe(refusal('holders_too_many', { 1000: String(PER_DAY), 3600: '86400' }))
  expect((await malipo.data.predictProvider({ msisdn: uniqueMsisdn() })).source).toBe('PREFIX')
  nextDay()
  expect((await holder(rwandan('1'), 'mtn_rw')).account_status).toBe('ACTIVE')
})

const predicted = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await get(`predict-provider?${query}`, headers)
  return status === 200 ? body.data : [status, body.message]
}
const MTN = { country: 'UG', provider_code: 'mtn_ug', provider_name: 'MTN Uganda' }

test('asks the operators only with the right secret key', async () => {
  nextDay()
  const number = 'msisdn=256772000321'
  expect(await predicted(number, SECRET)).toEqual({ msisdn: '256772000321', ...MTN, source: 'OPERATOR' })
  expect(await predicted(number, { 'secret-key': 'wrong' })).toEqual([401, refusal('keys_wrong')])
  const asked = await gateway.pool.query('select from account_holder_queries where asked_at = $1', [clock.now()])
  expect(asked.rowCount).toBe(1)
  expect(await predicted('msisdn=256772000013', SECRET)).toMatchObject({ source: 'PREFIX' })
})

test('finds the operator that has a ported number', async () => {
  await gateway.pool.query(`update providers set prefix_rule = 'hint' where code in ('mtn_rw', 'airtel_rw')`)
  await gateway.refresh()
  hears = { knows: 'no_account' }
  expect(await predicted(`msisdn=${rwandan('321')}`)).toMatchObject({ provider_code: 'mtn_rw', source: 'PREFIX' })
  expect(await predicted(`msisdn=${rwandan('321')}`, SECRET)).toMatchObject({
    provider_code: 'airtel_rw',
    source: 'OPERATOR',
  })
})
