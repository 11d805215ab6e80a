import { expect, test } from 'vitest'
import { createMalipo } from '../../../client/index.ts'
import { settleResults } from '../../actions/settle-results.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { createStore } from '../../storage/store.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { acceptedCollection, phoneCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { MASTER_KEY, seededRandom } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver } from '../testing/receiver.ts'
import { collect } from '../testing/requests.ts'
import { until } from '../testing/served-gateway.ts'

// Which callbacks a merchant's server receives, and from which process, whether or not it replies. What each reply means,
// how a callback is signed and how often it is tried, is tested in callback.test.ts, sender.test.ts and the parts
// `receiver` and `limits` of the contract suite; what is stored and sent again, in the port tests of callbacks.

const { gateway, clock, receiver, malipo } = await gatewayTest({ toReceiver: ['collection_callback_url'] })

test('a merchant unknown to the settling process still gets its callback', async () => {
  const random = seededRandom('settle')
  const { body } = await collect(gateway.url, { msisdn: '256772000006' })
  await gateway.runDue()
  // Reference data of live mode excludes the demo merchant: to this process it is like a merchant that was created a
  // moment ago.
  const box = createSecretBox(MASTER_KEY, random)
  const stale = await loadReferenceData({ pool: gateway.pool, box, clock, sandbox: false })
  expect(await stale.merchantByPublicKey('pub_sandbox_demo')).toBeUndefined()
  const internalReference = body.data.internal_reference as string
  const notices = { paidNotBooked: () => {}, unmappedResult: () => {} }
  await settleResults({ store: createStore(gateway.pool), reference: stale, clock, random, notices, callbackBody }, [
    { internalReference, outcome: { status: 'COMPLETED' } },
  ])
  await gateway.refresh()
  await gateway.runDue()
  expect(receiver.received.map(({ json }) => json.payload.internal_reference)).toEqual([internalReference])
})

test("a slow endpoint does not delay another merchant's callback", async () => {
  const hanging = await startReceiver()
  hanging.answer('hang')
  const { publicKey } = await addMerchant(gateway, { name: 'Another', collectionCallbackUrl: hanging.url }, clock.now())
  const another = createMalipo({ baseUrl: gateway.url, publicKey })
  for (let n = 0; n < 60; n += 1) await another.collections.initialize(phoneCollection())
  const reference = await acceptedCollection(malipo, '123')
  await gateway.runDue()
  clock.advance(1000)
  const done = gateway.runDue() // ends when the hanging requests have timed out; nothing here waits for that
  await until(() => receiver.about(reference).length === 1, 60_000, 'the callback of the other merchant has arrived')
  expect(hanging.received.length).toBeLessThanOrEqual(16) // a server that has not replied yet gets no more at a time
  await hanging.close() // resets the first requests and all that follow
  await done
  await expectBalancedBooks(gateway)
})
