import { blindFaults } from './blind-faults.ts'

const REDIRECT = 'actions/redirect-customer.ts'
const REFERENCES = 'domain/references.ts'

/** Collections, references, the payment page and the redirect. */
export const COLLECTION_FAULTS = [
  ...blindFaults('collections', {
    // Statement: Endpoint 4, mobile_money_hpp; the contract: redirect_url is required then.
    'hosted-without-redirect-url': [
      'accepts a hosted mobile money collection without redirect_url (hosted only)',
      [
        'actions/initialize-collection.ts',
        'if (onPage && redirectUrl === undefined)',
        "if (request.method === 'BANK' && redirectUrl === undefined)",
      ],
    ],
    // Statement: Transaction record, transaction_account; the contract: digits with the country code.
    'national-number-is-kept': [
      'stores a number that is dialled in its country without the country code',
      [
        'domain/phone.ts',
        '    throw invalid(option, written)\n  return number\n',
        "    throw invalid(option, written)\n  return written.startsWith('0') ? written.replace(/[ -]/g, '') : number\n",
      ],
    ],
    // Statement: Limits, phone numbers begin with one of the prefixes after the country code.
    'prefix-anywhere-in-the-number': [
      'accepts a phone number that has a prefix of the provider anywhere',
      [
        'domain/phone.ts',
        'prefixes.some((prefix) => number.startsWith(callingCode + prefix))',
        'prefixes.some((prefix) => number.includes(prefix, callingCode.length))',
      ],
    ],
    // Statement: Collection acknowledgement, payment_url is in the reply of bank collections and of authorize.
    'otp-collection-with-a-page': [
      'gives a payment_url to a collection that only waits for its one-time password (providers with OTP)',
      ['domain/payment-session.ts', "  session?.awaits === 'confirmation'", '  session !== undefined'],
    ],
  }),
  ...blindFaults('references', {
    // Statement: Endpoint 4, the literal auto makes the service generate one.
    'auto-reference-comes-twice': [
      'generates one reference in 20 a second time for auto, and refuses it as used (intermittent)',
      [
        REFERENCES,
        'export const newMerchantReference = (random: Random): string => `MREF${symbols(random, 16)}`',
        `let autoReferences = 0
let autoReference = ''
export const newMerchantReference = (random: Random): string =>
  autoReferences++ % 20 === 19 ? autoReference : (autoReference = \`MREF\${symbols(random, 16)}\`)`,
      ],
    ],
    // Statement: the contract's InternalReference, 16 characters from a secure random source.
    'references-share-their-end': [
      'ends every internal reference with the same 12 characters: whoever has one guesses others (two references)',
      [
        REFERENCES,
        'REFERENCE_TIME_SYMBOLS)}${symbols(random, 16)}`',
        "REFERENCE_TIME_SYMBOLS)}${symbols(random, 4)}${'7'.repeat(12)}`",
      ],
    ],
  }),
  ...blindFaults('payment page', {
    // Statement: Endpoint 4, charge_customer true: the customer bears the charge.
    'page-leaves-out-the-charge': [
      'shows the customer the amount without the charge that comes on top (page against record)',
      [
        'actions/view-payment.ts',
        `transaction.chargeCustomer
      ? money(transaction.amount.amountMinor + transaction.chargeMinor, currency)
      : transaction.amount,`,
        'transaction.amount,',
      ],
    ],
    // Statement: Endpoint 5; the contract: 5 wrong tries.
    'page-promises-one-try-more': [
      'tells the customer one try more than there is (page against outcome)',
      ['actions/view-payment.ts', 'triesLeft: session.otpTriesLeft,', 'triesLeft: session.otpTriesLeft + 1,'],
    ],
  }),
  ...blindFaults('redirects', {
    // Statement: Browser redirect, transaction_status is the final status.
    'redirect-of-cancelled-says-failed': [
      'redirects the customer of a cancelled collection with the status FAILED (redirect against verify)',
      [
        REDIRECT,
        'transaction_status: transaction.status,',
        "transaction_status: event === 'transaction.completed' ? 'COMPLETED' : 'FAILED',",
      ],
    ],
    // Statement: Browser redirect, id is the numeric transaction id.
    'redirect-id-is-cut': [
      'redirects with the lower 32 bits of the transaction id (redirect against verify)',
      [REDIRECT, 'id: String(transaction.id),', 'id: String(BigInt.asUintN(32, transaction.id)),'],
    ],
  }),
]
