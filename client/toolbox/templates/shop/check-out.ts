import { randomUUID } from 'node:crypto'
import { MalipoError, type Malipo, type Provider } from '@malipo/client'
import type { NewOrder, OrderBook } from './orders.ts'

/** The product. The price is here, and never in the form that customers send. */
export const PRODUCT = { name: 'Bugisu coffee, 250 g', amount: 20_000, currency: 'UGX' } as const

export interface CheckOut {
  readonly malipo: Malipo
  readonly orders: OrderBook
  /** The URL to which Malipo sends the customer back. */
  readonly redirectUrl: string
}

/** `phone`: the number does not belong to that provider. `later`: Malipo could not accept it. */
export type Fault = 'phone' | 'later'
export type CheckoutResult = { readonly paymentUrl: string } | { readonly fault: Fault }

export const FAULTS = {
  phone: 'This number does not belong to that provider. Please write it with the country code, such as 256772000123.',
  later: 'Paying is not possible at the moment. Please try again in a minute.',
} as const satisfies Record<Fault, string>

/** Creates an order and a collection for it. The customer approves on Malipo's payment page. */
export async function startPayment(
  { malipo, orders, redirectUrl }: CheckOut,
  provider: string,
  phone: string,
  order: NewOrder = { reference: `SHOP-${randomUUID().slice(9)}`, amount: PRODUCT.amount, currency: PRODUCT.currency },
): Promise<CheckoutResult> {
  const { reference, amount, currency } = order
  // Stored first: a callback may be faster than the reply.
  orders.add(order)
  try {
    const { payment_url } = await malipo.collections.initialize(
      {
        transaction_method: 'MOBILE_MONEY',
        provider_code: provider,
        msisdn: phone.replaceAll(/[\s()-]/g, ''),
        merchant_reference: reference,
        currency,
        amount,
        description: 'Bugisu coffee 250 g',
        mobile_money_hpp: true,
        redirect_url: redirectUrl,
      },
      { idempotencyKey: reference }, // one order is one collection, however often it is sent
    )
    return { paymentUrl: payment_url }
  } catch (error) {
    if (!(error instanceof MalipoError)) throw error
    return { fault: error.kind === 'validation' ? 'phone' : 'later' }
  }
}

/** The available providers; none when Malipo does not reply. */
export async function providersOf(malipo: Malipo): Promise<readonly Provider[]> {
  try {
    const providers = await malipo.providers.list({ currency: PRODUCT.currency, transaction_type: 'COLLECTION' })
    return providers.filter(({ transaction_method, is_active }) => is_active && transaction_method === 'MOBILE_MONEY')
  } catch (error) {
    if (error instanceof MalipoError) return []
    throw error
  }
}
