import { decryptCredential, SIMULATOR_CERTIFICATE } from './key-pair.ts'

/**
 * The simulator's only merchant, with a pay bill, a till that belongs to it, and a short code for payouts. The same
 * after every start, so that a gateway's settings keep working. None of it opens anything but a simulator.
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

const { payBill, till, payoutShortCode, initiatorName, initiatorPassword } = SIMULATED_MERCHANT

/** Every short code with its opening balance, in shillings: all may pay out except the till. */
export const OPENING_BALANCES: Readonly<Record<string, string>> = {
  [payBill]: '1000000',
  [till]: '0',
  [payoutShortCode]: '1000000',
}

/** @param balance of every short code instead, in shillings */
export const openingBalances = (balance?: string): Readonly<Record<string, string>> =>
  balance === undefined
    ? OPENING_BALANCES
    : Object.fromEntries(Object.keys(OPENING_BALANCES).map((shortCode) => [shortCode, balance]))

/** The short code that a push pays into. @returns undefined when the two short codes do not belong together */
export function receivingAccount(transactionType: string, shortCode: string, partyB: string): string | undefined {
  if (transactionType === 'CustomerBuyGoodsOnline') return shortCode === payBill && partyB === till ? till : undefined
  return partyB === shortCode && mayPayOut(shortCode) ? shortCode : undefined
}

/** A pay bill collects and pays out; a till only collects. */
export const mayPayOut = (shortCode: string): boolean => shortCode === payBill || shortCode === payoutShortCode

/** Whether the name is the initiator's, and the credential its password, encrypted with the simulator's certificate. */
export const isInitiator = (name: string, credential: string): boolean =>
  name === initiatorName && decryptCredential(credential) === initiatorPassword
