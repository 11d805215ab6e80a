import { onTestFinished } from 'vitest'
import type { RailOrder } from '../../../actions/ports/rail.ts'
import { contractOf } from '../../operator-contract.ts'
import type { Adapter, ExchangeAbout, RailWorld, SettingValues } from '../../rail-kind.ts'
import { exchangeAt } from '../../testing/exchange-at.ts'
import { startScriptedOperator, type ScriptedOperator } from '../../testing/scripted-operator.ts'
import { mtnMomo } from '../mtn-momo.ts'

export const CREDENTIALS: SettingValues = {
  collection_subscription_key: 'collection-subscription-key',
  collection_api_user: '8c5a1e70-90a4-4f0e-8d0f-26a30f2f4a55',
  collection_api_key: 'f1db798c98df4bcf83b538175893bbf0',
  disbursement_subscription_key: 'disbursement-subscription-key',
  disbursement_api_user: '0b3f5d2e-5a3c-4a53-9d6b-2f0f0c5a7f10',
  disbursement_api_key: '0123456789abcdef0123456789abcdef',
}

interface ConnectedAdapter {
  readonly operator: ScriptedOperator
  readonly adapter: Adapter
  /** The purpose of every call. */
  readonly exchanges: readonly ExchangeAbout[]
}

export const NOW = new Date('2026-11-22T12:00:00Z')
const CLOCK = { now: () => NOW }

interface ConnectOptions {
  readonly settings?: SettingValues
  readonly world?: Partial<RailWorld>
}

/** The adapter against an operator that a test scripts, with a token for each product, in UGX. */
export async function connected({ settings = {}, world = {} }: ConnectOptions = {}): Promise<ConnectedAdapter> {
  const operator = await startScriptedOperator()
  onTestFinished(() => operator.close())
  for (const product of ['collection', 'disbursement'])
    operator.on(`POST /${product}/token/`, {
      status: 200,
      body: { access_token: `token-of-${product}`, token_type: 'access_token', expires_in: 3600 },
    })
  const { world: usual, exchanges, close } = worldTo(operator.url)
  onTestFinished(close)
  const adapter = mtnMomo.connect(
    { base_url: operator.url, target_environment: 'mtnuganda', ...CREDENTIALS, ...settings },
    { ...usual, ...world },
  )
  return { operator, adapter, exchanges }
}

/** The world of a rail account at this address: its calls go through the gateway's own exchange. */
export function worldTo(baseUrl: string): {
  readonly world: RailWorld
  readonly exchanges: readonly ExchangeAbout[]
  close(): Promise<void>
} {
  const exchanges: ExchangeAbout[] = []
  const { fetchFor, close } = exchangeAt(mtnMomo, baseUrl, CREDENTIALS, CLOCK)
  const world: RailWorld = {
    clock: CLOCK,
    random: { bytes: (size) => new Uint8Array(size) },
    currency: 'UGX',
    contract: contractOf(mtnMomo),
    callbackUrl: (orderId, tail) => `https://pay.example/operators/mtn-ug/secret/${orderId}/${tail}`,
    accountUrl: (tail) => `https://pay.example/operators/mtn-ug/secret/account/${tail}`,
    failureCodes: new Map(),
    fetchFor: (about) => {
      exchanges.push(about)
      return fetchFor(about)
    },
  }
  return { world, exchanges, close }
}

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
