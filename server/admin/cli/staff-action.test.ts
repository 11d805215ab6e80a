import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { applyChange, previewChange } from '../queries/staff-actions.ts'
import { createPool } from '../../storage/pool.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { isConfirmed, isSomebodyThere } from './staff-action.ts'
import { startCli } from './testing/command-line.ts'
import { environmentOf, operatedGateway } from './testing/operated-gateway.ts'

const gateway = await operatedGateway()
const { json, malipo, newMerchant, collect, become, client, database } = gateway
const pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
await forFile(Promise.resolve({ end: () => pool.end() }))

interface Entry {
  readonly id: number
  readonly at: string
  readonly os_user: string
  readonly command: string
  readonly subject: string
  readonly old: Readonly<Record<string, string>>
  readonly new: Readonly<Record<string, string>>
  readonly reason: string
  readonly reference?: string
}
const entries = (...options: string[]) => json<Entry[]>(['staff', 'actions', ...options])
const newest = async (): Promise<Entry> => (await entries('--limit', '1'))[0]!

const merchant = await newMerchant()

test.each([
  'The customer said OTP 482913',
  'PIN yako ni 1234',
  'His password is hunter2',
  'Paid by hand to +256 772 000 123',
  'See https://amina:s3cret@bank.example',
])('refuses a reason that would store a secret for good: %s', async (reason) => {
  const { code, err } = await malipo(['rate', 'set', 'KES', 'UGX', '27', '--reason', reason])
  expect([code, err]).toEqual([2, expect.stringContaining('It must hold no password')])
  expect(JSON.stringify(await entries())).not.toContain(reason)
})

test.each([
  'Bank reference 8412345678 of 20260301080000',
  'FT26324XK81, order 3fd0c5b2-7a1e-4c0d-9b77-256772000123: 1,500,000 UGX',
  'Password policy of 2026, PIN blocked, see https://bank.example/tickets/4711',
])('accepts a reason with what support needs: %s', async (reason) => {
  const { code } = await malipo(['rate', 'set', 'KES', 'RWF', '10', '--reason', reason])
  expect([code, (await newest()).reason]).toEqual([0, reason])
})

describe.each<[args: string[], subject: string, old: object, changed: object]>([
  [['rate', 'set', 'KES', 'UGX', '28'], 'KES UGX', {}, { rate: '28' }],
  [['rate', 'set', 'KES', 'UGX', '28.5'], 'KES UGX', { rate: '28' }, { rate: '28.5' }],
  [
    ['provider', 'set', 'airtel_ug', '--type', 'PAYOUT', '--max', '123456'],
    'airtel_ug',
    { 'PAYOUT max_amount': expect.stringMatching(/^\d+$/) as string },
    { 'PAYOUT max_amount': '123456' },
  ],
  [
    ['merchant', 'set', merchant.public_key, '--name', 'Duka Mbili', '--disable', 'bank_ng:PAYOUT'],
    merchant.public_key,
    { name: 'Duka Moja', payouts: expect.stringContaining('bank_ng') as string },
    { name: 'Duka Mbili', payouts: expect.not.stringContaining('bank_ng') as string },
  ],
  [
    ['wallet', 'deposit', merchant.public_key, 'UGX', '1000', '--reference', 'STAFF-1'],
    merchant.public_key,
    {},
    { 'payout wallet': '1000 UGX' },
  ],
  [
    [
      'wallet',
      'transfer',
      merchant.public_key,
      'UGX',
      '1',
      '--from',
      'payout',
      '--to',
      'collection',
      '--reference',
      'S2',
    ],
    merchant.public_key,
    { 'payout wallet': '1000 UGX' },
    { 'payout wallet': '999 UGX', 'collection wallet': '1 UGX' },
  ],
])('%j', (args, subject, old, changed) => {
  test('stores who did it, why, and the former value', async () => {
    const { code, err } = await malipo([...args, '--reason', 'Ticket 4711'])
    expect([code, err.split('\n')[0]]).toEqual([0, `${args[0]} ${args[1]} ${subject}: old and new`])
    const entry = await newest()
    expect(entry).toMatchObject({ command: `${args[0]} ${args[1]}`, subject, new: changed, reason: 'Ticket 4711' })
    expect(entry.old).toMatchObject(old)
    expect(Object.keys(entry.old).filter((name) => !(name in entry.new))).toEqual([])
    expect(entry.os_user).not.toBe('')
    for (const [name, value] of Object.entries(entry.new))
      expect(err.split('\n')).toContainEqual(expect.stringMatching(`^  ${name}: .* -> ${value}$`))
  })
})

