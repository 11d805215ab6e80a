import type { components } from '../../../generated/operators/mtn-momo.d.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import { NoAnswer } from '../operator-errors.ts'
import type { ExchangeAbout, HolderKnowledge, RailBalance } from '../rail-kind.ts'
import { amountRead } from './amount.ts'
import { codeIn, dataOf, faultOf, reportedOf, type ProductCalls, type CallReply, type Send } from './calls.ts'
import type { Product } from './settings.ts'

type Schemas = components['schemas']

/** The name of each product's account, in balances and checks. */
export const ACCOUNTS = { collection: 'collections', disbursement: 'disbursements' } as const satisfies Readonly<
  Record<Product, string>
>

const CHECK: ExchangeAbout = { purpose: 'check' }

const BALANCE_PATHS = {
  collection: '/collection/v1_0/account/balance',
  disbursement: '/disbursement/v1_0/account/balance',
} as const
const ACTIVE_PATHS = {
  collection: '/collection/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active',
  disbursement: '/disbursement/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active',
} as const
const NAME_PATHS = {
  collection: '/collection/v1_0/accountholder/msisdn/{accountHolderId}/basicuserinfo',
  disbursement: '/disbursement/v1_0/accountholder/msisdn/{accountHolderId}/basicuserinfo',
} as const

export const sendBalance =
  (product: Product, { targetEnvironment }: ProductCalls): Send<Schemas['Balance']> =>
  (client, access) =>
    client.GET(BALANCE_PATHS[product], { params: { header: targetEnvironment }, ...access })

export const sendActive =
  (product: Product, { targetEnvironment }: ProductCalls, account: string): Send<Schemas['HolderActive']> =>
  (client, access) =>
    client.GET(ACTIVE_PATHS[product], {
      params: {
        path: { accountHolderIdType: 'msisdn', accountHolderId: account },
        header: targetEnvironment,
      },
      ...access,
    })

const sendName =
  (product: Product, { targetEnvironment }: ProductCalls, account: string): Send<Schemas['HolderName']> =>
  (client, access) =>
    client.GET(NAME_PATHS[product], {
      params: { path: { accountHolderId: account }, header: targetEnvironment },
      ...access,
    })

/**
 * @throws NotSent
 * @throws NoAnswer, also for a balance that is not an amount in its currency
 */
export async function balanceOf(product: Product, calls: ProductCalls): Promise<RailBalance> {
  return balanceIn(product, dataOf(await calls.call({ purpose: 'statement' }, sendBalance(product, calls))))
}

/** @throws NoAnswer for what is not an amount in a currency */
export function balanceIn(product: Product, reply: unknown): RailBalance {
  const [available, currency] = [textOf(fieldAt(reply, 'availableBalance')), textOf(fieldAt(reply, 'currency'))]
  if (available === undefined || currency === undefined) throw new NoAnswer('MTN answered no balance')
  const read = amountRead(available, currency)
  if (!read) throw new NoAnswer('MTN answered a balance that is no amount in its currency')
  return { account: ACCOUNTS[product], ...(product === 'disbursement' && { isFloat: true }), available: read }
}

/**
 * A boolean, its text, or either in an object: all were observed.
 * @throws NoAnswer for everything else
 */
export function isActive(reply: unknown): boolean {
  const result = fieldAt(reply, 'result') ?? reply
  const text = typeof result === 'boolean' ? String(result) : textOf(result)?.toLowerCase()
  if (text !== 'true' && text !== 'false') throw new NoAnswer('MTN does not say whether the account is active')
  return text === 'true'
}

/** Two queries; without a reply to the second the name is omitted. */
export async function holderOf(product: Product, calls: ProductCalls, account: string): Promise<HolderKnowledge> {
  try {
    const reply = await calls.call(CHECK, sendActive(product, calls, account))
    if (reply.data === undefined) return withoutHolder(reply)
    if (!isActive(reply.data)) return { knows: 'inactive' }
  } catch (error) {
    return { knows: 'unreachable', error: faultOf(error) }
  }
  const name = await nameOf(product, calls, account)
  return { knows: 'active', ...(name !== undefined && { name }) }
}

const withoutHolder = (reply: CallReply<unknown>): HolderKnowledge =>
  reply.response.status === 404 && codeIn(reply.error) === 'RESOURCE_NOT_FOUND'
    ? { knows: 'no_account' }
    : { knows: 'unreachable', error: reportedOf(reply) }

async function nameOf(product: Product, calls: ProductCalls, account: string): Promise<string | undefined> {
  try {
    const { data } = await calls.call(CHECK, sendName(product, calls, account))
    const ofOther = ['msisdn', 'phone_number'].some((field) => (textOf(fieldAt(data, field)) ?? account) !== account)
    if (ofOther) return undefined
    const names = ['given_name', 'family_name'].map((name) => textOf(fieldAt(data, name)))
    return textOf(names.filter((name) => name !== undefined).join(' '))
  } catch {
    return undefined
  }
}
