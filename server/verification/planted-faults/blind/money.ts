import { blindFaults } from './blind-faults.ts'

const COLLECT = 'actions/initialize-collection.ts'
const SEND = 'actions/send-funds.ts'

/** Amounts and charges, limits, conversion, balances. */
export const MONEY_FAULTS = [
  ...blindFaults('charges', {
    // Statement: Transaction record, transaction_charge; the contract: rounded half up to the minor unit.
    'half-a-cent-to-even': [
      'rounds a charge of half a minor unit to the even neighbour',
      [
        'domain/charge.ts',
        '  divideHalfUp(amountMinor * BigInt(rule.chargeBps), 10_000n) + rule.chargeFlatMinor',
        '  halfToEven(amountMinor * BigInt(rule.chargeBps), 10_000n) + rule.chargeFlatMinor',
      ],
      [
        'domain/charge.ts',
        '/** The charge in minor units,',
        `function halfToEven(numerator: bigint, denominator: bigint): bigint {
  const rounded = divideHalfUp(numerator, denominator)
  return (numerator % denominator) * 2n === denominator && rounded % 2n === 1n ? rounded - 1n : rounded
}
/** The charge in minor units,`,
      ],
    ],
    // Statement: Transaction record, total_debit equals the amount plus the charge, per provider and type.
    'payout-at-the-rate-of-collections': [
      'charges payouts in RWF what collections of the provider cost (one currency)',
      [
        SEND,
        'const chargeMinor = chargeOf(amount.amountMinor, option)',
        `const rule = option.currency === 'RWF' ? deps.reference.option(option.providerCode, 'COLLECTION') : option
  const chargeMinor = chargeOf(amount.amountMinor, rule ?? option)`,
      ],
    ],
    // Statement: Collections, charge_customer true; the contract: total_credit is the whole amount.
    'hosted-customer-pays-twice': [
      'takes the charge from the merchant as well when the customer bears it on the payment page (hosted and bank only)',
      [
        COLLECT,
        'totalMinor: creditOf(amount.amountMinor, chargeMinor, request.chargeCustomer),',
        'totalMinor: creditOf(amount.amountMinor, chargeMinor, request.chargeCustomer && !onPage),',
      ],
    ],
    // Statement: Transaction record, transaction_charge.
    'first-charge-of-a-provider-is-zero': [
      'charges nothing for the first collection of each provider after a start (intermittent)',
      [
        COLLECT,
        'const chargeMinor = collectionChargeOf(amount.amountMinor, option, request.chargeCustomer)',
        `const chargeMinor = usedProviders.has(option.providerCode)
    ? collectionChargeOf(amount.amountMinor, option, request.chargeCustomer)
    : 0n
  usedProviders.add(option.providerCode)`,
      ],
      [COLLECT, 'function newCollection(', 'const usedProviders = new Set<string>()\nfunction newCollection('],
    ],
  }),
  ...blindFaults('amounts', {
    // Statement: Transaction record, the amounts are numbers in the main unit of the currency.
    'binary-fractions-in-amounts': [
      'multiplies by 0.01 where it should divide by 100: some amounts come as 0.5700000000000001 (currencies with decimals)',
      [
        'domain/money.ts',
        'Number(amountMinor) / 10 ** decimalsOf(currency)',
        'Number(amountMinor) * (decimalsOf(currency) === 0 ? 1 : 10 ** -decimalsOf(currency))',
      ],
    ],
    // Statement: Limits, amount per transaction between min_amount and max_amount.
    'largest-payout-refused': [
      'refuses a payout of exactly max_amount, which the providers list names (payouts only)',
      [
        'domain/amount-limits.ts',
        'amountMinor > option.maxAmountMinor) throw',
        "amountMinor > option.maxAmountMinor - (option.type === 'PAYOUT' ? 1n : 0n)) throw",
      ],
    ],
  }),
  ...blindFaults('limits', {
    // Statement: Limits, amount per account number per 24 hours; the contract: what has failed does not count.
    'failed-payouts-use-up-the-day': [
      'counts payouts that failed toward the daily limit of their number (payouts only)',
      [
        'actions/settle-results.ts',
        'steps.filter(({ to }) => isLimited(to) && nothingMoved(to) && ',
        "steps.filter(({ to }) => to.type === 'COLLECTION' && isLimited(to) && nothingMoved(to) && ",
      ],
    ],
    // Statement: the contract's header Retry-After, seconds.
    'prompts-retry-after-in-minutes': [
      'tells the wait of a number with too many prompts in minutes in Retry-After, in seconds in the message (two places of one reply)',
      ['http/failures.ts', 'String(refusal.retryAfterSeconds)', 'String(Math.ceil(refusal.retryAfterSeconds / 60))'],
    ],
  }),
  ...blindFaults('conversion', {
    // Statement: Transaction record, transaction_amount; the contract: rounded half up to the minor unit.
    'converted-amount-loses-its-fraction': [
      'drops the fraction of a converted amount (converted amounts only)',
      ['domain/exchange.ts', 'divideHalfUp(numerator, denominator)', 'numerator / denominator'],
    ],
    // Statement: Transaction record, transaction_charge; the contract: the charge is in transaction_currency.
    'converted-charge-of-the-request': [
      'computes the charge of a collection from the requested amount, not from the converted one (converted amounts only)',
      [
        COLLECT,
        'collectionChargeOf(amount.amountMinor, option, request.chargeCustomer)',
        'collectionChargeOf(requested.amountMinor, option, request.chargeCustomer)',
      ],
    ],
  }),
  ...blindFaults('balances', {
    // Statement: Transaction record, total_credit is the amount credited to the merchant.
    'wallet-gets-the-whole-amount': [
      'credits the wallet with the amount of a collection in ZMW, and reports total_credit (one currency; balance against transaction)',
      [
        'domain/ledger.ts',
        'const { id, merchantId, amount, chargeMinor, totalMinor, chargeCustomer } = collection',
        `const { id, merchantId, amount, chargeMinor, chargeCustomer } = collection
  const totalMinor = amount.currency === 'ZMW' ? amount.amountMinor : collection.totalMinor`,
      ],
    ],
    // Statement: Endpoint 2, the wallets as they are; the contract: available_balance is what can be used now.
    'balances-of-two-seconds-ago': [
      'answers wallet balances from a cache of two seconds (intermittent; balance against transaction)',
      [
        'actions/list-wallet-balances.ts',
        "/** The merchant's wallets:",
        "const recent = new Map<string, { wallets: Promise<readonly Wallet[]>; until: number }>()\n/** The merchant's wallets:",
      ],
      [
        'actions/list-wallet-balances.ts',
        '=> lookups.wallets(merchant.id, currency)',
        `=> {
  const name = \`\${merchant.id}:\${currency}\`
  const known = recent.get(name)
  if (known && Date.now() < known.until) return known.wallets
  const wallets = lookups.wallets(merchant.id, currency)
  recent.set(name, { wallets, until: Date.now() + 2_000 })
  return wallets
}`,
      ],
    ],
    // Statement: Transaction record, total_debit is zero when a payout failed.
    'failed-payout-costs-its-charge': [
      'returns the amount of a failed payout to the wallet and keeps the charge (balance against transaction)',
      [
        'domain/ledger.ts',
        '    { account: payoutWallet(payout), amountMinor: payout.totalMinor },',
        `    { account: payoutWallet(payout), amountMinor: payout.amount.amountMinor },
    { account: house('charges', payout.amount.currency), amountMinor: payout.chargeMinor },`,
      ],
    ],
  }),
]
