import { beforeAll, expect, test } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { csvOf, plantedStatement } from '../queries/statements/testing/planted-statement.ts'
import { applyChange, previewChange } from '../queries/audit-log.ts'
import { createAcceptance } from '../../storage/accept-transactions.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { TEST_ACTOR } from '../../verification/testing/book-by-staff.ts'
import { mobileMoneyPayout } from '../../verification/testing/requests.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { newTransaction } from '../../verification/testing/transactions.ts'
import { PAYOUT_TEMPLATE } from '../../domain/payout-file.ts'
import { malipo } from './testing/command-line.ts'
import { environmentOf, operatedGateway } from './testing/operated-gateway.ts'
import {
  ACCOUNT,
  ADDED,
  any,
  LEAVE_AN_ENTRY,
  LEAVE_NONE,
  like,
  LIMITS,
  ONLY_READ,
  REASON,
  SECRET,
  type StaffSetup,
} from './testing/staff-commands.ts'
import { leafCommands } from './testing/usage.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

// Each command is in one of three lists: it writes an audit entry, it only reads, or the list says why it does neither.

const gateway = await operatedGateway()
const { written } = temporaryFolder()

let setup: StaffSetup

const simulated = (name: string): Promise<Simulator> =>
  forFile(startSimulator(present(SIMULATORS[name], name)({}), { auto: true }))

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  const { newMerchant, receiver, collect, deliveredTimes, become } = gateway
  const merchant = await newMerchant('--collection-callback-url', `${receiver.url}/callbacks?token=${SECRET}`)
  await collect(merchant, 'STAFF-PAID')
  await deliveredTimes('STAFF-PAID', 1)
  await collect(merchant, 'STAFF-OPEN', '256772000006')
  await become('STAFF-OPEN', 'PROCESSING')
  await gateway.json(['approval', 'rules', 'set', 'payouts', ...REASON])
  const paid = await gateway.api(
    '/payout/send-funds',
    { 'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo' },
    mobileMoneyPayout({ merchant_reference: 'STAFF-PAYOUT' }),
  )
  expect(paid.status, await paid.text()).toBe(202)
  const [mtn, daraja] = await Promise.all([simulated('mtn-momo'), simulated('daraja')])
  const settings = async ({ url }: Simulator) => (await fetch(`${url}/simulator/rail.env`)).text()
  const { lines } = plantedStatement(7, 3, 0, new Date(Date.now() - 5 * 86_400_000))
  setup = {
    merchant,
    urls: { mtn: mtn.url, daraja: daraja.url },
    files: {
      mtn: written('mtn.env', `${await settings(mtn)}\nstatement_window_hours=0`),
      daraja: written('daraja.env', `${await settings(daraja)}\npull=yes`),
      renewed: written('renewed.env', `collection_api_key=${SECRET}`),
      statement: written('day.csv', [...csvOf(lines)].join('')),
      logo: written('logo.png', PNG),
      payouts: written('salaries.csv', PAYOUT_TEMPLATE.split('\r\n').slice(0, 2).join('\r\n')),
    },
  }
})

test('every command leaves an entry, only reads, or says why not', async () => {
  const lists = [LEAVE_AN_ENTRY, ONLY_READ, LEAVE_NONE].flatMap((list) => Object.keys(list))
  expect(lists.toSorted()).toEqual((await leafCommands()).toSorted())
})

interface Entry {
  readonly id: number
  readonly command: string
  readonly subject: string
  readonly old: object
  readonly new: Readonly<Record<string, string>>
  readonly reason?: string
}
const entries = (...options: string[]) => gateway.json<Entry[]>(['audit', 'list', ...options])
const newest = async () => (await entries('--limit', '1'))[0]

/** Preconditions of a row that are not commands of the table, or must run before it. */
const BEFORE: Readonly<Record<string, () => readonly string[]>> = {
  'rail remove': () => ['provider', 'set', 'mtn_staff', '--no-rail', ...REASON],
  'statement pull': () => {
    const { urls, files } = setup
    return ['rail', 'add', 'daraja', 'daraja', '--currency', 'KES', '--base-url', urls.daraja, '--from', files.daraja]
  },
}

