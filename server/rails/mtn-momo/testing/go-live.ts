import { expect } from 'vitest'
import type { RailOrder } from '../../../actions/ports/rail.ts'
import type { FailureCode } from '../../../domain/failure-code.ts'
import type { Adapter, CheckRow } from '../../rail-kind.ts'
import { sendActive } from '../accounts.ts'
import type { ProductCalls, CallReply } from '../calls.ts'
import type { Product } from '../settings.ts'
import { readSubmission } from '../submit.ts'
import type { AccountBehaviour, Counterpart } from './counterpart.ts'
import { endOf, orderTo, SIDES, tried, type Misconfiguration } from './tried.ts'

// MTN's checklist before it lets a product go live, row by row. Each row states the rail's result, and the HTTP status
// that MTN's list names.

export interface GoLiveRow {
  readonly name: string
  run(counterpart: Counterpart): Promise<void>
}

const failed = (...codes: readonly FailureCode[]) => ({
  knows: 'outcome',
  outcome: { status: 'FAILED', code: expect.toBeOneOf([...codes]) as FailureCode },
})

const WRONG_KEY = 'no-such-key'
const WRONG_ENVIRONMENT: Misconfiguration = { settings: { target_environment: 'nowhere' } }
const WRONG_SUBSCRIPTION: Misconfiguration = { subscriptionKey: WRONG_KEY }

const row = (name: string, run: GoLiveRow['run']): GoLiveRow => ({ name, run })

function tokenRows(product: Product): readonly GoLiveRow[] {
  const path = `POST /${product}/token/`
  const firstRow = async (adapter: Adapter): Promise<CheckRow | undefined> => (await adapter.check({}))[0]
  return [
    row('a token with a wrong subscription key', async (counterpart) => {
      const settings = { [`${product}_subscription_key`]: WRONG_KEY }
      const { adapter, seen } = tried(counterpart, product, { settings })
      expect(await firstRow(adapter)).toMatchObject({ ok: false, detail: expect.stringMatching(/^HTTP 401/) as string })
      expect(seen).toEqual([`${path} 401`])
    }),
    row('a token with a wrong API key', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product, { settings: { [`${product}_api_key`]: WRONG_KEY } })
      expect(await firstRow(adapter)).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/^HTTP (401|500)/) as string,
      })
      expect(seen).toHaveLength(1)
    }),
    row('two tokens, and both are good', async (counterpart) => {
      const { calls, adapter, seen } = tried(counterpart, product)
      const first = await calls.newToken({ purpose: 'token' })
      const second = await calls.newToken({ purpose: 'token' })
      expect(first.token).not.toBe(second.token)
      expect(await adapter.balances()).toHaveLength(1)
      for (const { token } of [first, second])
        expect((await calls.callWith(token, { purpose: 'check' }, activeOf(product, calls))).response.status).toBe(200)
      expect(seen.filter((call) => call === `${path} 200`)).toHaveLength(3)
    }),
  ]
}

const activeOf = (product: Product, calls: ProductCalls) => sendActive(product, calls, '46733123499')

function orderRows(product: Product): readonly GoLiveRow[] {
  const { type, path } = SIDES[product]
  const isCollection = product === 'collection'
  const ends = (name: string, behaviour: AccountBehaviour, end: unknown): GoLiveRow =>
    row(name, async (counterpart) => {
      const { adapter } = tried(counterpart, product)
      const order = await orderTo(counterpart, product, behaviour)
      expect(await endOf(counterpart, adapter, order)).toMatchObject(end as object)
    })
  return [
    ends('approved', 'approves', { knows: 'outcome', outcome: { status: 'COMPLETED' } }),
    ends('rejected', 'rejects', failed('declined')),
    ends('not answered in time', 'lets_expire', failed('expired')),
    row('the same id twice', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product)
      const order = await orderTo(counterpart, product, 'approves')
      expect(await adapter.submit(order)).toEqual({ answer: 'accepted' })
      expect(await endOf(counterpart, adapter, order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
      expect(seen.filter((call) => call.startsWith(`POST ${path}`))).toEqual([`POST ${path} 202`, `POST ${path} 409`])
    }),
    row('no currency', async (counterpart) => {
      const { calls, seen } = tried(counterpart, product)
      const order = await orderTo(counterpart, product, 'approves')
      const reply = await submittedWithoutCurrency(product, calls, order)
      expect(readSubmission(reply, type)).toMatchObject({ answer: 'refused' })
      expect(seen.at(-1)).toBe(`POST ${path} 400`)
    }),
    // The code with it varies: the sandbox has INTERNAL_PROCESSING_ERROR for payers.
    ends(
      'not enough money',
      'without_money',
      isCollection ? failed('insufficient_funds', 'operator_error') : failed('operator_error'),
    ),
    ends(isCollection ? 'an unknown payer' : 'an unknown payee', 'unknown', failed('account_not_found')),
    ends('over the daily limit', 'over_limit', failed('limit_reached')),
  ]
}

