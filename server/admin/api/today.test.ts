import { expect, test } from 'vitest'

import { collect, uniqueMsisdn } from '../../verification/testing/requests.ts'
import { installed } from '../queries/statements/testing/installed.ts'
import { saveCircuit } from '../../storage/rail-circuits.ts'
import { adminApiTest } from './testing/admin-api-test.ts'

const { gateway, clock, after, token, client } = await adminApiTest()
const staff = client(await token('read-only'))
const MINUTE_MS = 60_000

const today = async () => (await staff.GET('/today')).data!.data

test('counts the payments of the day, and remembers them for half a minute', async () => {
  expect(await today()).toMatchObject({ volumes: [], providers: [], attention: [] })
  await collect(gateway.url)
  await collect(gateway.url, { msisdn: uniqueMsisdn('002') })
  await after(3_000)
  await after(3_000)
  expect((await today()).volumes).toEqual([])
  clock.advance(30_000)
  const { date, volumes, days, providers } = await today()
  expect(volumes).toMatchObject([{ transaction_type: 'COLLECTION', currency: 'UGX', completed: 1, payments: 2 }])
  expect(days).toHaveLength(14)
  expect(days.at(-1)).toEqual({ date, completed: 1, failed: 1, open: 0 })
  expect(providers).toEqual([{ provider_code: 'mtn_ug', completed: 1, failed: 1 }])
})

test('counts what needs a person', async () => {
  await gateway.pool.query(
    `insert into approvals (operation, digest, maker, requested_at, expires_at, command, subject, arguments, old, new)
     values ('rates', 'x', 'Amina', $1, $2, 'rate set', 'KES NGN', '{rate,set}', '{}', '{}')`,
    [clock.now(), new Date(clock.now().getTime() + 5 * MINUTE_MS)],
  )
  await collect(gateway.url, { msisdn: uniqueMsisdn('006') })
  await after(3_000)
  clock.advance(MINUTE_MS - 1_000)
  expect((await today()).attention).toEqual([{ kind: 'approvals', count: 1, is_more: false }])
  clock.advance(31 * MINUTE_MS)
  expect((await today()).attention).toEqual([{ kind: 'stuck_payments', count: 1, is_more: false }])
})

test('counts operators that do not answer, and floats that are low', async () => {
  await installed(gateway.pool, 'mtn-uganda')
  const now = clock.now()
  const { rows } = await gateway.pool.query<{ id: string }>('select id from processes limit 1')
  const circuit = {
    railAccount: 'mtn-uganda',
    processId: rows[0]!.id,
    state: 'open',
    since: now,
    lastError: 'HTTP 502',
  }
  await saveCircuit(gateway.pool, { ...circuit, state: 'open', nextTryAt: now })
  await gateway.pool.query(
    `insert into rail_balances (rail_account, currency, asked_at, checked_at, ledger_minor, operator_minor, opening_minor,
       unexplained_minor, float_minor, float_low_minor) values ('mtn-uganda', 'UGX', $1, $1, 0, 400, 400, 0, 400, 500)`,
    [now],
  )
  expect((await today()).attention).toEqual(
    expect.arrayContaining([
      { kind: 'open_circuits', count: 1, is_more: false },
      { kind: 'low_floats', count: 1, is_more: false },
    ]),
  )
  const { items } = (await staff.GET('/rail-accounts')).data!.data
  expect(items.find(({ name }) => name === 'mtn-uganda')).toMatchObject({
    circuit: 'open',
    circuit_error: 'HTTP 502',
    waiting_payouts: 0,
    float: { available: 400, low_below: 500 },
  })
  const warnings = (await staff.GET('/doctor')).data!.data.warnings.filter((text) => text.includes('mtn-uganda'))
  expect(warnings).toHaveLength(2)
})

test('the doctor and the audit log hold, and say when not', async () => {
  const [one, other] = await Promise.all([staff.GET('/doctor'), staff.GET('/doctor')])
  expect(one.data?.data.checks.filter(({ found }) => found > 0)).toEqual([])
  expect(other.data?.data).toEqual(one.data?.data)
  expect((await staff.GET('/audit-log/verification')).data?.data).toMatchObject({ intact: true, faults: [] })
  expect((await staff.GET('/audit-log/{entry}', { params: { path: { entry: '99' } } })).error?.code).toBe(404)
})
