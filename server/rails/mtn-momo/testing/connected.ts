import type { RailOrder } from '../../../actions/ports/rail.ts'
import { fixedClock } from '../../../verification/testing/fixed-clock.ts'
import type { RailWorld, SettingValues } from '../../rail-kind.ts'
import { scriptedAdapter, worldOf } from '../../testing/adapter-at.ts'
import { mtnMomo } from '../mtn-momo.ts'

export const CREDENTIALS: SettingValues = {
  collection_subscription_key: 'collection-subscription-key',
  collection_api_user: '8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55',
  collection_api_key: 'f1db798c98df4bcf83b538175893bbf0',
  disbursement_subscription_key: 'disbursement-subscription-key',
  disbursement_api_user: '0b3f5d2e-5a3c-4a53-9d6b-2f0f0c5a7f10',
  disbursement_api_key: '0123456789abcdef0123456789abcdef',
}

export const NOW = new Date('2026-11-22T12:00:00Z')

interface ConnectOptions {
  readonly settings?: SettingValues
  readonly world?: Partial<RailWorld>
}

/** The adapter against an operator that a test scripts, with a token for each product, in UGX. */
export async function connected({ settings = {}, world = {} }: ConnectOptions = {}) {
  const all = { target_environment: 'mtnuganda', ...CREDENTIALS, ...settings }
  const scripted = await scriptedAdapter(mtnMomo, all, testWorld(world))
  for (const product of ['collection', 'disbursement'])
    scripted.operator.on(`POST /${product}/token/`, {
      status: 200,
      body: { access_token: `token-of-${product}`, token_type: 'access_token', expires_in: 3600 },
    })
  return scripted
}

export const testWorld = (changes: Partial<RailWorld> = {}): RailWorld =>
  worldOf(mtnMomo, 'UGX', { clock: fixedClock(NOW), ...changes })

export const ORDER_ID = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'

/** 5000 UGX from or to 256772000123, committed ten minutes ago. */
export const order = (given: Partial<RailOrder> = {}): RailOrder => ({
  internalReference: 'MLP0123456789ABCDEFGHJKMN',
  orderId: ORDER_ID,
  orderedAt: new Date(NOW.getTime() - 600_000),
  type: 'COLLECTION',
  providerCode: 'mtn_ug',
  account: '256772000123',
  amount: { amountMinor: 5000n, currency: 'UGX' },
  externalIds: {},
  ...given,
})

/** The two directions, with MTN's paths and the account in each body. */
export const DIRECTIONS = {
  COLLECTION: {
    post: 'POST /collection/v1_0/requesttopay',
    get: 'GET /collection/v1_0/requesttopay/{id}',
    party: 'payer',
    product: 'collection',
    tail: 'collection',
  },
  PAYOUT: {
    post: 'POST /disbursement/v1_0/transfer',
    get: 'GET /disbursement/v1_0/transfer/{id}',
    party: 'payee',
    product: 'disbursement',
    tail: 'transfer',
  },
} as const
export type Direction = keyof typeof DIRECTIONS

/** MTN's status reply for that order. */
export const result = (given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  externalId: ORDER_ID,
  amount: '5000',
  currency: 'UGX',
  payer: { partyIdType: 'MSISDN', partyId: '256772000123' },
  payerMessage: 'Payment',
  payeeNote: 'Payment',
  status: 'PENDING',
  ...given,
})