function submittedWithoutCurrency(
  product: Product,
  calls: ProductCalls,
  { orderId, account }: RailOrder,
): Promise<CallReply<unknown>> {
  const header = { ...calls.targetEnvironment, 'X-Reference-Id': orderId }
  const party = { partyIdType: 'MSISDN', partyId: account }
  // Bypasses the types, which would forbid it.
  const body = { amount: '10', externalId: orderId, [SIDES[product].side]: party } as never
  return calls.call({ purpose: 'submit', orderId }, (client, access) =>
    product === 'collection'
      ? client.POST('/collection/v1_0/requesttopay', { params: { header }, body, ...access })
      : client.POST('/disbursement/v1_0/transfer', { params: { header }, body, ...access }),
  )
}

function submitRows(product: Product): readonly GoLiveRow[] {
  const { path } = SIDES[product]
  return [
    row('POST with a wrong subscription key', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product, WRONG_SUBSCRIPTION)
      const order = await orderTo(counterpart, product, 'approves')
      expect(await adapter.submit(order)).toMatchObject({ answer: 'not_sent' })
      expect(seen.at(-1)).toBe(`POST ${path} 401`)
    }),
    row('POST with a wrong environment', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product, WRONG_ENVIRONMENT)
      const order = await orderTo(counterpart, product, 'approves')
      expect(await adapter.submit(order)).toMatchObject({ answer: 'refused', code: 'operator_error' })
      expect(seen.at(-1)).toBe(`POST ${path} 500`)
    }),
    row('POST with a token that is no longer good', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product)
      await adapter.balances()
      await counterpart.spoilTokens()
      const order = await orderTo(counterpart, product, 'approves')
      expect(await endOf(counterpart, adapter, order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
      expect(seen.filter((call) => call.startsWith(`POST ${path}`))).toEqual([`POST ${path} 401`, `POST ${path} 202`])
    }),
  ]
}

