import { isObject } from '../../../openapi/reading/json.ts'
import { formatMoney, type Currency } from '../../domain/money.ts'
import { maskText } from '../../domain/masking/mask-text.ts'
import { maskAccount } from '../../domain/phone.ts'
import type { CheckRow, ExchangeAbout } from '../rail-kind.ts'
import { ACCOUNTS, balanceIn, isActive, sendActive, sendBalance } from './accounts.ts'
import { dataOf, faultOf, TokenRefused, type ProductCalls, type CallReply } from './calls.ts'
import type { Credentials, Product } from './settings.ts'

interface CheckInput {
  readonly product: Product
  readonly calls: ProductCalls
  readonly credentials: Credentials
  readonly currency: Currency
}

const CHECK: ExchangeAbout = { purpose: 'check' }

/**
 * Checks token, balance and, if given, an account, with the latest settings and no cache. Checks that depend on a
 * failed one are skipped.
 */
export async function checkProduct(checked: CheckInput, account: string | undefined): Promise<readonly CheckRow[]> {
  const { product, calls } = checked
  const { subscriptionKey, apiUser, apiKey } = checked.credentials
  const name = ACCOUNTS[product]
  const hidden = [subscriptionKey, apiUser, apiKey, ...(account === undefined ? [] : [account])]
  const token = await attempt(hidden, `token for ${name}`, async () => {
    const { token: given, validForMs } = await calls.newToken(CHECK)
    return { detail: `valid for ${validForMs / 1000} s`, given }
  })
  if (!token.result) return [token.row]
  const { given } = token.result
  const balance = await attempt(hidden, `balance of ${name}`, () => balanceReported(checked, given))
  if (account === undefined) return [token.row, balance.row]
  const holder = await attempt(hidden, `account ${maskAccount(account)} by ${name}`, async () => {
    const reply = await calls.callWith(given, CHECK, sendActive(product, calls, account))
    const active = isActive(dataIn(reply))
    return { detail: active ? 'active' : 'not active', ok: active }
  })
  return [token.row, balance.row, holder.row]
}

async function balanceReported({ product, calls, currency }: CheckInput, token: string): Promise<CheckStep> {
  const reply = await calls.callWith(token, CHECK, sendBalance(product, calls))
  const { available } = balanceIn(product, dataIn(reply))
  return available.currency === currency
    ? { detail: formatMoney(available) }
    : { detail: `${formatMoney(available)}, and the rail account is in ${currency}`, ok: false }
}

interface CheckStep {
  readonly detail: string
  /** Defaults to true. */
  readonly ok?: boolean
}

/** A refusal with MTN's explanation. */
class CheckRefusal extends Error {
  override readonly name = 'Refused'
  readonly reply: CallReply<unknown>

  constructor(reply: CallReply<unknown>) {
    super(`HTTP ${reply.response.status}`)
    this.reply = reply
  }
}

function dataIn<Data>(reply: CallReply<Data>): Data {
  if (reply.data === undefined) throw new CheckRefusal(reply)
  return dataOf(reply)
}

async function attempt<Result extends CheckStep>(
  hidden: readonly string[],
  what: string,
  run: () => Promise<Result>,
): Promise<{ readonly row: CheckRow; readonly result?: Result }> {
  try {
    const result = await run()
    return { row: { what, ok: result.ok ?? true, detail: result.detail }, result }
  } catch (error) {
    const isRefusal = error instanceof CheckRefusal || error instanceof TokenRefused
    return { row: { what, ok: false, detail: isRefusal ? inTheirWords(error.reply, hidden) : faultOf(error) } }
  }
}

const WORDS_MAX = 200

/** MTN's own text, for the owner of the rail account, with secrets masked in case MTN repeats them. */
function inTheirWords({ response, error }: CallReply<unknown>, hidden: readonly string[]): string {
  const { code, message, error: short } = isObject(error) ? error : {}
  const words = [`HTTP ${response.status}`, code, short, message].filter((word) => typeof word === 'string').join(': ')
  const shown = hidden.reduce((text, secret) => text.replaceAll(secret, '…'), words)
  return maskText(shown, WORDS_MAX).replaceAll(/[^\x20-\x7e…]+/g, ' ')
}
