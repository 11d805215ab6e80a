import { expect, test } from 'vitest'
import { money } from '../domain/money.ts'
import { NO_METRICS } from '../metrics/metrics.ts'
import { orderToken, type CallbackKeys } from '../domain/callback-tokens.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { LIVE_POLICY, SANDBOX_POLICY } from '../outbound/outbound-guard.ts'
import { SettingFault, type Adapter, type RailKind, type RailWorld, type SettingValues } from '../rails/rail-kind.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import { policyFor } from './connect-rail-account.ts'
import { createRailAccounts } from './rail-accounts.ts'

const callbackKeys: CallbackKeys = { keys: [{ id: '0badcafe', secret: 'f00d' }] }

const KIND: RailKind = {
  name: 'mtn-momo',
  title: 'An operator',
  types: ['COLLECTION'],
  callbackTails: ['', 'result'],
  settings: {},
  connect: () => Promise.reject(new Error('replaced in each test')) as never,
}
const railAccount = (changes: Partial<RailAccount> = {}): RailAccount => ({
  name: 'mtn-uganda',
  rail: KIND.name,
  environment: 'trial',
  currency: 'UGX',
  baseUrl: 'http://127.0.0.1:9',
  callbackKeys,
  settings: {},
  updatedAt: new Date('2026-03-01T08:00:00Z'),
  ...changes,
})
const CHANGED = new Date('2026-03-01T09:00:00Z')

/** A gateway with these rail accounts, which a test changes while it runs. */
function connections(mode: 'sandbox' | 'live' = 'sandbox') {
  const known = new Map<string, RailAccount>()
  const timers = handTimers()
  const faults: unknown[] = []
  const shown: string[] = []
  const worlds: { settings: SettingValues; world: RailWorld }[] = []
  let fault: Error | undefined
  const kind: RailKind = {
    ...KIND,
    connect(settings, world) {
      if (fault) throw fault
      worlds.push({ settings, world })
      return {
        traitsOf: () => ({ repeat: 'safe', pollAfterMs: () => 1 }),
        submit: async () => ({ answer: 'accepted' }),
        query: async () => ({ knows: 'in_progress' }),
        readCallback: ({ body }) => (body === '' ? undefined : { mayQuery: true, externalIds: { said: body } }),
        balances: async () => [],
        check: async () => [],
      } satisfies Adapter
    },
  }
  const railAccounts = createRailAccounts(
    [kind],
    mode,
    { railAccounts: () => known, railAccountOf: () => undefined },
    {
      clock: fixedClock(),
      random: seededRandom('connections'),
      timers,
      policy: SANDBOX_POLICY,
      publicUrl: () => 'https://pay.example',
      record: { add: () => undefined },
      watch: (name, circuit) => {
        shown.push(name)
        const watched = NO_METRICS.watchRailAccount(name, circuit)
        return {
          ...watched,
          end: () => {
            shown.splice(shown.indexOf(name), 1)
            watched.end()
          },
        }
      },
      onFault: (error) => faults.push(error),
    },
  )
  return {
    railAccounts,
    timers,
    faults,
    shown,
    worlds,
    set: (changes: Partial<RailAccount> = {}) => known.set('mtn-uganda', railAccount(changes)),
    remove: () => known.delete('mtn-uganda'),
    fails: (error: Error | undefined) => {
      fault = error
    },
  }
}

const message = { method: 'POST', body: 'something' } as const

test('connects at first need and keeps the connection until the settings change', () => {
  const { railAccounts, worlds, set, shown } = connections()
  set()
  expect([worlds.length, shown]).toEqual([0, []])
  const first = railAccounts.rail('mtn-uganda')
  expect(first).toBeDefined()
  expect(railAccounts.rail('mtn-uganda')).toBe(first)
  set({ updatedAt: CHANGED, currency: 'EUR' })
  expect(railAccounts.rail('mtn-uganda')).not.toBe(first)
  expect(worlds.map(({ world }) => world.currency)).toEqual(['UGX', 'EUR'])
  expect(shown).toEqual(['mtn-uganda'])
})

test('gives each order an address of its own: name, token, order id and word', () => {
  const { railAccounts, worlds, set } = connections()
  set()
  railAccounts.rail('mtn-uganda')
  const [{ world } = { world: undefined }] = worlds
  const token = orderToken(callbackKeys, { railAccount: 'mtn-uganda', orderId: 'an-order' }, CHANGED)
  expect(world?.callbackUrl('an-order', 'result')).toBe(
    `https://pay.example/operators/mtn-uganda/${token}/an-order/result`,
  )
  expect(world?.callbackUrl('another-order')).not.toContain(token)
  set({ updatedAt: CHANGED, callbackKeys: { keys: [] } })
  railAccounts.rail('mtn-uganda')
  expect(worlds[1]?.world.callbackUrl('an-order', 'result')).toBeUndefined()
})

