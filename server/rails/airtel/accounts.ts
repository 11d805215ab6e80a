import { formatMoney, moneyFromWire } from '../../domain/money.ts'
import { maskAccount } from '../../domain/phone.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer } from '../operator-errors.ts'
import type { CheckRow, ExchangeAbout, HolderKnowledge, RailBalance } from '../rail-kind.ts'
import { codeIn, faultOf, reportedOf, type Send } from './calls.ts'
import { nationalNumber, type AirtelConnection } from './orders.ts'

const CHECK: ExchangeAbout = { purpose: 'check' }
const BALANCE: ExchangeAbout = { purpose: 'statement' }

/** The wallets that the second version of the call tells apart. */
const WALLETS = { COLL: 'collections', DISB: 'payouts' } as const

const firstBalance: Send = ({ GET }, access) => GET('/standard/v1/users/balance', access)
const balanceOfWallet =
  (type: keyof typeof WALLETS): Send =>
  ({ GET }, { params, ...access }) =>
    GET('/standard/v2/users/balance', { ...access, params: { ...params, query: { type } } })

/** One wallet for all by the first version of the call; by the second one that collects and one that pays. */
export async function balancesOf(connection: AirtelConnection, about = BALANCE): Promise<readonly RailBalance[]> {
  const pays = connection.settings.payouts !== undefined
  if (connection.settings.balanceVersion === '1')
    return [
      { account: 'wallet', ...(pays && { isFloat: true }), available: await balance(connection, about, firstBalance) },
    ]
  const collections = { account: WALLETS.COLL, available: await balance(connection, about, balanceOfWallet('COLL')) }
  if (!pays) return [collections]
  const available = await balance(connection, about, balanceOfWallet('DISB'))
  return [collections, { account: WALLETS.DISB, isFloat: true, available }]
}

async function balance({ calls }: AirtelConnection, about: ExchangeAbout, send: Send) {
  const reply = await calls.call(about, send)
  const [text, currency] = ['balance', 'currency'].map((name) => textOf(fieldAt(reply.said, 'data', name)))
  if (reply.status !== 200 || text === undefined || currency === undefined) throw new NoAnswer(reportedOf(reply))
  try {
    return moneyFromWire(withoutEmptyDecimals(text, currency), currency)
  } catch {
    throw new NoAnswer('Airtel answered a balance that is no amount in its currency')
  }
}

/** A wallet of whole shillings may hold cents at Airtel: nobody can spend them. */
const WHOLE: ReadonlySet<string> = new Set(['UGX', 'RWF', 'XAF'])
const withoutEmptyDecimals = (text: string, currency: string): string =>
  WHOLE.has(currency) ? text.replace(/^(-?\d+)\.\d+$/, '$1') : text

/** The name that the number is registered to, and whether it may pay and be paid. */
export async function holderOf(connection: AirtelConnection, account: string): Promise<HolderKnowledge> {
  const { settings, calls } = connection
  const msisdn = settings.holderNumber === 'national' ? nationalNumber(account, settings) : account
  if (msisdn === undefined) return { knows: 'no_account' }
  try {
    const reply = await calls.call(CHECK, ({ GET }, { params, ...access }) =>
      GET('/standard/v1/users/{msisdn}', { ...access, params: { ...params, path: { msisdn } } }),
    )
    if (codeIn(reply.said) === 'DP02200000002') return { knows: 'no_account' }
    const data = fieldAt(reply.said, 'data')
    const shown = textOf(fieldAt(data, 'msisdn'))
    if (reply.status !== 200 || codeIn(reply.said) !== 'DP02200000001')
      return { knows: 'unreachable', error: reportedOf(reply) }
    if (shown !== undefined && !account.endsWith(shown.replace(/^\D+/, '')))
      return { knows: 'unreachable', error: 'Airtel answered about another number' }
    if (String(fieldAt(data, 'is_barred')).toLowerCase() === 'true') return { knows: 'inactive' }
    const name = ['first_name', 'last_name'].flatMap((field) => textOf(fieldAt(data, field)) ?? []).join(' ')
    return { knows: 'active', ...(name !== '' && { name }) }
  } catch (error) {
    return { knows: 'unreachable', error: faultOf(error) }
  }
}

/** Token, balance and, if given, an account; what depends on a failed one is left out. */
export async function check(connection: AirtelConnection, account: string | undefined): Promise<readonly CheckRow[]> {
  const token = await row('token', async () => {
    const { validForMs } = await connection.calls.newToken(CHECK)
    return `valid for ${validForMs / 1000} s`
  })
  if (!token.ok) return [token]
  const rows = [
    token,
    await row('balance', async () =>
      (await balancesOf(connection, CHECK)).map(({ available }) => formatMoney(available)).join(', '),
    ),
    ...(connection.settings.signedCalls.size > 0 ? [await row('encryption key', () => keyOf(connection))] : []),
    callbackRow(connection),
  ]
  if (account === undefined) return rows
  const holder = await holderOf(connection, account)
  const detail = holder.knows === 'unreachable' ? holder.error : holder.knows.replace('_', ' ')
  return [...rows, { what: `account ${maskAccount(account)}`, ok: holder.knows === 'active', detail }]
}

async function keyOf({ calls }: AirtelConnection): Promise<string> {
  calls.forgetKey()
  const { asymmetricKeyDetails } = await calls.encryptionKey()
  return `RSA, ${asymmetricKeyDetails?.modulusLength ?? '?'} bits`
}

function callbackRow({ world }: AirtelConnection): CheckRow {
  const url = world.accountUrl('callback')
  return url === undefined
    ? {
        what: 'callbacks',
        ok: false,
        detail: 'this gateway has no address that Airtel could reach: results come by enquiry only',
      }
    : { what: 'callbacks', ok: true, detail: `set it as the callback URL of the application: ${url}` }
}

async function row(what: string, run: () => Promise<string>): Promise<CheckRow> {
  try {
    return { what, ok: true, detail: await run() }
  } catch (error) {
    return { what, ok: false, detail: faultOf(error) }
  }
}
