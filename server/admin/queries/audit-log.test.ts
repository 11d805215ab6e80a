import { expect, test } from 'vitest'
import type { Actor } from '../../domain/people/actor.ts'
import type { StaffRole } from '../../domain/people/roles.ts'
import { TEST_ACTOR } from '../../verification/testing/book-by-staff.ts'
import { untilLockWaits } from '../../verification/testing/lock-waits.ts'
import { withoutAudit } from '../../storage/audited-pool.ts'
import { joinTransaction } from '../../storage/joined-transaction.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { examineAuditLog } from './audit-chain.ts'
import { ActorRefused, applyChange, listAuditLog, type AuditedAction } from './audit-log.ts'
import { changeRole, endAccess, invitePerson, LastAdmin, listPeople } from './people.ts'
import { actorOf } from './person.ts'
import { setRate } from './provider-settings.ts'

const { pool } = await databaseTest()
const now = new Date('2026-11-27T10:00:00Z')

let people = 0
async function staff(role: StaffRole): Promise<Actor & { readonly personId: bigint }> {
  people += 1
  const given = { email: `p${people}@malipo.example`, name: `Person ${people}`, role, merchantId: null }
  return actorOf(await invitePerson(pool, given, now), 'desk-1') as Actor & { readonly personId: bigint }
}

const rateSet = (actor: Actor, more: Partial<AuditedAction> = {}): AuditedAction => ({
  actor,
  command: 'rate set',
  subject: 'USD UGX',
  reason: 'A test',
  ...more,
})
const rates = async () =>
  (
    await pool.query<{ rate: string }>(
      `select rate::text from exchange_rates where from_currency = 'USD' and to_currency = 'UGX'`,
    )
  ).rows
const settingRate = (rate: string, meanwhile: () => Promise<unknown> = async () => undefined) => ({
  read: async () => ({}),
  async apply(audited: Parameters<typeof setRate>[0]) {
    await setRate(audited, { from: 'USD', to: 'UGX', rate }, now)
    await meanwhile()
  },
  done: { rate },
})

/** So that nothing but the chain makes them wait for each other. */
const NOTHING = { read: async () => ({}), apply: async () => true }

test('an entry says who, with which role, from where and for whom', async () => {
  const actor = await staff('finance')
  await applyChange(pool, rateSet(actor, { requestId: 'req-1', reference: 'FT1' }), settingRate('3700'), now)
  expect((await listAuditLog(pool, { limit: 1 }))[0]).toMatchObject({
    at: now,
    actor_kind: 'staff',
    actor: actor.name,
    role: 'finance',
    person_id: actor.personId,
    address: 'desk-1',
    reference: 'FT1',
    request_id: 'req-1',
    merchant_id: null,
    new: { rate: '3700' },
  })
  await applyChange(pool, rateSet(actor, { subject: 'pub_sandbox_demo' }), settingRate('3700'), now)
  expect((await listAuditLog(pool, { subject: 'pub_sandbox_demo', limit: 1 }))[0]?.merchant_id).toBe(1n)
})

test.each([
  ['the role is taken away', (id: bigint) => changeRole(pool, id, 'support'), 'another role now: support'],
  ['the access ends', (id: bigint) => endAccess(pool, id, now), 'has no access any more'],
])('changes nothing when %s meanwhile', async (_what, meanwhile, why) => {
  const actor = await staff('finance')
  const before = [await rates(), await listAuditLog(pool, { limit: 1 })]
  const change = applyChange(
    pool,
    rateSet(actor),
    settingRate('1', () => meanwhile(actor.personId)),
    now,
  )
  await expect(change).rejects.toThrow(why)
  expect([await rates(), await listAuditLog(pool, { limit: 1 })]).toEqual(before)
})

test('refuses a role that may not', async () => {
  const actor = await staff('support')
  await expect(applyChange(pool, rateSet(actor), settingRate('1'), now)).rejects.toBeInstanceOf(ActorRefused)
})

