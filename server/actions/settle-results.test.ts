import { afterAll, beforeAll, expect, test } from 'vitest'
import { callbackBody } from '../messages/transaction-record.ts'
import { createStore } from '../storage/store.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { fixedClock, seededRandom, startTestGateway } from '../testing/gateway.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { collect } from '../testing/requests.ts'
import { loadReferenceData } from '../storage/reference-data.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { settleResults } from './settle-results.ts'
import type { Gateway } from '../main.ts'

let database: TestDatabase
let gateway: Gateway
let receiver: Receiver
const clock = fixedClock()

beforeAll(async () => {
  database = await createTestDatabase()
  receiver = await startReceiver()
  gateway = await startTestGateway({ connection: database.connection, surroundings: { clock } })
})
afterAll(async () => {
  await gateway?.stop()
  await receiver?.close()
  await database?.drop()
})

test('a merchant that the settling process does not know yet gets its callback all the same', async () => {
  const random = seededRandom('settle')
  const { body } = await collect(gateway.url, { msisdn: '256772000006' })
  await gateway.runDue()
  // Reference data of live mode leaves the demo merchant out: to this process it is a merchant that was created a
  // moment ago.
  const stale = await loadReferenceData({
    pool: gateway.pool,
    box: createSecretBox('a master key for tests only, nothing real', random),
    clock,
    sandbox: false,
  })
  expect(stale.merchantByPublicKey('pub_sandbox_demo')).toBeUndefined()
  const internalReference = body.data.internal_reference as string
  await settleResults(
    {
      store: createStore(gateway.pool),
      reference: stale,
      clock,
      random,
      notices: { paidNotBooked: () => {} },
      callbackBody,
    },
    [{ internalReference, outcome: { status: 'COMPLETED' } }],
  )

  await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
  await gateway.refresh()
  await gateway.runDue()
  expect(receiver.received.map(({ json }) => json.payload.internal_reference)).toEqual([internalReference])
})
