import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { ChaosEnvironment } from './faults/fault.ts'
import { doctorFaults, judge } from './judge.ts'
import { settleAll } from './settle.ts'
import { createLoad } from './load.ts'
import { payout } from './payments.ts'
import { startMerchant } from './merchant.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { forFile } from '../testing/for-file.ts'
import { asSuperuser } from '../testing/superuser.ts'

// A judge that finds nothing may be blind: the test makes each fault that it must detect in a real database, checks
// that it is found, and undoes it.

const { database, gateway, clock } = await gatewayTest()
const merchant = await forFile(startMerchant())
await gateway.pool.query(
  'update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $1',
  [merchant.url],
)
await gateway.refresh()
const load = createLoad([gateway.url])
await load.sendAll(1, 0)
for (const [n, ending] of ['123', '002', '007'].entries()) await load.send(payout(`JUDGED-${ending}`, n, ending))
for (let minutes = 0; minutes < 3; minutes += 1) {
  await gateway.runDue()
  clock.advance(60_000)
}
// The tables' guards apply to the gateway's role; only a superuser can bypass them.
const client = new pg.Client(await asSuperuser(database.connection))
await client.connect()
afterAll(() => client.end())
const world: ChaosEnvironment = {
  merchant,
  load,
  pool: client,
  fleet: { members: [], urls: [], broken: [], choose: () => undefined, stop: async () => undefined },
  staff: {
    malipo: async () => ({ code: 0, out: '', err: '' }),
    deposit: async () => undefined,
    transfer: async () => undefined,
    bookings: [],
  },
  killPostgres: async () => undefined,
}

/** Runs the judge on a copy in which the statements were executed, whatever the tables' own guards say. */
async function after<Value>(statements: string, run: () => Promise<Value>): Promise<Value> {
  await client.query('begin; set local session_replication_role = replica')
  try {
    await client.query(statements)
    return await run()
  } finally {
    await client.query('rollback')
  }
}

const judgeAfter = (statements: string, changes: Partial<ChaosEnvironment> = {}): Promise<string> =>
  after(statements, async () => (await judge({ ...world, ...changes })).join('\n'))

test('finds a faultless gateway faultless', async () => {
  expect(await judgeAfter('select')).toBe('')
  expect(world.load.acknowledged.size).toBe(4)
})

const late = `(select id from transactions where merchant_reference = 'JUDGED-007')`
const completed = `(select id from transactions where merchant_reference = 'JUDGED-123')`
const order = `(select internal_reference from transactions where merchant_reference = 'JUDGED-123')`
test.each([
  ['lost', /^lost: .*JUDGED-123$/m, `delete from transactions where merchant_reference = 'JUDGED-123'`],
  [
    'doubled',
    /^doubled: .*JUDGED-123$/m,
    `insert into transactions select (t).* from (
       select jsonb_populate_record(t, '{"id": 7, "internal_reference": "again"}') as t
       from transactions t where id = ${completed}) s`,
  ],
  [
    'hanging',
    /^hanging: .*JUDGED-123 \(PAYOUT, PROCESSING\)$/m,
    `update transactions set status = 'PROCESSING' where id = ${completed}`,
  ],
  [
    'a callback of a state that was never reached',
    /^reported wrongly: .*JUDGED-123 \(reported COMPLETED, is FAILED\)$/m,
    `update transactions set status = 'FAILED' where id = ${completed}`,
  ],
  [
    'moved twice',
    /^moved by the rail more than once: 1/m,
    `update sandbox.orders set transfers = 2 where reference = ${order}`,
  ],
  [
    'completed, and never moved',
    /^completed without a transfer of the rail: 1/m,
    `update sandbox.orders set transfers = 0 where reference = ${order}`,
  ],
  [
    'paid by the rail and not booked',
    /^moved by the rail, not completed, and listed nowhere: 1.*JUDGED-007/m,
    `update transactions set status = 'FAILED' where id = ${late};
     delete from entries where transfer_id in (select id from transfers where kind = 'payout_late');
     delete from transfers where kind = 'payout_late'`,
  ],
  [
    'booked with another amount',
    /^transactions whose booking is not what the rail moved: 1.*"moved":"1000","booked":"1001"/m,
    `update entries e set amount_minor = amount_minor + 1 from accounts a where a.id = e.account_id and a.kind = 'rail'
     and transfer_id = (select id from transfers where kind = 'payout' and transaction_id = ${completed})`,
  ],
  [
    'on the wrong rail account',
    /^rail accounts that are not the sum of what the rail moved: 2/m,
    `update transactions set provider_code = 'airtel_ug' where id = ${completed}`,
  ],
  [
    'a page that expired',
    /^payment pages that expired long before their time: 1/m,
    `update transactions set status_message = 'Payment page expired' where id = ${completed}`,
  ],
])('the judge reports it: %s', async (_, says, statements) => {
  expect(await judgeAfter(statements)).toMatch(says)
})

