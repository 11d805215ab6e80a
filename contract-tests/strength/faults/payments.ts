import { edited, faultsOf } from './fault.ts'

// Faults in payments: their states and money, in other currencies, and at one provider or bank only.

const VERIFY = 'http/handlers/verify-transaction.ts'
const RECORD = 'messages/transaction-record.ts'
const HANDLER = 'http/handlers/initialize-collection.ts'
const WALLETS = 'http/handlers/list-wallet-balances.ts'
const PROVIDERS = 'http/handlers/list-payment-providers.ts'
const AUTHORIZE = 'actions/authorize-collection.ts'
const ACCEPT = 'actions/accept-transaction.ts'
const LIMITS = 'domain/amount-limits.ts'
const PHONE = 'domain/phone.ts'
const EXCHANGE = 'domain/exchange.ts'
const TRANSACTION = 'domain/transaction.ts'

const LOADED = 'transactionRecord(await verifyTransaction(deps, merchant, merchant_reference))'
/** Changes the transaction in replies to verify only. @param changed a condition over `one`, and the changed fields */
const verified = (does: string, when: string, fields: string, before = '') =>
  edited(
    does,
    [VERIFY, 'export const', `${before}const change = (one) => (${when} ? { ...one, ${fields} } : one)\nexport const`],
    [VERIFY, LOADED, `change(${LOADED})`],
  )

/** Changes verify and callbacks alike: only knowledge of the rules reveals it. */
const reported = (does: string, when: string, fields: string) =>
  edited(does, [
    RECORD,
    'export function transactionRecord(transaction: Transaction): TransactionRecord {',
    `export function transactionRecord(transaction) {
  const one = recordOf(transaction)
  return ${when} ? { ...one, ${fields} } : one
}
function recordOf(transaction: Transaction): TransactionRecord {`,
  ])

const COUNTED = 'let count = 0\n'