test('stores no key of a rotation', async () => {
  for (const kind of ['secret_key', 'signing_key', 'webhook_secret']) {
    const args = ['keys', 'rotate', merchant.public_key, '--kind', kind, '--keep-old', '0']
    const rotated = await json<Record<string, string>>([...args, '--reason', 'It has leaked'])
    const entry = await newest()
    expect(entry.new).toEqual({ [`key ${rotated['id']} (${kind})`]: 'valid' })
    expect(Object.values(entry.old)).toEqual(['valid'])
    expect(JSON.stringify(entry)).not.toContain(rotated[kind])
  }
  const { id } = await json<{ id: string }>(['keys', 'rotate', '--rsa', '--reason', 'Yearly'])
  expect(await newest()).toMatchObject({ subject: 'RSA', new: { 'RSA key that signs': id } })
})

test('stores the decision about a payment', async () => {
  await collect(merchant, 'STAFF-0001', '256772000006')
  await become('STAFF-0001', 'PROCESSING')
  const resolve = ['transaction', 'resolve', 'STAFF-0001', '--failed', 'Nothing came']
  expect((await malipo([...resolve, '--reason', 'Their portal has none'])).code).toBe(0)
  expect(await newest()).toMatchObject({
    subject: expect.stringMatching(/^MLP/) as string,
    old: { status: 'PROCESSING' },
    new: { status: 'FAILED', message: 'Nothing came' },
    reason: 'Their portal has none',
  })
})

test.each([
  [['rate', 'set', 'KES', 'UGX', '29']],
  [['provider', 'set', 'airtel_ug', '--type', 'PAYOUT', '--active']],
  [['merchant', 'set', '1', '--name', 'Another']],
  [['keys', 'rotate', '1', '--kind', 'secret_key']],
  [['keys', 'rotate', '--rsa']],
  [['keys', 'withdraw', '--rsa', '0123456789abcdef']],
  [['wallet', 'deposit', '1', 'UGX', '5', '--reference', 'S3']],
  [['wallet', 'transfer', '1', 'UGX', '5', '--from', 'payout', '--to', 'collection', '--reference', 'S3']],
  [['transaction', 'resolve', 'STAFF-0001', '--completed']],
  [['rail', 'set', 'mtn', '--new-token']],
  [['rail', 'remove', 'mtn']],
  [['rail', 'book', 'mtn', 'in', '5', '--reference', 'S3']],
  [['reconcile', 'end', '1']],
  [['keys', 'reseal']],
])('refuses %j without a reason', async (args) => {
  const run = startCli(args, environmentOf(database))
  expect(await run.ended).toBe(2)
  expect(run.err).toContain("required option '--reason <text>' not specified")
})

test.each(['--yes', '--json', 'ab', '   ab   ', 'x'.repeat(501), 'two\nlines', 'turned \u202e around'])(
  'refuses the reason %j',
  async (reason) => {
    const before = (await newest()).id
    expect((await malipo(['rate', 'set', 'KES', 'UGX', '30', '--reason', reason])).code).toBe(2)
    expect((await newest()).id).toBe(before)
  },
)

