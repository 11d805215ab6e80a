import { edited, faultsOf } from './fault.ts'
import { refusing } from './requests.ts'

// A limit or a time that is off by one unit, one second or one attempt, in either direction.

const PAGE = 'domain/payment-session.ts'
const LIMITS = 'domain/amount-limits.ts'
const TRANSACTION = 'domain/transaction.ts'
const RELEASE = 'await unit.releaseDailyLimit(released.map(({ to }) => to))'

/** Other values of a constant of the server's source. */
const constant = (
  [file, name, value]: readonly [file: string, name: string, value: string],
  rows: Readonly<Record<string, readonly [does: string, to: string]>>,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([fault, [does, to]]) => [
      fault,
      edited(does, [file, `const ${name} = ${value}`, `const ${name} = ${to}`]),
    ]),
  )

export const limitFaults = faultsOf('limits', {
  'limit-in-requested-currency': edited('counts the requested amount toward the daily limit, whatever its currency', [
    'storage/accept-transactions.ts',
    'merchant_id, id, created_at, amount_minor from incoming where is_counted',
    'merchant_id, id, created_at, request_amount_minor from incoming where is_counted',
  ]),
  'quota-counted-up': edited('tells in RateLimit how much is used, not what is left', [
    'http/rate-limit.ts',
    'r=${Math.max(remainingPoints, 0)}',
    'r=${Math.min(points - remainingPoints, points)}',
  ]),
  ...constant([PAGE, 'PAGE_LIFETIME_MS', '30 * 60 * 1000'], {
    'page-a-second-short': ['ends a payment page after 29 minutes and 59 seconds', '1799 * 1000'],
    'page-a-second-long': ['ends a payment page after 30 minutes and a second', '1801 * 1000'],
  }),
  ...constant([PAGE, 'OTP_LIFETIME_MS', '5 * 60 * 1000'], {
    'otp-a-second-short': ['accepts a one-time password for 4 minutes and 59 seconds', '299 * 1000'],
    'otp-a-second-long': ['accepts a one-time password for 5 minutes and a second', '301 * 1000'],
  }),
  ...constant([PAGE, 'OTP_TRIES_MAX', '5'], {
    'otp-of-four-tries': ['ends a collection with the fourth wrong OTP', '4'],
    'otp-of-six-tries': ['allows a sixth attempt at the OTP', '6'],
  }),
  ...constant(['domain/idempotency.ts', 'IDEMPOTENCY_WINDOW_MS', '24 * 60 * 60 * 1000'], {
    'idempotency-key-a-second-short': ['forgets an Idempotency-Key a second too early', '86_399 * 1000'],
    'idempotency-key-a-second-long': ['keeps an Idempotency-Key a second too long', '86_401 * 1000'],
  }),
  ...constant([LIMITS, 'DAILY_WINDOW_MS', '24 * 60 * 60 * 1000'], {
    'daily-window-a-second-short': ['counts toward the daily limit for a second less than 24 hours', '86_399 * 1000'],
    'daily-window-a-second-long': ['counts toward the daily limit for a second more than 24 hours', '86_401 * 1000'],
  }),
  ...constant(['domain/account-bounds.ts', 'OPEN_PAGES_MAX', '20'], {
    'open-pages-one-more': ['lets a merchant have 11 payment pages open for an account number', '22'],
    'open-pages-one-less': ['lets a merchant have 9 payment pages open for an account number', '18'],
  }),
  ...constant([TRANSACTION, 'LATE_RESULT_WINDOW_MS', '72 * 60 * 60 * 1000'], {
    'late-result-a-second-short': ['ignores a late result a second before 72 hours are over', '259_199 * 1000'],
    'late-result-a-day-long': ['accepts a late result for 96 hours', '96 * 60 * 60 * 1000'],
  }),
  'daily-limit-of-a-calendar-day': edited('counts toward the daily limit until midnight', [
    LIMITS,
    'now.getTime() - DAILY_WINDOW_MS',
    'now.getTime() - (now.getTime() % DAILY_WINDOW_MS)',
  ]),
  'daily-limit-a-unit-more': edited(
    'accepts one unit more than the daily limit',
    [LIMITS, 'usedMinor + amountMinor > limitMinor)', 'usedMinor + amountMinor > limitMinor + 1n)'],
    [LIMITS, 'amountMinor > merchantMinor ?', 'amountMinor > merchantMinor + 1n ?'],
  ),
  'daily-limit-a-unit-less': edited('refuses the daily limit itself', [
    LIMITS,
    'usedMinor + amountMinor > limitMinor)',
    'usedMinor + amountMinor >= limitMinor)',
  ]),
  'daily-limit-of-both-directions': edited('counts collections and payouts toward one daily limit', [
    'storage/limits.ts',
    ' and transaction_type = k.transaction_type',
    '',
  ]),
  'daily-limit-keeps-failed-payouts': edited('counts failed payouts toward the daily limit', [
    'actions/settle-results.ts',
    RELEASE,
    "await unit.releaseDailyLimit(released.map(({ to }) => to).filter(({ type }) => type === 'COLLECTION'))",
  ]),
  'longest-reference-refused': refusing(
    'refuses a reference of 36 characters',
    'body.merchant_reference.length === 36',
    'merchant_reference must have 8 to 36 characters out of A-Z a-z 0-9 . _ ~ -',
  ),
  'longest-key-passed-by-one': edited('accepts an Idempotency-Key of 256 characters', [
    'http/header-checks.ts',
    'const value = headers[key]',
    "const value = key === 'idempotency-key' && headers[key]?.length === 256 ? headers[key].slice(1) : headers[key]",
  ]),
  'largest-body-refused': edited('refuses a body of 65536 bytes as too large', [
    'http/body.ts',
    'BODY_MAX_BYTES = 65_536',
    'BODY_MAX_BYTES = 65_535',
  ]),
  'otps-one-more': edited('sends an OTP too many to an account number', [
    'domain/account-bounds.ts',
    'shared(bounds.otpSendsMax, bounds)',
    'shared(bounds.otpSendsMax + 2, bounds)',
  ]),
})
