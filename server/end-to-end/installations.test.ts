import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { SIMULATORS, startSimulator, type Simulator } from '../../openapi/operators/simulator/index.ts'
import { present } from '../domain/present.ts'
import { leadProvider } from '../storage/operators/providers.ts'
import { changeInstallation, removeInstallation } from '../storage/operators/rail-installations.ts'
import { createSecretBox } from '../storage/secret-box.ts'
import { forFile } from '../testing/for-file.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { installRail } from '../testing/installed-rail.ts'
import { collect, uniqueMsisdn, uniqueReference, verify } from '../testing/requests.ts'

const ASK_AFTER_MS = 5 * 60_000
const { gateway, clock, after } = await gatewayTest()
const operator = () => present(SIMULATORS['mtn-momo'], 'the simulator of MTN')({ currency: 'UGX' })
const north = await forFile(startSimulator(operator()))
const south = await forFile(startSimulator(operator()))
const box = createSecretBox(MASTER_KEY, { bytes: (size) => randomBytes(size) })
const settings = { target_environment: 'sandbox', failures_until_open: '1000' }
await installRail(gateway, north, { name: 'mtn-north', providers: ['mtn_ug', 'airtel_ug'], settings })
await installRail(gateway, south, { name: 'mtn-south', providers: [], settings })

async function lead(provider: string, installation: string | undefined): Promise<void> {
  await leadProvider(gateway.pool, provider, installation)
  await gateway.refresh()
}

beforeEach(async () => {
  clock.advance(60_000)
  await lead('mtn_ug', 'mtn-north')
})

const countAt = ({ world }: Simulator, msisdn: string) => world.orders.of(msisdn).length
const recordOf = async (reference: string) => (await verify(gateway.url, reference)).body.data

async function collected(changes: Readonly<Record<string, unknown>> = {}) {
  const merchant_reference = uniqueReference()
  const msisdn = uniqueMsisdn()
  expect((await collect(gateway.url, { merchant_reference, msisdn, ...changes })).status).toBe(202)
  await gateway.runDue()
  return { merchant_reference, msisdn }
}

test('two providers lead to one installation, and each of two installations gets its own orders', async () => {
  const first = await collected()
  const airtel = `25675${first.msisdn.slice(5)}`
  await collected({ provider_code: 'airtel_ug', msisdn: airtel })
  await lead('mtn_ug', 'mtn-south')
  const second = await collected()
  expect([countAt(north, first.msisdn), countAt(north, airtel), countAt(north, second.msisdn)]).toEqual([1, 1, 0])
  expect([countAt(south, first.msisdn), countAt(south, airtel), countAt(south, second.msisdn)]).toEqual([0, 0, 1])
})

test('an order is asked about where it went, wherever its provider leads by then', async () => {
  const { merchant_reference, msisdn } = await collected()
  await lead('mtn_ug', 'mtn-south')
  const order = present(north.world.orders.of(msisdn)[0], 'the order')
  north.lifecycle.decide(order, 'approved')
  await after(ASK_AFTER_MS)
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(countAt(south, msisdn)).toBe(0)
})

test('an order that went nowhere yet may take the new way; one that may have arrived stays with its installation', async () => {
  north.scenarios.add([{ on: { operation: 'requestToPay' }, effect: { do: 'close', when: 'before' } }])
  const { msisdn } = await collected()
  expect(countAt(north, msisdn)).toBe(0)
  await lead('mtn_ug', 'mtn-south')
  await after(60_000)
  expect([countAt(north, msisdn), countAt(south, msisdn)]).toEqual([1, 0])
})

test('led nowhere, a provider of the sandbox is simulated again, and what its operator has stays there', async () => {
  const { merchant_reference, msisdn } = await collected()
  await lead('mtn_ug', undefined)
  const simulated = await collected()
  await after(1_000)
  expect(await recordOf(simulated.merchant_reference)).toMatchObject({ transaction_status: 'COMPLETED' })
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'PROCESSING' })
  expect([countAt(north, msisdn), countAt(north, simulated.msisdn)]).toEqual([1, 0])
})

test('new credentials are used within a second, without a new start', async () => {
  await changeInstallation(
    gateway.pool,
    box,
    'mtn-north',
    { settings: {}, secrets: { collection_api_key: '00000000000000000000000000000000' }, leavesOrders: false },
    clock.now(),
  )
  await gateway.refresh()
  const { merchant_reference, msisdn } = await collected()
  expect(countAt(north, msisdn)).toBe(0)
  await changeInstallation(
    gateway.pool,
    box,
    'mtn-north',
    {
      settings: {},
      secrets: { collection_api_key: present(north.open.railSettings['collection_api_key'], 'the key') },
      leavesOrders: false,
    },
    new Date(clock.now().getTime() + 1),
  )
  await gateway.refresh()
  await vi.waitFor(
    async () => {
      await after(10_000)
      expect(countAt(north, msisdn)).toBe(1)
    },
    { timeout: 20_000 },
  )
  expect(await recordOf(merchant_reference)).toMatchObject({ transaction_status: 'PROCESSING' })
})

test('an installation goes only when nothing leads there and nothing waits for it', async () => {
  const remove = () => removeInstallation(gateway.pool, box, 'mtn-north', clock.now())
  expect(await remove()).toBe(false)
  for (const provider of ['mtn_ug', 'airtel_ug']) await lead(provider, 'mtn-south')
  expect(await remove()).toBe(false)
  for (const order of north.world.orders.all()) north.lifecycle.decide(order, 'cancelled')
  await vi.waitFor(
    async () => {
      await after(ASK_AFTER_MS)
      expect(await remove()).toBe(true)
    },
    { timeout: 20_000 },
  )
})
