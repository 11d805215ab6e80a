import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { mobileMoneyPayout, uniqueReference } from '../../verification/testing/requests.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import type { Environment } from './testing/command-line.ts'
import { operatedGateway } from './testing/operated-gateway.ts'

// Rules, requests and decisions by the command line, beside a running gateway: by people who are logged in, and by the
// user of the machine, who may do everything in the sandbox.

const { api, client, json, malipo, become, receiver } = await operatedGateway()
const { written, path } = temporaryFolder()
const DEMO = { 'public-key': 'pub_sandbox_demo', 'secret-key': 'sec_sandbox_demo' }
await malipo(['merchant', 'set', 'pub_sandbox_demo', '--payout-callback-url', receiver.url])

interface Request {
  readonly id: number
  readonly state: string
  readonly maker: string
  readonly decider?: string
  readonly command?: string
  readonly merchant_reference?: string
}
const requests = () => json<Request[]>(['approval', 'list', '--all'])
const numberOf = (err: string) => Number(/waits for approval (\d+)\n$/.exec(err)?.[1])
const rule = async (...words: string[]) =>
  expect(await malipo(['approval', 'rules', ...words])).toMatchObject({ code: 0 })
/** Invites somebody who logs in. @returns the environment of their command line */
async function hire(name: string, role: string): Promise<Environment> {
  const words = ['people', 'invite', `${name}@malipo.example`, '--name', name, '--role', role]
  const { login_code: code } = await json<{ login_code: string }>(words)
  const env = { XDG_CONFIG_HOME: join(path, name) }
  await json(['login', code], env)
  return env
}
const amina = await hire('amina', 'finance')

/** Runs a command that a rule covers. @returns the number of its request */
async function requestedBy(who: Environment, ...words: string[]): Promise<number> {
  const { code, out, err } = await malipo(words, who)
  expect([code, out]).toEqual([4, ''])
  return numberOf(err)
}

const requested = (...words: string[]) => requestedBy(amina, ...words)

async function waitingPayout(): Promise<{ reference: string; id: number }> {
  const reference = uniqueReference()
  const body = mobileMoneyPayout({ merchant_reference: reference, account_number: '256772000123' })
  expect((await api('/payout/send-funds', DEMO, body)).status).toBe(202)
  return { reference, id: (await requests()).find((one) => one.merchant_reference === reference)?.id ?? 0 }
}
const verified = async (reference: string): Promise<Record<string, unknown>> => {
  const reply = await api(`/data/transaction/verify/${reference}`, DEMO)
  return ((await reply.json()) as { data: Record<string, unknown> }).data
}

test('a payout waits for its approver, and goes on when it is approved', async () => {
  await rule('set', 'payouts', '--merchant', '1', '--currency', 'UGX', '--from', '20000')
  const { reference, id } = await waitingPayout()
  expect(await verified(reference)).toMatchObject({
    transaction_status: 'PENDING',
    status_message: "Waiting for the merchant's approver",
  })
  expect((await malipo(['approval', 'approve', String(id)])).out).toBe(`Request ${id} is approved.\n`)
  await become(reference, 'COMPLETED')
  const [entry] = await json<Record<string, unknown>[]>(['audit', 'list', '--limit', '1'])
  expect(entry).toMatchObject({ command: 'approval approve', new: { request: String(id) } })
  expect(await malipo(['approval', 'approve', String(id)])).toMatchObject({
    code: 1,
    err: `malipo: request ${id} was not decided: it no longer waits.\n`,
  })
})

test('a payout that staff end waits for nobody any more', async () => {
  const { reference, id } = await waitingPayout()
  await malipo(['transaction', 'resolve', reference, '--failed', 'The shop withdrew it'])
  expect(await verified(reference)).toMatchObject({ status_message: 'The shop withdrew it' })
  expect((await requests()).find((one) => one.id === id)).toMatchObject({ state: 'lapsed' })
  expect((await malipo(['approval', 'approve', String(id)])).code).toBe(1)
})

test('a change that a rule covers is stored, and somebody else executes it', async () => {
  await rule('set', 'deposits')
  const words = ['wallet', 'deposit', '1', 'KES', '700', '--reference', 'FOUR-1', '--reason', 'Bank transfer']
  const id = await requested(...words)
  const wallet = async () =>
    (await json<{ operator_transfers: { reference: string }[] }>(['wallet', 'show', '1'])).operator_transfers
  expect((await wallet()).map(({ reference }) => reference)).not.toContain('FOUR-1')
  expect((await malipo(['approval', 'show', String(id)])).out).toMatch(/amount +\(none\) -> 700\.00 KES\n/)

  const { code, out } = await malipo(['approval', 'approve', String(id), '--reason', 'Seen in the bank'])
  expect([code, out]).toEqual([0, `Request ${id} is approved.\n`])
  expect((await wallet()).map(({ reference }) => reference)).toContain('FOUR-1')
  const [entry] = await json<Record<string, unknown>[]>(['audit', 'list', '--limit', '1'])
  expect(entry).toMatchObject({
    command: 'wallet deposit',
    reason: 'Bank transfer',
    new: {
      amount: '700.00 KES',
      'approved request': String(id),
      'made by': 'amina',
      'approved because': 'Seen in the bank',
    },
  })
  expect((await malipo(['approval', 'approve', String(id)])).code).toBe(1)
  expect((await requests()).find((one) => one.id === id)).toMatchObject({
    state: 'approved',
    command: 'wallet deposit',
  })
})