test('gives no address whose word its kind does not name', () => {
  const { railAccounts, worlds, set } = connections()
  set()
  railAccounts.rail('mtn-uganda')
  expect(() => worlds[0]?.world.callbackUrl('an-order', 'elsewhere')).toThrow('takes no message at elsewhere')
})

test('sends nothing to one that is removed, of an unknown kind, or of the other mode', () => {
  const { railAccounts, remove, set } = connections()
  set()
  expect(railAccounts.rail('mtn-uganda')).toBeDefined()
  remove()
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  expect(railAccounts.readCallback('mtn-uganda', message)).toBeUndefined()
  set({ rail: 'of-the-next-version', updatedAt: CHANGED })
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  const live = connections('live')
  live.set()
  expect(live.railAccounts.rail('mtn-uganda')).toBeUndefined()
  live.set({ environment: 'production', updatedAt: CHANGED })
  expect(live.railAccounts.rail('mtn-uganda')).toBeDefined()
  set({ environment: 'production', updatedAt: CHANGED })
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
})

test('reports a failed connection once, and retries after a while or on a change', async () => {
  const { railAccounts, faults, fails, set, timers, shown } = connections()
  set()
  fails(new Error('its certificate file is missing'))
  for (let n = 0; n < 100; n += 1) expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  expect(faults).toHaveLength(1)
  await timers.pass(5_000)
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  expect(faults).toHaveLength(2)
  fails(undefined)
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  set({ updatedAt: CHANGED })
  expect(railAccounts.rail('mtn-uganda')).toBeDefined()
  // A rail account that was never connected has no metrics.
  expect(shown).toEqual(['mtn-uganda'])
})

test('throws for a message while its connection fails, and accepts it later', async () => {
  const { railAccounts, fails, set, timers } = connections()
  set()
  fails(new Error('its certificate file is missing'))
  expect(() => railAccounts.readCallback('mtn-uganda', message)).toThrow('mtn-uganda cannot be connected now')
  fails(undefined)
  await timers.pass(5_000)
  expect(railAccounts.readCallback('mtn-uganda', message)).toEqual({
    mayQuery: true,
    externalIds: { said: 'something' },
  })
  expect(railAccounts.readCallback('mtn-uganda', { ...message, body: '' })).toBeUndefined()
})

test('a missing certificate file is such a fault, and reveals nothing', () => {
  const { railAccounts, faults, set, shown } = connections()
  set({ settings: { ca_file: '/nowhere/ca.pem' } })
  expect(railAccounts.rail('mtn-uganda')).toBeUndefined()
  expect(faults).toMatchObject([{ code: 'ENOENT' }])
  expect(shown).toEqual([])
})

test('jobs under way keep a changed connection for a minute, or until shutdown', async () => {
  const { railAccounts, set, timers } = connections()
  set()
  const before = railAccounts.connection('mtn-uganda')
  set({ updatedAt: CHANGED })
  const now = railAccounts.connection('mtn-uganda')
  const ended: string[] = []
  for (const [name, connection] of Object.entries({ before, now }))
    if (connection) Object.assign(connection, { close: async () => void ended.push(name) })
  await timers.pass(59_999)
  expect(ended).toEqual([])
  await railAccounts.close()
  expect(ended.toSorted()).toEqual(['before', 'now'])
  await timers.pass(1)
  expect(ended).toHaveLength(2)
  const order = {
    internalReference: 'MLP1',
    orderId: 'o1',
    type: 'COLLECTION',
    providerCode: 'mtn_ug',
    account: '1',
    amount: money(1n, 'UGX'),
    externalIds: {},
  } as const
  expect(await before?.rail.submit([order])).toEqual([{ answer: 'accepted' }])
})

test('a permission of a rail account holds for it alone', () => {
  expect(policyFor(LIVE_POLICY, { private_network: 'yes' })).toEqual({ ...LIVE_POLICY, allowPrivateNetworks: true })
  for (const settings of [{}, { private_network: 'no' }]) expect(policyFor(LIVE_POLICY, settings)).toBe(LIVE_POLICY)
})

test('reports to the owner why one cannot be connected', () => {
  const { railAccounts, set, fails } = connections()
  expect(railAccounts.faultOf('mtn-uganda')).toBe('it is removed')
  set({ environment: 'production' })
  expect(railAccounts.faultOf('mtn-uganda')).toBe('it moves real money, and this mode is for tests')
  set({ rail: 'paypal' })
  expect(railAccounts.faultOf('mtn-uganda')).toBe('this version knows no rail paypal')
  set()
  expect(railAccounts.faultOf('mtn-uganda')).toBeUndefined()
  fails(new SettingFault('the key does not fit'))
  expect(railAccounts.connection('mtn-uganda')).toBeUndefined()
  expect(railAccounts.faultOf('mtn-uganda')).toBe('the key does not fit')
})