test.each(['abc', 'x'.repeat(500), 'Kwa sababu ya “bei” – ndiyo'])('accepts the reason %j', async (reason) => {
  expect((await malipo(['rate', 'set', 'KES', 'UGX', '30', '--reason', reason])).code).toBe(0)
  expect((await newest()).reason).toBe(reason)
})

test('stores no entry of a refusal', async () => {
  const before = (await newest()).id
  for (const args of [
    ['wallet', 'transfer', merchant.public_key, 'UGX', '999999', '--from', 'payout', '--to', 'collection'],
    ['wallet', 'deposit', merchant.public_key, 'UGX', '1000', '--reference', 'STAFF-1'],
    ['provider', 'set', 'airtel_ug', '--type', 'PAYOUT', '--min', '999999999'],
    ['transaction', 'resolve', 'STAFF-0001', '--completed'],
    ['keys', 'withdraw', '--rsa', '0123456789abcdef'],
  ])
    expect((await malipo(args)).code, args.join(' ')).not.toBe(0)
  expect((await newest()).id).toBe(before)
})

test('commits the change and its entry together', async () => {
  const rate = async () => (await client.query<{ rate: string }>(RATE)).rows[0]?.rate
  const before = await rate()
  await client.query('alter table staff_actions add constraint none_now check (false) not valid')
  expect((await malipo(['rate', 'set', 'KES', 'UGX', '31'])).code).toBe(1)
  expect(await rate()).toBe(before)
  await client.query('alter table staff_actions drop constraint none_now')
})
const RATE = `select rate::text from exchange_rates where from_currency = 'KES' and to_currency = 'UGX'`

test('allows nobody to change an entry', async () => {
  for (const statement of [
    'update staff_actions set reason = reason',
    'delete from staff_actions',
    'truncate staff_actions',
  ])
    await expect(client.query(statement), statement).rejects.toThrow(/append-only|append_only|only be added|refuse/i)
})

test('shows what would change without a change', async () => {
  const change = {
    read: async () => ({ n: (await pool.query<{ n: string }>('select 1::text as n')).rows[0]!.n }),
    apply: (joined: typeof pool) => joined.query(`insert into exchange_rates values ('NGN', 'UGX', 2, now())`),
  }
  expect(await previewChange(pool, change)).toEqual({ old: {}, new: {} })
  expect((await client.query(`select from exchange_rates where from_currency = 'NGN'`)).rowCount).toBe(0)
  const action = { osUser: 'amina', command: 'rate set', subject: 'x', reason: 'A test', reference: undefined }
  await applyChange(pool, action, change, new Date())
  expect((await client.query(`select from exchange_rates where from_currency = 'NGN'`)).rowCount).toBe(1)
})

test('lists entries page after page, of one subject too', async () => {
  const page = await malipo(['staff', 'actions', '--subject', 'KES UGX', '--limit', '2'])
  const [, place = ''] = /^There is more: repeat the command with --after (\d+)\n$/.exec(page.err) ?? []
  expect(page.out.match(/^\d{4}-.* rate set KES UGX$/gm)).toHaveLength(2)
  expect(page.out).toMatch(/\n {2}because /)
  expect((await entries('--subject', 'KES UGX', '--after', place)).length).toBeGreaterThanOrEqual(3)
  expect((await malipo(['staff', 'actions', '--after', 'x'])).code).toBe(2)
})

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  ['', false],
])('accepts the answer %j for %j', async (answer, isYes) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const confirmed = isConfirmed(input, output)
  input.end(answer)
  expect(await confirmed).toBe(isYes)
})

test('prompts nobody without a terminal', () => {
  expect(isSomebodyThere({ isTTY: true }, { isTTY: true })).toBe(true)
  expect(isSomebodyThere({}, { isTTY: true })).toBe(false)
  expect(isSomebodyThere({}, {})).toBe(false)
  expect(() => isSomebodyThere({ isTTY: true }, {})).toThrow(/to be a terminal\.\nAdd --yes/)
})
