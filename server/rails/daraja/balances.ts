import type { AccountMessage, RailBalance, ReceivedCallback } from '../../actions/ports/rail.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer } from '../operator-errors.ts'
import type { RailWorld } from '../rail-kind.ts'
import { addressesOf } from './callback-addresses.ts'
import { reportedOf } from './calls.ts'
import type { DarajaConnection } from './connected.ts'
import { bodyOf } from './message-body.ts'
import type { DarajaRailAccount, Payouts } from './rail-account.ts'
import { codeIn, idIn, innerOf, namedValues } from './result-fields.ts'
import { securityCredential } from './security-credential.ts'
import { ACCOUNT_TAILS } from './unrequested.ts'
import { shillingsRead, SHILLINGS } from './whole-shillings.ts'

/**
 * Whether M-PESA can say what the rail account holds: of one short code at a time, so that it must be the only one.
 */
export const canAskBalances = ({ payouts, collections, shortCode }: DarajaRailAccount): boolean =>
  payouts !== undefined && (collections === undefined || payouts.shortCode === shortCode)

/**
 * Asks what the short code holds. The reply only says that the question is queued; a message answers it.
 * @returns M-PESA's id of the question
 * @throws NoAnswer
 */
export async function askBalances({ railAccount, world, calls }: DarajaConnection): Promise<string> {
  const { payouts } = railAccount
  const url = world.accountUrl(ACCOUNT_TAILS.balance)
  const addresses = addressesOf({ result: url, timeOut: url })
  if (!payouts || 'fault' in addresses) throw new NoAnswer('fault' in addresses ? addresses.fault : 'no initiator')
  const answer = await calls.queryBalance({
    Initiator: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'AccountBalance',
    PartyA: payouts.shortCode,
    IdentifierType: '4',
    Remarks: 'Balance',
    QueueTimeOutURL: addresses.urls.timeOut,
    ResultURL: addresses.urls.result,
  })
  if (answer.got !== 'data') throw new NoAnswer(reportedOf(answer))
  const question = idIn(fieldAt(answer.data, 'ConversationID'))
  if (codeIn(fieldAt(answer.data, 'ResponseCode')) !== '0' || question === undefined)
    throw new NoAnswer('M-PESA did not take the question about balances')
  return question
}

/** The answer, which anybody could have written: it counts only for a question of ours. */
export function readBalances(
  { payouts }: DarajaRailAccount,
  message: ReceivedCallback,
  onDrift?: RailWorld['onDrift'],
): AccountMessage | undefined {
  if (message.tail !== ACCOUNT_TAILS.balance || !payouts) return undefined
  const result = fieldAt(bodyOf('accountBalanceResult', message, onDrift), 'Result')
  const answersQuestion = idIn(fieldAt(result, 'ConversationID'))
  if (answersQuestion === undefined || codeIn(fieldAt(result, 'ResultCode')) !== '0') return undefined
  const values = namedValues(innerOf(fieldAt(result, 'ResultParameters'), 'ResultParameter'), 'Key')
  const [text = ''] = values('AccountBalance').flatMap((value) => textOf(value) ?? [])
  const balances = balancesIn(text, payouts)
  return balances.length === 0 ? undefined : { about: 'balances', answersQuestion, balances }
}

/** `Working Account|KES|700000.00|700000.00|0.00|0.00&Utility Account|…`: of the four sums the second is available. */
const AVAILABLE = 3
/** Accounts that money of ours is in: charges and settlements have their own. */
const OURS = /^(?:working|utility)\b/i

/** Phones are paid from the utility account and banks from the working account; a short code may have one for all. */
function balancesIn(text: string, { banks }: Payouts): readonly RailBalance[] {
  const accounts = text.split('&').flatMap((part) => {
    const fields = part.split('|').map((field) => field.trim())
    const [account = '', currency, available] = [fields[0], fields[1], shillingsRead(fields[AVAILABLE] ?? '')]
    return OURS.test(account) && currency === SHILLINGS && available ? [{ account, available }] : []
  })
  const paysFrom = banks ? /^working\b/i : /^utility\b/i
  const hasBoth = accounts.some(({ account }) => paysFrom.test(account))
  return accounts.map((each) => (!hasBoth || paysFrom.test(each.account) ? { ...each, isFloat: true } : each))
}
