import { expect, test } from 'vitest'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { startTestGateway } from '../../verification/testing/gateway.ts'
import { startReceiver } from '../../verification/testing/receiver.ts'
import { collect, send, uniqueReference } from '../../verification/testing/requests.ts'
import { attachSandbox } from '../../../client/testing.ts'

// A real sandbox on the real clock: scenarios decide, and the clock of the sandbox is advanced.

const { connection } = await forFile(createTestDatabase())
const gateway = await forFile(startTestGateway({ connection, surroundings: { runJobs: true } }))
const receiver = await forFile(startReceiver())
await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
await gateway.refresh()
const sandbox = attachSandbox(gateway.url)

const put = async (body: string, type = 'application/yaml', path = '/sandbox/scenario') => {
  const response = await fetch(gateway.url + path, { method: 'PUT', headers: { 'content-type': type }, body })
  return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> }
}

async function statusAfter(by: string, account: string): Promise<string> {
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference, msisdn: account })
  await sandbox.advanceClock(by)
  const { body } = await send(gateway.url, 'GET', `/data/transaction/verify/${reference}`)
  const { transaction_status: status, failure_code: code } = body.data as Record<string, string | undefined>
  return [status, code].filter((word) => word !== undefined).join(' ')
}

test('gives each order of a number its own outcome, at its own time', async () => {
  const account = '256772000002'
  const { body } = await put(`
scenario: 1
payments:
  - account: '256772000002'
    type: COLLECTION
    orders:
      - outcome: declined
        unreachable: 1
      - { outcome: expired, then: { outcome: paid, after: 5m } }
      - outcome: paid
        after: 90s
        reported: 2
`)
  expect(body).toMatchObject({ merchant: 'pub_sandbox_demo', orders: [0] })
  expect(await statusAfter('1m', account)).toBe('FAILED declined')
  expect(await statusAfter('10s', account)).toBe('FAILED expired')
  expect(await statusAfter('80s', account)).toBe('PROCESSING')
  expect(await statusAfter('91s', account)).toBe('COMPLETED')
  // Another number follows its test number.
  expect(await statusAfter('5s', '256772111002')).toBe('FAILED insufficient_funds')
  const shown = await fetch(`${gateway.url}/sandbox/scenario`)
  expect(await shown.json()).toMatchObject({ orders: [4] })
})

test('loses callbacks and replies, and an attempt follows as after any failure', async () => {
  await put(
    JSON.stringify({
      scenario: 1,
      callbacks: [{ account: '*123', deliveries: ['lost', 'reply_lost', 'delivered'] }],
    }),
    'application/json',
  )
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference, msisdn: '256772000123' })
  await sandbox.advanceClock('2s')
  expect(receiver.about(reference)).toHaveLength(0)
  await sandbox.advanceClock('10s')
  expect(receiver.about(reference)).toHaveLength(1)
  await sandbox.advanceClock('1h')
  const ids = receiver.about(reference).map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test.for([
  ['payments: [', 'neither JSON nor YAML'],
  ['[]', 'the scenario must be object'],
  ['payments: []', "the scenario must have required property 'scenario'"],
  ['{ scenario: 1, payment: [] }', 'the scenario has no payment'],
  ["{ scenario: 1, payments: [{ account: '256', orders: [{ outcome: payed }] }] }", 'outcome must be one of paid, '],
  ["{ scenario: 1, payments: [{ account: '256', orders: [{ outcome: paid, after: 5 }] }] }", 'after must be string'],
  ['{ scenario: 1, merchant: nobody }', 'There is no merchant nobody'],
] as const)('refuses %s', async ([text, message]) => {
  expect(await put(text)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) as unknown } })
})

test('serves its schema, for editors', async () => {
  const schema: unknown = await (await fetch(`${gateway.url}/sandbox/scenario.schema.json`)).json()
  expect(schema).toMatchObject({ $ref: '#/components/schemas/Scenario', components: { schemas: { OrderStep: {} } } })
})

test('is gone when it is removed', async () => {
  await put("{ scenario: 1, payments: [{ account: '*123', orders: [{ outcome: open }] }] }")
  expect(await statusAfter('5s', '256772000123')).toBe('PROCESSING')
  expect((await fetch(`${gateway.url}/sandbox/scenario`, { method: 'DELETE' })).status).toBe(204)
  expect(await statusAfter('5s', '256772000123')).toBe('COMPLETED')
  expect((await fetch(`${gateway.url}/sandbox/scenario`)).status).toBe(404)
})
