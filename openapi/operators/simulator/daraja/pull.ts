import type { Booking } from '../world/statement.ts'
import type { OperatorState } from '../world/world.ts'
import type { DarajaHandlers, PulledTransaction } from './contract.ts'
import type { ErrorReply } from './error-replies.ts'
import { readSpacedTime, zonedTime } from './nairobi-time.ts'
import { OPENING_BALANCES, SIMULATED_MERCHANT } from './simulated-merchant.ts'

const REACH_MS = 48 * 3_600_000
/** Daraja's page size is not known. */
const PAGE_SIZE = 100

/** The payments to a short code, from the operator's books: planted differences show here too. */
export function pullHandlers(
  { clock, statement, chance }: OperatorState,
  refuse: ErrorReply,
): Pick<DarajaHandlers, 'pullTransactions' | 'registerPull'> {
  const registered = new Set<string>()
  return {
    /** The list is there without it. */
    registerPull({ body: { ShortCode } }) {
      if (!(ShortCode in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid ShortCode: it is not ours')
      const isKnown = registered.has(ShortCode)
      registered.add(ShortCode)
      return {
        status: 200,
        body: {
          ResponseRefID: chance.uuid(),
          ResponseStatus: isKnown ? '1001' : '1000',
          ShortCode,
          ResponseDescription: isKnown ? 'The short code is registered already' : 'Registered',
        },
      }
    },
    pullTransactions({ body: { ShortCode, StartDate, EndDate, OffSetValue } }) {
      if (!(ShortCode in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid ShortCode: it is not ours')
      const start = readSpacedTime(StartDate)
      const end = readSpacedTime(EndDate)
      if (start === undefined) return refuse('400.002.02', 'Invalid StartDate: no such time')
      if (end === undefined || end < start) return refuse('400.002.02', 'Invalid EndDate: no time after the start')
      const reach = new Date(clock.now().getTime() - REACH_MS)
      const offset = Number(OffSetValue)
      const page = statement
        // Times have no fraction of a second here: the last second is included.
        .lines({ from: start > reach ? start : reach, to: new Date(end.getTime() + 1_000), account: ShortCode })
        .filter(({ direction, bookedAt }) => direction === 'in' && bookedAt <= clock.now())
        .slice(offset, offset + PAGE_SIZE)
      return {
        status: 200,
        body: {
          ResponseRefID: chance.uuid(),
          ResponseCode: page.length > 0 ? '1000' : '1001',
          Response: [page.map(pulledOf)],
        },
      }
    },
  }
}

const pulledOf = ({ receipt, bookedAt, msisdn, account, externalId, amount }: Booking): PulledTransaction => ({
  transactionId: receipt,
  trxDate: zonedTime(bookedAt),
  msisdn: Number(msisdn),
  sender: 'MPESA',
  transactiontype: account === SIMULATED_MERCHANT.till ? 'c2b-buy-goods-debit' : 'c2b-pay-bill-debit',
  billreference: externalId,
  amount: withCents(amount),
  organizationname: SIMULATED_MERCHANT.name,
})

/** `500.00`: shillings with two decimals. */
export function withCents(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}