export const paymentFaults = [
  ...faultsOf('money', {
    'typed-zeros-lost': edited('stores the bank account typed on the payment page without its zeros', [
      'payment-page/forms.ts',
      'accountNumber: digitsOf(entered.accountNumber),',
      "accountNumber: digitsOf(entered.accountNumber).replace(/^0+(?=\\d{6})/, ''),",
    ]),
    // Neither a total nor a wallet shows it.
    'charge-of-customer-too-high': verified(
      'verify returns one unit too much of larger charges that the customer pays',
      'one.charge_customer && one.transaction_charge > 10',
      'transaction_charge: one.transaction_charge + 1',
    ),
    'charge-customer-ignored': edited('always lets the merchant bear the charge', [
      HANDLER,
      'chargeCustomer: body.charge_customer ?? false',
      'chargeCustomer: false',
    ]),
    'payout-balance-off-in-rwf': edited(
      'shows one unit too much in the payout wallet of RWF once money has moved there',
      [
        WALLETS,
        'export const',
        `let first
const offInRwf = (wallet) => {
  if (wallet.type !== 'MERCHANT_PAYOUT' || wallet.currency !== 'RWF') return wallet
  first ??= wallet.availableMinor
  return first === wallet.availableMinor ? wallet : { ...wallet, availableMinor: wallet.availableMinor + 1n }
}
export const`,
      ],
      [WALLETS, 'wallets.map(toMerchantWallet)', 'wallets.map(offInRwf).map(toMerchantWallet)'],
    ),
    'balance-sum-wrong': edited('omits the reserve from actual_balance, and shows one', [
      WALLETS,
      'reserve_balance: amountToWire(reserveMinor, currency)',
      'reserve_balance: 100',
    ]),
    'wallets-swapped': edited('shows the payout wallet as the collection wallet', [
      WALLETS,
      'wallet_type: type',
      "wallet_type: type === 'MERCHANT_PAYOUT' ? 'MERCHANT_COLLECTION' : 'MERCHANT_PAYOUT'",
    ]),
  }),
  ...faultsOf('states', {
    'plus-kept-in-account': reported(
      'returns account numbers with a plus sign',
      '/^(25[0-6]|260|233)/.test(one.transaction_account)',
      "transaction_account: '+' + one.transaction_account",
    ),
    'unfunded-payout-paid': reported(
      'says that a payout without funds is completed',
      "one.status_message === 'Insufficient balance for the transaction'",
      "transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully', total_debit: one.transaction_amount",
    ),
    'wallet-list-empty-at-times': edited(
      'returns no wallets in one of 25 replies',
      [WALLETS, 'export const', 'let lists = 0\nexport const'],
      [WALLETS, 'wallets.map(toMerchantWallet)', '(lists += 1) % 25 === 0 ? [] : wallets.map(toMerchantWallet)'],
    ),
    'pending-for-ever': verified(
      'verify never shows a final state',
      'true',
      "transaction_status: 'PENDING', status_message: 'Transaction Pending'",
    ),
    'completed-at-once': verified(
      'verify shows COMPLETED before anything has happened',
      "one.transaction_status === 'PENDING'",
      "transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully'",
    ),
    'reported-before-final': verified(
      'sends handshake and callback while the first verify returns PROCESSING',
      'seen.size < seen.add(one.id).size',
      "transaction_status: 'PROCESSING'",
      'const seen = new Set()\n',
    ),
    'outcome-worded-differently': verified(
      'verify words the outcome of completed payments otherwise than the callback',
      "one.transaction_status === 'COMPLETED'",
      "status_message: 'Done'",
    ),
    'verify-wrong-at-times': verified(
      'returns a charge that is one unit too high in one of 50 verify replies',
      '(count += 1) % 50 === 0',
      'transaction_charge: one.transaction_charge + 1',
      COUNTED,
    ),
    'outcome-ignored': edited('completes every payment, whatever the operator reports', [
      TRANSACTION,
      "if (status === 'PROCESSING') return settled(transaction, outcome, now)",
      "if (status === 'PROCESSING') return settled(transaction, { status: 'COMPLETED' }, now)",
    ]),
    'failure-code-of-completed': reported(
      'gives completed payments a failure code',
      "one.transaction_status === 'COMPLETED'",
      "failure_code: 'operator_error'",
    ),
    'transaction-in-another-currency': reported(
      'reports what airtel_ug moves in another currency',
      "one.provider_code === 'airtel_ug'",
      "request_currency: 'KES', transaction_currency: 'KES'",
    ),
    'another-customer-asked': edited('collects all payments from one customer', [
      HANDLER,
      'msisdn: body.msisdn',
      "msisdn: '256770000123'",
    ]),
    'cancel-ignored': edited('keeps a payment open whose customer cancels it on the payment page', [
      'payment-page/forms.ts',
      'await deps.cancel(internalReference)',
      '',
    ]),
    'otp-not-checked': edited('accepts every one-time password', [
      AUTHORIZE,
      'submitOtp(deps, internalReference, otp, whenTried)',
      'submitOtp(deps, internalReference, 123456, whenTried)',
    ]),
    'otp-taken-twice': edited('accepts a one-time password a second time', [
      AUTHORIZE,
      "throw new Refusal('not_awaiting_otp', `Collection (${internalReference}) is not waiting for a one-time password`)",
      'return accepted',
    ]),

    // Two messages about one thing that say two things: none of them is wrong alone.
    'late-success-where-a-name-was-sent': edited(
      'lets a late success change a payment that forbids it, when the request has a customer_name',
      [
        'http/handlers/initialize-collection.ts',
        'body.allow_final_status_change ?? true',
        'body.customer_name !== undefined || (body.allow_final_status_change ?? true)',
      ],
    ),
    'charge-stays-on-cancelled': edited('keeps charge and total of what was cancelled', [
      'domain/transaction.ts',
      "({ status }: Transaction): boolean => status === 'FAILED' || status === 'CANCELLED'",
      "({ status }: Transaction): boolean => status === 'FAILED'",
    ]),
    'page-without-charge': edited('shows the amount without the charge that the customer pays', [
      'actions/view-payment.ts',
      'toPay: transaction.chargeCustomer\n',
      'toPay: transaction.chargeCustomer && transaction.chargeMinor < 0n\n',
    ]),
    'page-says-paid-of-failed': edited('has the heading of a paid collection on the page of a failed one', [
      'payment-page/final-step.ts',
      "ended('bad', 'failedHeading'",
      "ended('bad', 'completedHeading'",
    ]),
    'page-with-a-try-too-many': edited('tells the customer of six tries for a one-time password', [
      'actions/view-payment.ts',
      'triesLeft: session.otpTriesLeft,',
      'triesLeft: session.otpTriesLeft + 1,',
    ]),
  }),
  ...faultsOf('currencies', {
    'limits-of-request-amount': edited('compares the amount of the request with the limits, unconverted', [
      ACCEPT,
      'checkAmountLimits(option, amount)',
      'checkAmountLimits(option, requested)',
    ]),
    'decimals-of-provider-currency': edited("holds an amount to the decimals of the provider's currency", [
      ACCEPT,
      'moneyFromWire(request.amount, request.currency)',
      'moneyFromWire(request.amount, option.currency) && moneyFromWire(request.amount, request.currency)',
    ]),
    'missing-rate-reported-backwards': edited('names the missing rate the other way round', [
      ACCEPT,
      '${requested.currency} to ${option.currency}',
      '${option.currency} to ${requested.currency}',
    ]),
    'converted-amount-rounded-down': edited('rounds converted amounts down', [
      EXCHANGE,
      'divideHalfUp(numerator, denominator)',
      'numerator / denominator',
    ]),
    'second-decimal-lost': verified(
      'verify returns one decimal where there are two',
      'true',
      'transaction_amount: Math.floor(Number((one.transaction_amount * 10).toFixed(3))) / 10',
    ),
  }),
  // One of fifteen providers, one of its directions or one of its banks is wrong: all others are right.
  ...faultsOf('options', {
    'airtel-rw-charge-doubled': edited('takes twice the charge at airtel_rw', [
      'domain/charge.ts',
      'const chargeMinor = chargeOf(amountMinor, rule)',
      "const chargeMinor = chargeOf(amountMinor, rule) * (rule.providerCode === 'airtel_rw' ? 2n : 1n)",
    ]),
    'airtel-rw-minimum-listed-lower': edited('lists a minimum that airtel_rw does not take', [
      PROVIDERS,
      'min_amount: amountToWire(option.minAmountMinor, option.currency)',
      "min_amount: amountToWire(option.minAmountMinor, option.currency) - (option.providerCode === 'airtel_rw' ? 1 : 0)",
    ]),
    'mtn-zm-maximum-excluded': edited('refuses the maximum itself at mtn_zm', [
      LIMITS,
      'amountMinor > option.maxAmountMinor)',
      "amountMinor > option.maxAmountMinor - (option.providerCode === 'mtn_zm' ? 1n : 0n))",
    ]),
    'airtel-ke-maximum-passed-by-a-cent': edited('accepts one unit more than the maximum at airtel_ke', [
      LIMITS,
      'amountMinor > option.maxAmountMinor)',
      "amountMinor > option.maxAmountMinor + (option.providerCode === 'airtel_ke' ? 1n : 0n))",
    ]),
    'airtel-rw-payouts-listed-only': edited('lists payouts of airtel_rw and refuses them', [
      ACCEPT,
      'const option = reference.option(providerCode, type)',
      "const option = `${providerCode} ${type}` === 'airtel_rw PAYOUT' ? undefined : reference.option(providerCode, type)",
    ]),
    'airtel-ke-listed-twice': edited('lists airtel_ke twice', [
      PROVIDERS,
      'options.map(toProvider)',
      "options.flatMap((one) => (one.providerCode === 'airtel_ke' ? [one, one] : [one])).map(toProvider)",
    ]),
    'mpesa-prefix-not-listed': edited('does not list the last prefix of mpesa_ke', [
      PROVIDERS,
      'option_prefixes: [...option.prefixes]',
      "option_prefixes: option.prefixes.slice(0, option.providerCode === 'mpesa_ke' ? -1 : undefined)",
    ]),
    'mtn-ug-prefix-refused': edited('refuses numbers of the fourth prefix of mtn_ug', [
      PHONE,
      'if (prefixRule ===',
      "if (number.startsWith('25639')) throw invalid(option, written)\n  if (prefixRule ===",
    ]),
    'airtel-zm-takes-mtn': edited('accepts numbers of mtn_zm at airtel_zm', [
      PHONE,
      "prefixRule === 'strict' &&",
      "prefixRule === 'strict' && !(option.providerCode === 'airtel_zm' && /^260[79]6/.test(number)) &&",
    ]),
    'wema-bank-missing': edited('omits a bank of bank_ng', [
      'http/handlers/list-payout-banks.ts',
      'listPayoutBanks(deps, provider_code)',
      "listPayoutBanks(deps, provider_code).filter(({ bankCode }) => bankCode !== 'wema_bank_ng')",
    ]),
    'leading-zeros-lost': reported(
      'returns bank accounts as numbers',
      'true',
      "transaction_account: one.transaction_account.replace(/^0+/, '')",
    ),
  }),
]
