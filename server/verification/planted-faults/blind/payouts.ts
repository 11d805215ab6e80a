import { blindFaults } from './blind-faults.ts'

const SEND = 'actions/send-funds.ts'

/** Payouts, the handshake, lists and lookups. */
export const PAYOUT_FAULTS = [
  ...blindFaults('handshakes', {
    // Statement: Payout verification handshake; the contract: after 429 it asks again.
    'too-many-requests-is-a-no': [
      'fails a payout whose verification URL answers 429, which means not now',
      ['domain/handshake.ts', '[408, 425, 429]', '[408, 425]'],
    ],
    // Statement: Payout verification handshake, after a payout is accepted.
    'payout-without-handshake': [
      'pays one payout in 15 without asking the verification URL (intermittent)',
      [
        SEND,
        "firstJob: { kind: 'verifyPayout', dueAt: now, destination: destinationOf(merchant.id, 'VERIFICATION') },",
        `firstJob:
      payouts++ % 15 === 14
        ? { kind: 'holdFunds', dueAt: now }
        : { kind: 'verifyPayout', dueAt: now, destination: destinationOf(merchant.id, 'VERIFICATION') },`,
      ],
      [SEND, 'function newPayout(', 'let payouts = 0\nfunction newPayout('],
    ],
  }),
  ...blindFaults('payouts', {
    // Statement: Endpoint 7, account_number of a bank.
    'account-number-is-a-number': [
      'drops the zeros at the beginning of a bank account number (bank payouts only)',
      [
        SEND,
        "request.method === 'BANK' ? request.account : phoneNumberFor",
        "request.method === 'BANK' ? String(BigInt(request.account)) : phoneNumberFor",
      ],
    ],
    // Statement: Endpoint 7, bank_code from the payout banks list of the provider.
    'bank-of-another-provider': [
      'accepts a payout to a bank that only another provider lists (bank payouts only)',
      [
        SEND,
        'reference.banks(providerCode).find(',
        "[providerCode, 'bank_ng', 'bank_za'].flatMap((code) => reference.banks(code)).find(",
      ],
    ],
  }),
  ...blindFaults('lookups', {
    // Statement: Endpoint 6, the banks that a provider supports.
    'banks-end-at-ten': [
      'lists the first ten banks of a provider (bank_ng has more; payouts to the others are accepted)',
      [
        'actions/list-payout-banks.ts',
        'return reference.banks(providerCode)',
        'return reference.banks(providerCode).slice(0, 10)',
      ],
    ],
    // Statement: Provider, is_active.
    'inactive-for-a-second': [
      'lists every provider as inactive in one second of each minute (intermittent)',
      [
        'http/handlers/list-payment-providers.ts',
        'is_active: option.isActive &&',
        'is_active: new Date().getSeconds() !== 30 && option.isActive &&',
      ],
    ],
    // Statement: Provider, max_daily_amount; Limits, amount per account number per 24 hours.
    'listed-day-is-one-payment': [
      'lists the largest amount of one payment as max_daily_amount of bank providers (one method; list against refusal)',
      [
        'http/handlers/list-payment-providers.ts',
        'amountToWire(dailyAmountOf(option), option.currency)',
        "amountToWire(option.method === 'BANK' ? option.maxAmountMinor : dailyAmountOf(option), option.currency)",
      ],
    ],
  }),
]
