import { expect } from 'vitest'
import type { CollectionRequest, Malipo } from '../../../client/index.ts'
import { mobileMoneyCollection, uniqueMsisdn, uniqueReference } from './requests.ts'

// Requests in the form that our client takes, made from those that are sent raw.

/** The shop's page to which customers return. */
export const REDIRECT_URL = 'https://shop.example/done'

/** By mobile money. */
export const phoneCollection = (changes: Readonly<Record<string, unknown>> = {}): CollectionRequest =>
  // Its fields are those of the contract; a test's changes may be of a kind that no type allows.
  mobileMoneyCollection(changes) as unknown as CollectionRequest

/**
 * By mobile money on the payment page.
 * @param ending of the phone number: it selects the outcome
 */
export const hostedCollection = (ending = '123'): CollectionRequest =>
  phoneCollection({ msisdn: uniqueMsisdn(ending), mobile_money_hpp: true, redirect_url: REDIRECT_URL })

/** By bank, on the payment page. */
export const bankCollection = (changes: object = {}): CollectionRequest => ({
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  merchant_reference: uniqueReference(),
  currency: 'NGN',
  amount: 5000,
  description: 'School fees of March',
  redirect_url: REDIRECT_URL,
  ...changes,
})

/**
 * Starts a collection by mobile money, and returns its merchant reference.
 * @param ending of the phone number: it selects the outcome
 */
export async function acceptedCollection(
  malipo: Malipo,
  ending: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const merchant_reference = uniqueReference()
  const request = phoneCollection({ merchant_reference, msisdn: uniqueMsisdn(ending), ...changes })
  expect(await malipo.collections.initialize(request)).toEqual({
    merchant_reference,
    internal_reference: expect.stringMatching(/^MLP/) as string,
  })
  return merchant_reference
}
