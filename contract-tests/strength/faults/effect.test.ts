import { expect, test } from 'vitest'
import { addMerchant } from '../../../server/verification/testing/another-merchant.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import { gatewayTest } from '../../../server/verification/testing/gateway-test.ts'
import { FAULTS } from './all.ts'
import type { Fault, Group } from './fault.ts'
import { storedUnder } from './stored-effect.ts'
import { hasEffect } from './effect.ts'
import { OK } from './rows.ts'
import { sampleTraffic, startSampleReceiver } from './sample-traffic.ts'
import { worldAround } from './world.ts'

/** Gateways start slowly on a busy machine. */
const BUSY_MS = 500_000

const receiver = await forFile(startSampleReceiver())
const { gateway, database, after } = await gatewayTest()
const urls = {
  collectionCallbackUrl: `${receiver.url}/callbacks/collections`,
  payoutCallbackUrl: `${receiver.url}/callbacks/payouts`,
  verificationUrl: `${receiver.url}/handshake`,
}
await gateway.pool.query(
  'update merchants set collection_callback_url = $1, payout_callback_url = $2, verification_url = $3',
  Object.values(urls),
)
await gateway.pool.query(
  `insert into exchange_rates values ('USD', 'UGX', 3800.5555, now()), ('USD', 'KES', 129.25, now())`,
)
const other = await addMerchant(
  gateway,
  {
    name: 'Duka Lingine',
    collectionCallbackUrl: `${receiver.url}/other/callbacks/collections`,
    payoutCallbackUrl: `${receiver.url}/other/callbacks/payouts`,
    verificationUrl: `${receiver.url}/other/handshake`,
    payoutBalances: { UGX: 400_000 },
    disabled: [['airtel_rw', 'COLLECTION']],
  },
  new Date('2026-03-01T08:00:00Z'),
)
const keys = { publicKey: DEMO_KEYS['public-key'], secretKey: DEMO_KEYS['secret-key'] }

/** The earlier faults were each found by a part, which proves an effect. */
const LATER: readonly Group[] = ['merchants', 'options', 'limits', 'words', 'outgoing', 'incoming', 'currencies', 'rsa']
const later = FAULTS.filter(({ group }) => LATER.includes(group))
const world = { ...worldAround(() => gateway.url, 9), deliver: () => Promise.resolve(OK) }
const statementsOf = (fault: Fault): readonly string[] | undefined => fault.plant(world).database

test('every planted fault changes a message of the two merchants', { timeout: BUSY_MS }, async () => {
  const traffic = await sampleTraffic({ url: gateway.url, keys, other, after }, receiver.messages)
  const idle: string[] = []
  for (const fault of later.filter((each) => !statementsOf(each)))
    if (!(await hasEffect(fault, traffic, world))) idle.push(fault.name)
  expect(idle).toEqual([])
})

test('every fault in the database changes a row that a gateway stores', { timeout: BUSY_MS }, async () => {
  const right = await storedUnder([], database.connection)
  const idle: string[] = []
  for (const fault of later) {
    const statements = statementsOf(fault)
    if (statements && (await storedUnder(statements, database.connection)) === right) idle.push(fault.name)
  }
  expect(idle).toEqual([])
})

test('each group of the later faults has at least twelve', () => {
  for (const group of LATER) expect(later.filter((fault) => fault.group === group).length, group).toBeGreaterThan(11)
})
