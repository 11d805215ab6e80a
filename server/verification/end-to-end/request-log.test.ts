import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { collect, send } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

const lines: string[] = []
const logger = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  }),
)
const { gateway, clock } = await gatewayTest({ surroundings: { logger } })

const requestLines = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request')

test('one line per request, with the id that is in the reply header', async () => {
  lines.length = 0
  const replies = [
    await collect(gateway.url),
    await send(gateway.url, 'GET', '/nowhere'),
    await send(gateway.url, 'GET', '/health/live'),
  ]
  expect(requestLines().map(({ reqId }) => reqId)).toEqual(replies.map(({ headers }) => headers.get('x-request-id')))
  expect(requestLines().map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', 'initializeCollection', 202],
    ['GET', undefined, 404],
    ['GET', '/health/live', 200],
  ])
})

test('no key, number, reference or body is in the log, whatever happens', async () => {
  lines.length = 0
  const secrets = {
    merchant_reference: 'CANARY-REFERENCE-1',
    msisdn: '256772345123',
    customer_name: 'Canary Name',
    customer_email: 'canary@shop.example',
    card_cipher: 'CANARYCARD',
  }
  await collect(gateway.url, secrets, { 'idempotency-key': 'CANARY-KEY' })
  await collect(gateway.url, secrets)
  await collect(gateway.url, { ...secrets, msisdn: '256752345123' })
  await collect(gateway.url, { ...secrets, amount: 'CANARY' })
  await send(gateway.url, 'GET', '/data/transaction/verify/CANARY-REFERENCE-1?x=CANARY')
  await send(gateway.url, 'GET', '/data/wallet-balances', { headers: { 'secret-key': 'CANARY-SECRET' } })
  await send(gateway.url, 'GET', '/data/wallet-balances', { headers: DEMO_KEYS })
  await gateway.runDue()
  clock.advance(1000)
  await gateway.runDue()
  expect(lines.length).toBeGreaterThanOrEqual(7)
  expect(
    lines.filter((line) => /canary|256772345123|256752345123|sandbox_demo|SANDBOXDEMOSIGNKEY01|whsec_/i.test(line)),
  ).toEqual([])
})