test.each(Object.entries(LEAVE_AN_ENTRY))('%s leaves an entry of who did it', async (command, row) => {
  const before = BEFORE[command]
  if (before) await gateway.json(before())
  const { id = 0 } = (await newest()) ?? {}
  const args = [...command.split(' '), ...row.args(setup)]
  const { code, err } = await gateway.malipo(row.withoutReason ? args : [...args, ...REASON])
  expect(code, err).toBe(0)
  const entry = present(await newest(), 'an entry')
  expect(entry.id).toBeGreaterThan(id)
  expect(entry).toMatchObject({
    command,
    subject: typeof row.subject === 'function' ? row.subject(setup) : row.subject,
    actor: like(/./),
    actor_kind: 'os_user',
    address: like(/./),
    seq: expect.any(Number) as number,
  })
  expect(entry).toHaveProperty('old', row.old ?? {})
  expect(entry).toHaveProperty('new', row.new)
  expect(entry.reason).toBe(row.withoutReason ? undefined : 'Ticket 4711')
  expect(JSON.stringify(entry) + err).not.toMatch(new RegExp(`${SECRET}|${ACCOUNT}`))
  if (row.withoutReason) return
  for (const value of Object.values(entry.new)) expect(err).toContain(` -> ${value}\n`)
})

test.each<[args: string[], old: object, changed: object]>([
  [['rate', 'set', 'KES', 'UGX', '28'], {}, { rate: '28' }],
  [['rate', 'set', 'KES', 'UGX', '28.5'], { rate: '28' }, { rate: '28.5' }],
  [
    ['provider', 'set', 'airtel_ug', '--type', 'PAYOUT', '--max', '123456'],
    { 'PAYOUT max_amount': like(/^\d+$/) },
    { 'PAYOUT max_amount': '123456' },
  ],
  [
    ['merchant', 'set', 'pub_sandbox_demo', '--name', 'Duka Mbili', '--disable', 'bank_ng:PAYOUT'],
    { name: 'Duka la Mfano', payouts: like(/bank_ng/) },
    { name: 'Duka Mbili', payouts: expect.not.stringContaining('bank_ng') as string },
  ],
])('%j stores and prints what it changes, and the former value', async (args, old, changed) => {
  const { code, err } = await gateway.malipo([...args, ...REASON])
  const entry = present(await newest(), 'an entry')
  expect([code, err.split('\n')[0]]).toEqual([0, `${args[0]} ${args[1]} ${entry.subject}: old and new`])
  expect([entry.old, entry.new]).toEqual([old, changed])
  for (const [name, value] of Object.entries(entry.new))
    expect(err.split('\n')).toContainEqual(like(new RegExp(`^  ${name}: .* -> ${value}$`)))
})

test('stores no key of a rotation', async () => {
  const { public_key } = await gateway.newMerchant()
  for (const kind of ['secret_key', 'signing_key', 'webhook_secret']) {
    const args = ['keys', 'rotate', public_key, '--kind', kind, '--keep-old', '0']
    const rotated = await gateway.json<Record<string, string>>([...args, ...REASON])
    const entry = present(await newest(), 'an entry')
    expect(entry.new).toEqual({ [`key ${rotated['id']} (${kind})`]: 'valid' })
    expect(Object.values(entry.old)).toEqual(['valid'])
    expect(JSON.stringify(entry)).not.toContain(rotated[kind])
  }
  const { id } = await gateway.json<{ id: string }>(['keys', 'rotate', '--rsa', ...REASON])
  expect(await newest()).toMatchObject({ subject: 'RSA', new: { 'RSA key that signs': id } })
})

test('stores the reason of a command that needs none, and prints an entry without', async () => {
  await gateway.json(['merchant', 'create', 'Duka Nne', ...REASON])
  expect((await newest())?.reason).toBe('Ticket 4711')
  await gateway.json(['merchant', 'create', 'Duka Tano'])
  const { out } = await gateway.malipo(['audit', 'list', '--limit', '2'])
  expect(out).toMatch(/ {2}no reason given\n[^]* {2}because Ticket 4711\n/)
})

test.each([
  [['merchant', 'create', 'X', '--verification-url', 'ftp://127.0.0.1']],
  [['provider', 'add', 'mtn_staff', ...ADDED, ...LIMITS]],
  [['rail', 'add', 'mtn', 'mtn-momo', '--currency', 'UGX', '--base-url', 'http://127.0.0.1:9']],
  [['rail', 'set', 'daraja', '--set', 'timeout_ms=1']],
  [['rail', 'remove', 'nobody']],
  [['rail', 'book', 'daraja', 'in', '0', '--reference', 'X']],
  [['reconcile', 'end', '1']],
  [['reconcile', 'end', '999']],
  [['reconcile', 'daraja']],
  [['statement', 'import', 'daraja', '/no/such/file']],
  [['callback', 'resend', '999999']],
  [['callback', 'resend', '--since', '0s']],
  [['archive', '2019-01']],
  [['merchant', 'brand', 'pub_sandbox_demo']],
  [['wallet', 'transfer', '1', 'UGX', '999999999', '--from', 'payout', '--to', 'collection']],
  [['wallet', 'deposit', '1', 'UGX', '1000', '--reference', 'STAFF-D']],
  [['provider', 'set', 'airtel_ug', '--type', 'PAYOUT', '--min', '999999999']],
  [['transaction', 'resolve', 'STAFF-OPEN', '--completed']],
  [['keys', 'withdraw', '--rsa', '0123456789abcdef']],
])('leaves no entry of what changes nothing: %j', async (args) => {
  const before = await newest()
  await gateway.malipo([...args, ...REASON])
  expect(await newest()).toEqual(before)
})