test('keeps people of a merchant to their own merchant', async () => {
  const given = { email: 'owner@shop.example', name: 'Ali', role: 'owner', merchantId: 1n } as const
  const owner = actorOf(await invitePerson(pool, given, now), '10.0.0.1')
  const action = { actor: owner, command: 'keys rotate', reason: 'A test' }
  await applyChange(pool, { ...action, subject: 'pub_sandbox_demo' }, NOTHING, now)
  await expect(applyChange(pool, { ...action, subject: 'RSA' }, NOTHING, now)).rejects.toThrow('their own merchant')
  const forged = { ...owner, merchantId: 2n } as Actor
  await expect(
    applyChange(pool, { ...action, actor: forged, subject: 'x', merchantId: 2n }, NOTHING, now),
  ).rejects.toThrow('has no access any more')
})

// As many as the pool has connections: on a busy machine another one would wait for too long.
test('concurrent writers do not fork the chain', async () => {
  const before = (await listAuditLog(pool, { limit: 1 }))[0]?.seq ?? 0n
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      applyChange(pool, rateSet(TEST_ACTOR, { subject: `s${index}` }), NOTHING, now),
    ),
  )
  const links = (await listAuditLog(pool, { limit: 8 })).map(({ seq }) => seq).toSorted((a, b) => Number(a! - b!))
  expect(links).toEqual(Array.from({ length: 8 }, (_, index) => before + BigInt(index) + 1n))
  expect(await examineAuditLog(pool)).toMatchObject({ found: 0 })
})

test.each([
  ['a changed reason', `update audit_log set reason = 'Another' where seq = 2`, /^entry \d+ .* has changed/],
  ['a changed value', `update audit_log set new = '{"rate": "9"}' where seq = 2`, /has changed/],
  ['another actor', `update audit_log set actor = 'Ali' where seq = 2`, /has changed/],
  ['a deleted entry', 'delete from audit_log where seq = 2', /^an entry before entry \d+ is gone$/],
  [
    'an entry outside of the chain',
    `insert into audit_log (at, actor_kind, actor, command, subject, old, new)
     values (now(), 'os_user', 'me', 'rate set', 'x', '{}', '{}')`,
    /^1 entries are in no link/,
  ],
])('finds %s', async (_what, forgery, example) => {
  const client = await pool.connect()
  try {
    await client.query(`begin; alter table audit_log disable trigger append_only; ${forgery}`)
    expect((await examineAuditLog(client)).examples[0]).toMatch(example)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('of two admins who remove each other at once, one remains', async () => {
  const [one, other] = [await staff('admin'), await staff('admin')]
  const client = await pool.connect()
  await client.query('begin')
  await endAccess(withoutAudit(joinTransaction(client)), one.personId, now)
  const refused = expect(changeRole(pool, other.personId, 'support')).rejects.toBeInstanceOf(LastAdmin)
  await untilLockWaits(pool)
  await client.query('commit')
  client.release()
  await refused
  const admins = (await listPeople(pool, { merchantId: null })).filter(
    ({ role, ended_at: at }) => role === 'admin' && at === null,
  )
  expect(admins.map(({ id }) => id)).toEqual([other.personId])
})

test('a live database takes changes of people only, and of broken glass with a reason', async () => {
  const live = (await databaseTest()).pool
  await live.query(`update database_mode set mode = 'live'`)
  const change = settingRate('1')
  await expect(applyChange(live, rateSet(TEST_ACTOR), change, now)).rejects.toThrow('needs a login in live mode')
  const glass: Actor = { ...TEST_ACTOR, kind: 'break_glass', role: 'admin' }
  await expect(applyChange(live, rateSet(glass, { reason: undefined }), change, now)).rejects.toThrow('needs a reason')
  await applyChange(live, rateSet(glass), change, now)
  expect((await listAuditLog(live, { limit: 9 })).map(({ actor_kind: kind }) => kind)).toEqual(['break_glass'])
})
