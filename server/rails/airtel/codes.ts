import type { Failure } from '../../domain/failure-code.ts'
import type { Country } from './settings.ts'

const NOT_COMPLETED: Failure = { reason: 'Airtel Money did not complete the transaction' }
/** Our own account, or how it is set up: nothing that the merchant or the customer can change. */
export const SETUP: Failure = { reason: 'Airtel Money does not take this transaction now', code: 'operator_error' }
const DECLINED: Failure = { reason: 'The customer did not approve the payment', code: 'declined' }
const WRONG_PIN: Failure = { reason: 'The customer entered a wrong PIN', code: 'declined' }
const LIMIT: Failure = { reason: 'A limit of Airtel Money is reached', code: 'limit_reached' }
const NO_MONEY: Failure = { reason: 'The account does not hold enough money', code: 'insufficient_funds' }
const BARRED: Failure = { reason: 'The account cannot pay or be paid now', code: 'account_blocked' }
const NOT_ALLOWED: Failure = { reason: 'Airtel Money does not allow this transaction', code: 'not_allowed' }
const EXPIRED: Failure = { reason: 'Nobody approved the payment in time', code: 'expired' }
const NO_ACCOUNT: Failure = { reason: 'The number has no Airtel Money account', code: 'account_not_found' }

/** Why a failed order failed: a code only names it. What is not here has no name, as DP00800001005 with its four. */
const CAUSES: Readonly<Record<string, Failure>> = {
  DP00800001002: WRONG_PIN,
  DP00800001003: LIMIT,
  DP00800001004: LIMIT,
  DP00800001007: NO_MONEY,
  DP00800001008: DECLINED,
  DP00800001009: NOT_ALLOWED,
  DP00800001010: BARRED,
  DP00800001024: EXPIRED,
  DP00800001029: EXPIRED,
  DP00900001003: LIMIT,
  DP00900001004: LIMIT,
  DP00900001007: SETUP,
  DP00900001009: NO_ACCOUNT,
  DP00900001010: SETUP,
  DP00900001012: NO_ACCOUNT,
  DP00900001013: NOT_ALLOWED,
  DP00900001019: BARRED,
}

/** Codes that notes from Zambia give other meanings: there they name nothing. */
const OTHERWISE_IN_ZAMBIA: ReadonlySet<string> = new Set(
  ['03', '05', '06', '07', '09', '10', '24'].map((code) => `DP008000010${code}`),
)

export function causeOf(code: string | undefined, country: Country, isExpired: boolean): Failure {
  if (isExpired) return EXPIRED
  if (code === undefined || (country === 'ZM' && OTHERWISE_IN_ZAMBIA.has(code))) return NOT_COMPLETED
  return CAUSES[code] ?? NOT_COMPLETED
}

/** Refusals of Airtel's front, before the order is read [documented]: a field, a country, a currency, the PIN. */
const REFUSED_BY_FRONT: ReadonlySet<string> = new Set(
  ['001', '003', '005', '006', '007', '112', '114', '115', '116', '119'].map((code) => `ROUTER${code}`),
)
export const isRefusedByFront = (code: string | undefined): boolean => code !== undefined && REFUSED_BY_FRONT.has(code)

/** The id was used before [documented]: the order arrived. In Zambia DP00900001011 says so too; elsewhere it does not. */
export const hasArrived = (code: string | undefined): boolean => code === 'ESB000041' || code === 'DP00900001017'

/** Airtel could not read what the encryption key made. */
const UNREADABLE: ReadonlySet<string> = new Set(['DP00800001026', 'DP00900001016', 'DP00900001018', 'ROUTER116'])
export const isUnreadable = (code: string | undefined): boolean => code !== undefined && UNREADABLE.has(code)

const NOT_FOUND: ReadonlySet<string> = new Set(['DP00800001025', 'DP00900001015', 'ESB000045'])
export const isNotFound = (code: string | undefined): boolean => code !== undefined && NOT_FOUND.has(code)