test.each([
  [['rail', 'set', 'daraja', '--set', 'timeout_ms=900']],
  [['rail', 'remove', 'daraja']],
  [['keys', 'reseal']],
  [['rail', 'book', 'daraja', 'in', '5', '--reference', 'Y']],
  [['reconcile', 'end', '3']],
  [['rate', 'set', 'KES', 'UGX', '31']],
])('commits %j together with its entry', async (args) => {
  const { client } = gateway
  const state = async () =>
    (
      await client.query<
        Record<string, string>
      >(`select (select json_agg(r order by name) from rail_accounts r)::text as accounts,
        (select json_agg(e order by id) from reconciliation_exceptions e)::text as exceptions,
        (select json_agg(x order by from_currency, to_currency) from exchange_rates x)::text as rates`)
    ).rows
  const before = await state()
  await client.query('alter table audit_log add constraint none_now check (false) not valid')
  expect((await gateway.malipo([...args, ...REASON])).code).toBe(1)
  await client.query('alter table audit_log drop constraint none_now')
  expect(await state()).toEqual(before)
})

test('what only reads needs no right to write', async () => {
  const database = await databaseTest()
  const { pool } = database
  const env = environmentOf(database)
  await createAcceptance(pool).accept(newTransaction({ merchantId: 1n, merchantReference: 'ORDER-1' }))
  const add = ['rail', 'add', 'mtn', 'mtn-momo', '--currency', 'UGX', '--base-url', setup.urls.mtn]
  expect((await malipo([...add, '--from', setup.files.mtn], env)).code).toBe(0)
  // An owner who lacks these rights on its own tables.
  await pool.query('revoke insert, update, delete, truncate on all tables in schema public from current_user')
  for (const [command, args] of Object.entries(ONLY_READ)) {
    const { code, err } = await malipo([...command.split(' '), ...args], env)
    expect([code, err], command).toEqual([/^(callback|reconcile) show$/.test(command) ? 3 : 0, any])
  }
  expect((await malipo(['merchant', 'create', 'Nobody'], env)).code).toBe(1)
})

test('allows nobody to change an entry', async () => {
  for (const change of ['update audit_log set reason = reason', 'delete from audit_log', 'truncate audit_log'])
    await expect(gateway.client.query(change), change).rejects.toThrow(/append-only|append_only|only be added|refuse/i)
})

test('shows what would change without a change', async () => {
  const { pool } = await databaseTest()
  const rates = async () => (await pool.query(`select from exchange_rates where from_currency = 'NGN'`)).rowCount
  const change = {
    read: async () => ({ n: (await pool.query<{ n: string }>('select 1::text as n')).rows[0]!.n }),
    apply: (joined: typeof pool) => joined.query(`insert into exchange_rates values ('NGN', 'UGX', 2, now())`),
  }
  expect(await previewChange(pool, change)).toEqual({ old: {}, new: {} })
  expect(await rates()).toBe(0)
  const action = { actor: TEST_ACTOR, command: 'rate set', subject: 'x', reason: 'A test' }
  await applyChange(pool, action, change, new Date())
  expect(await rates()).toBe(1)
})

test('lists entries page after page, of one subject too', async () => {
  const page = await gateway.malipo(['audit', 'list', '--subject', 'KES UGX', '--limit', '1'])
  const [, place = ''] = /^There is more: repeat the command with --after (\d+)\n$/.exec(page.err) ?? []
  expect(page.out.match(/^\d+ {2}\d{4}-.* rate set KES UGX$/gm)).toHaveLength(1)
  expect(page.out).toMatch(/\n {2}because /)
  expect((await entries('--subject', 'KES UGX', '--after', place)).map(({ new: { rate } }) => rate)).toEqual(['28'])
  expect((await gateway.malipo(['audit', 'list', '--after', 'x'])).code).toBe(2)
})
