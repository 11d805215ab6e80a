import { randomBytes } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { RailKnowledge, RailOrder } from '../../../actions/ports/rail.ts'
import { newOrderId } from '../../../domain/references.ts'
import type { Adapter, RailWorld, SettingValues } from '../../rail-kind.ts'
import { createProductCalls, type ProductCalls } from '../calls.ts'
import { mtnMomo } from '../mtn-momo.ts'
import { readSettings, type Product } from '../settings.ts'
import { worldTo } from './connected.ts'
import type { AccountBehaviour, Counterpart } from './counterpart.ts'

export const SIDES = {
  collection: { type: 'COLLECTION', side: 'payer', path: '/collection/v1_0/requesttopay', tail: 'collection' },
  disbursement: { type: 'PAYOUT', side: 'payee', path: '/disbursement/v1_0/transfer', tail: 'transfer' },
} as const

export interface TestedAdapter {
  readonly adapter: Adapter
  readonly calls: ProductCalls
  /** `POST /collection/v1_0/requesttopay 202`; status queries appear without the id. */
  readonly seen: readonly string[]
}

export interface Misconfiguration {
  /** Overrides of the valid settings. */
  readonly settings?: SettingValues
  /** Sent with every call except the token request, so that the refused call is the other one. */
  readonly subscriptionKey?: string
}

/** The rail with one product, and valid settings except for the overrides. */
export function tried(
  counterpart: Counterpart,
  product: Product,
  { settings: wrong = {}, subscriptionKey }: Misconfiguration = {},
  world: Partial<RailWorld> = {},
): TestedAdapter {
  const seen: string[] = []
  const { world: plain, close } = worldTo(counterpart.settings['base_url'] ?? '')
  onTestFinished(close)
  const watched: RailWorld = {
    ...plain,
    currency: counterpart.currency,
    callbackUrl: () => undefined,
    fetchFor: (about) => async (request) => {
      if (subscriptionKey !== undefined && about.purpose !== 'token')
        request.headers.set('Ocp-Apim-Subscription-Key', subscriptionKey)
      const response = await plain.fetchFor(about)(request)
      const path = new URL(request.url).pathname.replace(/\/[0-9a-z]+(-[0-9a-z]+){4}$/, '')
      seen.push(`${request.method} ${path} ${response.status}`)
      return response
    },
    ...world,
  }
  const own = Object.entries({ ...counterpart.settings, ...wrong }).filter(
    ([name]) => !/^(collection|disbursement)_/.test(name) || name.startsWith(product),
  )
  const given = Object.fromEntries(own)
  const settings = readSettings(given)
  const credentials = settings.credentials[product]
  if (!credentials) throw new Error(`no credentials for ${product}`)
  return {
    adapter: mtnMomo.connect(given, watched),
    calls: createProductCalls(product, credentials, settings, watched),
    seen,
  }
}

export async function orderTo(
  counterpart: Counterpart,
  product: Product,
  behaviour: AccountBehaviour,
): Promise<RailOrder> {
  const { type, side } = SIDES[product]
  return {
    internalReference: 'MLP0123456789ABCDEFGHJKMN',
    orderId: newOrderId({ bytes: (size) => randomBytes(size) }),
    orderedAt: new Date(0),
    type,
    providerCode: 'mtn_ug',
    account: await counterpart.number(side, behaviour),
    amount: { amountMinor: 1000n, currency: counterpart.currency },
    externalIds: {},
  }
}

/** Submits an order and polls its status until it is final; a refusal is final as well. */
export async function endOf(counterpart: Counterpart, adapter: Adapter, order: RailOrder): Promise<RailKnowledge> {
  const answer = await adapter.submit(order)
  if (answer.answer === 'refused') return { knows: 'outcome', outcome: { ...answer, status: 'FAILED' } }
  expect(answer).toEqual({ answer: 'accepted' })
  await counterpart.passTime()
  return adapter.query(order)
}