test('the judge reports what an operator on the wire moved twice, or for nobody', async () => {
  const order = {
    kind: 'collection',
    id: 'one',
    currency: 'UGX',
    amount: '1000',
    details: { callbackUrl: 'http://h/operators/sandbox-uganda/token/order-1' },
  }
  const entries = [
    { entry: 'taken', at: '2026-03-01T08:00:00Z', order },
    ...[1, 2].map((movement) => ({ entry: 'settled', kind: 'collection', id: 'one', movement })),
  ]
  const rows = entries.map((entry) => `('mtn-momo', '${JSON.stringify(entry)}')`)
  const said = await judgeAfter(`insert into sandbox.operator_journal (operator, entry) values ${rows.join(', ')}`)
  expect(said).toMatch(/^moved by the rail more than once: 1, for example \{"reference":"order-1","transfers":2\}$/m)
  expect(said).toMatch(/^orders of the rail without a transaction: 1/m)
})

test('the judge reports callbacks missing or doubled, and unconfirmed payouts', async () => {
  const reported = new Map([...merchant.received].map(([reference, statuses]) => [reference, new Map(statuses)]))
  reported.get('JUDGED-007')!.delete('FAILED')
  reported.get('JUDGED-123')!.set('COMPLETED', new Set(['one', 'two']))
  const confirmed = new Set([...merchant.confirmed].filter((reference) => reference !== 'JUDGED-123'))
  const said = await judgeAfter('select', {
    merchant: { ...merchant, received: reported, confirmed },
  })
  expect(said.split('\n').map((line) => line.replace(/:.*, for example/, ':'))).toEqual([
    'not reported: JUDGED-007 (FAILED)',
    'reported twice, under several webhook-ids: JUDGED-123 (COMPLETED)',
    'a payout that left without the yes of the merchant: JUDGED-123',
  ])
})

test('reports a lost transfer, an exited process, an odd reply, a failing doctor', async () => {
  const doctor = {
    code: 1,
    out: JSON.stringify({ checks: [{ name: 'wallets', ok: false, found: 2, examples: ['wallet 7'] }] }),
    err: '',
  }
  const said = await judgeAfter('select', {
    staff: {
      ...world.staff,
      malipo: async () => doctor,
      bookings: [
        { note: 'drill 1', done: true },
        { note: 'drill 2', done: false },
      ],
    },
    load: { ...world.load, complaints: ['X got 500'] },
    fleet: { ...world.fleet, broken: ['worker 1 ended by itself'] },
  })
  expect(said.split('\n').map((line) => line.replace(/: 1, for example/, ':'))).toEqual([
    'a reply that no merchant should get, or none: X got 500',
    'a process that exited unexpectedly: worker 1 ended by itself',
    'bookings by staff that were lost or doubled: drill 1',
    'doctor, wallets: 2, for example wallet 7',
  ])
})

test('staff cover and complete a payment listed as paid; an unlisted one is a fault', async () => {
  const paid = `alter table transactions add column if not exists rail_paid_at timestamptz;
    update transactions set rail_paid_at = now() where merchant_reference = 'JUDGED-002'`
  const settle = async (listed: string) => {
    const [requested, faults]: [string[], string[]] = [[], []]
    const malipo = async (...args: readonly string[]) => {
      requested.push(args.join(' '))
      return { code: 0, out: listed, err: '' }
    }
    const deposit = async (amount: number) => void requested.push(`deposit ${amount}`)
    const { railPaid } = await settleAll({ ...world, staff: { ...world.staff, malipo, deposit } }, faults)
    return { railPaid, asked: requested, faults }
  }
  const requested = [
    'transaction list --stuck --limit 1000',
    'deposit 1005',
    'transaction resolve JUDGED-002 --completed --reason The rail has paid it',
  ]
  expect(await after(paid, () => settle('[{"merchant_reference":"JUDGED-002"}]'))).toEqual({
    railPaid: 1,
    asked: requested,
    faults: [],
  })
  expect(await after(paid, () => settle('[]'))).toEqual({
    railPaid: 1,
    asked: requested,
    faults: ['paid by the rail, not covered, and not listed by "transaction list --stuck": 1, for example JUDGED-002'],
  })
})

test('a job delayed beyond every rule is a fault at once, and nothing waits for it', async () => {
  const faults: string[] = []
  const put = `insert into jobs (kind, subject_id, due_at)
    values ('submitToRail', 1, now() + interval '1 hour'), ('pollRail', 2, now())`
  await after(put, () => settleAll(world, faults))
  expect(faults).toEqual([
    'not settled: 2 jobs, 0 reports of the rail, 0 open transactions',
    expect.stringMatching(/^due too late: 1 × submitToRail, up to 3\d{3} s from now$/),
  ])
})

test('runs the doctor again when it could not check, and counts what it finds then', async () => {
  const out = JSON.stringify({ checks: [{ name: 'wallets', ok: false, found: 1, examples: ['wallet 7'] }] })
  const answers = [
    { code: 1, out: '', err: 'malipo: no host of DATABASE_URL takes writes' },
    { code: 1, out, err: '' },
  ]
  const found = await doctorFaults({ malipo: async () => answers.shift() ?? { code: 0, out: '', err: '' } })
  expect(found).toEqual(['doctor, wallets: 1, for example wallet 7'])
})