function queryRows(product: Product): readonly GoLiveRow[] {
  const { path } = SIDES[product]
  return [
    row('GET with a wrong subscription key', async (counterpart) => {
      const order = await sent(counterpart, product)
      const { adapter, seen } = tried(counterpart, product, WRONG_SUBSCRIPTION)
      expect(await adapter.query(order)).toMatchObject({ knows: 'unreachable' })
      expect(seen.at(-1)).toBe(`GET ${path} 401`)
    }),
    row('GET with a wrong environment', async (counterpart) => {
      const order = await sent(counterpart, product)
      const { adapter, seen } = tried(counterpart, product, WRONG_ENVIRONMENT)
      expect(await adapter.query(order)).toMatchObject({ knows: 'unreachable' })
      expect(seen.at(-1)).toBe(`GET ${path} 500`)
    }),
    row('GET with a token that is no longer good', async (counterpart) => {
      const order = await sent(counterpart, product)
      const { adapter, seen } = tried(counterpart, product)
      await adapter.balances()
      await counterpart.spoilTokens()
      expect(await adapter.query(order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
      expect(seen.filter((call) => call.startsWith('GET') && call.includes(path))).toEqual([
        `GET ${path} 401`,
        `GET ${path} 200`,
      ])
    }),
    row('GET with an id that MTN knows', async (counterpart) => {
      const order = await sent(counterpart, product)
      const { adapter } = tried(counterpart, product)
      expect(await adapter.query(order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
    }),
    row('GET with an id that it does not know, or that is none', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product)
      const order = await orderTo(counterpart, product, 'approves')
      expect(await adapter.query(order)).toEqual({ knows: 'nothing_moved' })
      const notV4 = { ...order, orderId: '3fd0c5b2-7a1e-1c0d-9b77-5c9f6f1f0a11' }
      expect(await adapter.query(notV4)).toMatchObject({ knows: 'unreachable' })
      expect(seen.slice(-2)).toEqual([`GET ${path} 404`, `GET ${path} 400`])
    }),
  ]
}

/** An order that was approved. */
async function sent(counterpart: Counterpart, product: Product): Promise<RailOrder> {
  const { adapter } = tried(counterpart, product)
  const order = await orderTo(counterpart, product, 'approves')
  expect(await endOf(counterpart, adapter, order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
  return order
}

const callbackRows = (product: Product): readonly GoLiveRow[] =>
  (['http', 'https'] as const).map((scheme) =>
    row(`a callback by ${scheme}`, async (counterpart) => {
      const { tail } = SIDES[product]
      const { adapter } = tried(
        counterpart,
        product,
        {},
        { callbackUrl: (orderId, word = '') => counterpart.callbackUrl(scheme, orderId, word) },
      )
      const order = await orderTo(counterpart, product, 'approves')
      expect(await endOf(counterpart, adapter, order)).toMatchObject({ outcome: { status: 'COMPLETED' } })
      const { url, ...callback } = await counterpart.callbackOf(order.orderId)
      expect(url).toBe(counterpart.callbackUrl(scheme, order.orderId, tail))
      expect(adapter.readCallback({ ...callback, tail })).toMatchObject({
        outcome: { status: 'COMPLETED' },
        mayQuery: true,
        orderId: order.orderId,
        amount: order.amount,
      })
    }),
  )

function accountRows(product: Product): readonly GoLiveRow[] {
  const path = `GET /${product}/v1_0/account/balance`
  const holderStatus = async (counterpart: Counterpart, type: string, number: string): Promise<number> => {
    const { calls } = tried(counterpart, product)
    const { targetEnvironment: header } = calls
    // Bypasses the types, which allow only one kind of account holder.
    const params = { path: { accountHolderIdType: type as 'msisdn', accountHolderId: number }, header }
    const about = { purpose: 'check' } as const
    const reply: CallReply<unknown> = await calls.call(about, (client, access) =>
      product === 'collection'
        ? client.GET('/collection/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active', {
            params,
            ...access,
          })
        : client.GET('/disbursement/v1_0/accountholder/{accountHolderIdType}/{accountHolderId}/active', {
            params,
            ...access,
          }),
    )
    return reply.response.status
  }
  return [
    row('a holder that is active, one that is not, and one that MTN does not know', async (counterpart) => {
      const { adapter } = tried(counterpart, product)
      const knowledge = []
      for (const behaviour of ['active', 'inactive', 'unknown'] as const)
        knowledge.push((await adapter.holder?.(await counterpart.number('holder', behaviour)))?.knows)
      expect(knowledge).toEqual(['active', 'inactive', 'no_account'])
    }),
    row('a holder of an invalid type', async (counterpart) =>
      expect(await holderStatus(counterpart, 'shoe_size', '46733123499')).toBe(400),
    ),
    row('a holder with an invalid id', async (counterpart) =>
      expect(await holderStatus(counterpart, 'msisdn', 'nobody')).toBeOneOf([400, 404]),
    ),
    row('a balance', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product)
      const balances = await adapter.balances()
      expect(balances.map(({ available }) => available.currency)).toEqual([counterpart.currency])
      expect(seen.at(-1)).toBe(`${path} 200`)
    }),
    row('a balance with a wrong subscription key', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product, WRONG_SUBSCRIPTION)
      await expect(adapter.balances()).rejects.toThrow('HTTP 401')
      expect(seen.at(-1)).toBe(`${path} 401`)
    }),
    row('a balance with a wrong environment', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product, WRONG_ENVIRONMENT)
      await expect(adapter.balances()).rejects.toThrow('HTTP 500')
      expect(seen.at(-1)).toBe(`${path} 500`)
    }),
    row('a balance with a token that is no longer good', async (counterpart) => {
      const { adapter, seen } = tried(counterpart, product)
      await adapter.balances()
      await counterpart.spoilTokens()
      expect(await adapter.balances()).toHaveLength(1)
      expect(seen.filter((call) => call.startsWith(path))).toEqual([`${path} 200`, `${path} 401`, `${path} 200`])
    }),
  ]
}

/** All rows of MTN's list for one product. */
export const goLiveRows = (product: Product): readonly GoLiveRow[] =>
  [tokenRows, orderRows, submitRows, queryRows, callbackRows, accountRows].flatMap((rows) => rows(product))
