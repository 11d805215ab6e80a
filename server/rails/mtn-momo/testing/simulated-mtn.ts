import { randomBytes } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { mtnMomo as simulatedMtn } from '../../../../openapi/operators/simulator/mtn-momo/mtn-momo.ts'
import { startSimulator } from '../../../../openapi/operators/simulator/simulator.ts'
import type { RailKnowledge, RailOrder } from '../../../actions/ports/rail.ts'
import { present } from '../../../domain/present.ts'
import { newOrderId } from '../../../domain/references.ts'
import type { Adapter, RailWorld, ReceivedCallback, SettingValues } from '../../rail-kind.ts'
import { mtnMomo } from '../mtn-momo.ts'
import type { Product } from '../settings.ts'
import { worldTo } from './connected.ts'

const MINUTE_MS = 60_000

export const SIDES = {
  collection: { type: 'COLLECTION', side: 'payer', path: '/collection/v1_0/requesttopay', tail: 'collection' },
  disbursement: { type: 'PAYOUT', side: 'payee', path: '/disbursement/v1_0/transfer', tail: 'transfer' },
} as const

/** Numbers of MTN's sandbox (x-test-numbers of the contract); it has no payer who is over a limit. */
export const NUMBERS = {
  payer: {
    approves: '46733123499',
    rejects: '46733123451',
    lets_expire: '46733123452',
    without_money: '46733123450',
    over_limit: '46733123470',
    unknown: '46733123455',
  },
  payee: {
    approves: '46733123499',
    rejects: '46733123451',
    lets_expire: '46733123452',
    without_money: '46733123455',
    over_limit: '46733123456',
    unknown: '46733123457',
  },
  holder: { active: '46733123499', inactive: '46733123451', unknown: '46733123450' },
} as const

interface Misconfiguration {
  /** Overrides of the valid settings. */
  readonly settings?: SettingValues
  /** Sent with every call except the token request, so that the refused call is the other one. */
  readonly subscriptionKey?: string
  readonly callbackUrl?: RailWorld['callbackUrl']
}

interface TestedAdapter {
  readonly adapter: Adapter
  /** `POST /collection/v1_0/requesttopay 202`; status queries appear without the id. */
  readonly seen: readonly string[]
}

export interface SimulatedMtn {
  readonly currency: string
  /** The rail with this product, and valid settings except for the overrides. */
  connected(wrong?: Misconfiguration): TestedAdapter
  order(behaviour: keyof typeof NUMBERS.payer): RailOrder
  /** Submits an order and polls its status once it is final; a refusal is final as well. */
  endOf(adapter: Adapter, order: RailOrder): Promise<RailKnowledge>
  /** Ends all tokens that it has issued. */
  spoilTokens(): void
  /** The callback that it has sent for an order, and its URL. */
  callbackOf(orderId: string): Promise<{ readonly url: string } & Omit<ReceivedCallback, 'tail'>>
}

/** The operators' simulator as MTN's sandbox, on a clock of its own. No server receives its callbacks. */
export async function startSimulatedMtn(product: Product): Promise<SimulatedMtn> {
  const { type, side } = SIDES[product]
  const simulator = await startSimulator(simulatedMtn(), { frozen: true, auto: true })
  onTestFinished(() => simulator.close())
  const { world, scenarios, callbacks, open, url } = simulator
  const { currency } = simulator.operator
  scenarios.add([
    {
      on: { operation: 'requestToPay', msisdn: NUMBERS.payer.over_limit },
      times: 'always',
      effect: { do: 'settle', as: 'failed', code: 'PAYER_LIMIT_REACHED' },
    },
  ])
  const settings = Object.entries({ ...open.railSettings, base_url: url, currency }).filter(
    ([name]) => !/^(collection|disbursement)_/.test(name) || name.startsWith(product),
  )
  return {
    currency,
    connected({ settings: wrong = {}, subscriptionKey, callbackUrl = () => undefined } = {}) {
      const seen: string[] = []
      const { world: usual, close } = worldTo(url)
      onTestFinished(close)
      const fetchFor: RailWorld['fetchFor'] = (about) => async (request) => {
        if (subscriptionKey !== undefined && about.purpose !== 'token')
          request.headers.set('Ocp-Apim-Subscription-Key', subscriptionKey)
        const response = await usual.fetchFor(about)(request)
        const path = new URL(request.url).pathname.replace(/\/[0-9a-z]+(-[0-9a-z]+){4}$/, '')
        seen.push(`${request.method} ${path} ${response.status}`)
        return response
      }
      const own = { ...Object.fromEntries(settings), ...wrong }
      return { adapter: mtnMomo.connect(own, { ...usual, currency, callbackUrl, fetchFor }), seen }
    },
    order: (behaviour) => ({
      internalReference: 'MLP0123456789ABCDEFGHJKMN',
      orderId: newOrderId({ bytes: (size) => randomBytes(size) }),
      orderedAt: new Date(0),
      type,
      providerCode: 'mtn_ug',
      account: NUMBERS[side][behaviour],
      amount: { amountMinor: 1000n, currency },
      externalIds: {},
    }),
    async endOf(adapter, order) {
      const answer = await adapter.submit(order)
      if (answer.answer === 'refused') return { knows: 'outcome', outcome: { ...answer, status: 'FAILED' } }
      expect(answer).toEqual({ answer: 'accepted' })
      world.clock.advance(10 * MINUTE_MS)
      return adapter.query(order)
    },
    spoilTokens: () => world.clock.advance(120 * MINUTE_MS),
    async callbackOf(orderId) {
      await callbacks.idle()
      const sent = world.exchanges.all().find(({ direction, url: to }) => direction === 'out' && to.includes(orderId))
      const { url: to, method, requestBody } = present(sent, 'a callback')
      return { url: to, method: method === 'POST' ? 'POST' : 'PUT', body: JSON.stringify(requestBody) }
    },
  }
}
