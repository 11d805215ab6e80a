import { SIMULATOR_CERTIFICATE } from './key-pair.ts'

/**
 * Whom the simulator serves: one merchant with a pay bill, a till that belongs to it, and a short code for payouts.
 * The same after every start, so that a gateway's settings go on working. None of it opens anything but a simulator.
 */
export const SIMULATED_MERCHANT = {
  name: 'Simulated Shop',
  consumerKey: 'simulator-consumer-key',
  consumerSecret: 'simulator-consumer-secret',
  passkey: 'simulator-passkey',
  payBill: '174379',
  till: '300584',
  payoutShortCode: '600992',
  initiatorName: 'simulator-initiator',
  initiatorPassword: 'simulator-initiator-password',
  certificate: SIMULATOR_CERTIFICATE,
} as const

const { payBill, till, payoutShortCode } = SIMULATED_MERCHANT

/** Every short code with what it holds at the start, in shillings: all of them may pay out but the till. */
export const OPENING_BALANCES: Readonly<Record<string, string>> = {
  [payBill]: '1000000',
  [till]: '0',
  [payoutShortCode]: '1000000',
}

/** @param balance what all of them hold instead, in shillings */
export const openingBalances = (balance?: string): Readonly<Record<string, string>> =>
  balance === undefined
    ? OPENING_BALANCES
    : Object.fromEntries(Object.keys(OPENING_BALANCES).map((shortCode) => [shortCode, balance]))

/** Where money goes that a push asks for. @returns undefined when the two short codes do not go together */
export function receivingAccount(transactionType: string, shortCode: string, partyB: string): string | undefined {
  if (transactionType === 'CustomerBuyGoodsOnline') return shortCode === payBill && partyB === till ? till : undefined
  return partyB === shortCode && mayPayOut(shortCode) ? shortCode : undefined
}

/** A pay bill collects and pays out; a till only collects. */
export const mayPayOut = (shortCode: string): boolean => shortCode === payBill || shortCode === payoutShortCode