test('whoever made a request cannot approve it, and may take it back', async () => {
  await rule('set', 'rates')
  const { code, err } = await malipo(['rate', 'set', 'KES', 'NGN', '11'], amina)
  expect([code, err]).toEqual([4, expect.stringMatching(/^malipo: rate set KES NGN waits for approval \d+\n$/)])
  const id = String(numberOf(err))
  expect((await malipo(['approval', 'approve', id], amina)).err).toContain('whoever made a request cannot approve it')
  expect((await malipo(['rate', 'list', '--json'])).out).not.toContain('NGN')
  expect(await malipo(['approval', 'refuse', id], amina)).toMatchObject({ code: 0, out: `Request ${id} is refused.\n` })
})

test.each<[string, string, string]>([
  [
    'whose arguments have changed',
    `arguments = array[replace(arguments[1], '"12"', '"1200"')]`,
    'differs from what was requested',
  ],
  ['after its time', `expires_at = now() - interval '1 s'`, 'it has expired'],
])('a request %s is not executed', async (_what, change, why) => {
  const id = await requested('rate', 'set', 'KES', 'GHS', '12')
  await client.query(`update approvals set ${change} where id = $1`, [id])
  expect(await malipo(['approval', 'approve', String(id)])).toMatchObject({
    code: 1,
    err: expect.stringContaining(why) as string,
  })
  expect((await malipo(['rate', 'list', '--json'])).out).not.toContain('GHS')
})

test('a rule of one merchant covers the end of its suspension', async () => {
  await rule('set', 'resumptions', '--merchant', '1')
  expect((await malipo(['merchant', 'suspend', '1'])).code).toBe(0)
  const id = await requested('merchant', 'resume', '1')
  expect((await malipo(['approval', 'approve', String(id)])).code).toBe(0)
  expect(await json(['merchant', 'show', '1'])).toMatchObject({ suspended_at: null })
  await rule('remove', 'resumptions', '--merchant', '1')
})

test('who executes a rotation of keys is shown the new key', async () => {
  await rule('set', 'keys')
  const id = await requestedBy(await hire('dora', 'developer'), 'keys', 'rotate', '1', '--kind', 'webhook_secret')
  expect((await malipo(['approval', 'approve', String(id)])).out).toMatch(/^secret +whsec_\S+$/m)
  await rule('remove', 'keys')
})

test('rules cover their own change', async () => {
  const adam = await hire('adam', 'admin')
  await rule('set', 'rules')
  const id = await requestedBy(adam, 'approval', 'rules', 'remove', 'rates')
  const operations = async () =>
    (await json<{ operation: string }[]>(['approval', 'rules', 'list'])).map((row) => row.operation)
  expect(await operations()).toEqual(['payouts', 'deposits', 'rates', 'rules'])
  expect((await malipo(['approval', 'approve', String(id)])).code).toBe(0)
  expect(await operations()).toEqual(['payouts', 'deposits', 'rules'])
  await malipo(['approval', 'approve', String(await requestedBy(adam, 'approval', 'rules', 'remove', 'rules'))])
})

test('of two approvers at once one executes the change', async () => {
  const id = await requested('wallet', 'deposit', '1', 'KES', '900', '--reference', 'FOUR-2')
  const both = await Promise.all([1, 2].map(() => malipo(['approval', 'approve', String(id)])))
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
})

test('the secrets of a request are sealed, and gone once it is decided', async () => {
  await rule('set', 'rail-settings')
  const { url } = await forFile(startSimulator(present(SIMULATORS['mtn-momo'], 'a simulator')({}), { auto: true }))
  const settings = await (await fetch(`${url}/simulator/rail.env`)).text()
  const place = ['mtn', 'mtn-momo', '--currency', 'UGX', '--base-url', url]
  const devi = await hire('devi', 'developer')
  const id = await requestedBy(devi, 'rail', 'add', ...place, '--from', written('mtn.env', settings))
  const request = async () =>
    (await client.query<Record<string, unknown>>(`select * from approvals where id = ${id}`)).rows[0]
  const { sealed_input: sealed, ...plain } = present(await request(), 'the request')
  const [, secret = ''] = /collection_api_key=(\S+)/.exec(settings) ?? []
  expect(sealed).toBeInstanceOf(Buffer)
  expect(JSON.stringify(plain) + String(sealed)).not.toContain(secret)
  const { out } = await malipo(['approval', 'show', String(id), '--json'])
  expect(JSON.parse(out)).toMatchObject({ id, command: 'rail add' })
  expect(out).not.toMatch(/sealed/i)
  const other = await requestedBy(
    devi,
    'rail',
    'add',
    ...place,
    '--from',
    written('mtn.env', `${settings}\ntimeout_ms=900`),
  )
  const swap = 'update approvals set sealed_input = (select sealed_input from approvals where id = $2) where id = $1'
  await client.query(swap, [other, id])
  expect((await malipo(['approval', 'approve', String(other)])).code).toBe(1)
  expect((await malipo(['approval', 'approve', String(id)])).code).toBe(0)
  expect((await client.query('select from rail_accounts')).rowCount).toBe(1)
  expect(await request()).toMatchObject({ state: 'approved', sealed_input: null })
  expect((await malipo(['approval', 'approve', String(id)])).err).toContain('it no longer waits')
})

test('who leaves can no longer have their requests approved', async () => {
  const zuri = await hire('zuri', 'finance')
  const { err } = await malipo(['wallet', 'deposit', '1', 'KES', '300', '--reference', 'FOUR-3'], zuri)
  await malipo(['people', 'end', 'zuri@malipo.example'])
  const { code, err: why } = await malipo(['approval', 'approve', String(numberOf(err))])
  expect([code, why]).toEqual([1, expect.stringContaining('it no longer waits')])
})
