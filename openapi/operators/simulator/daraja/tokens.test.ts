import { expect, test } from 'vitest'
import { darajaCaller, simulatedDaraja } from './testing/daraja-caller.ts'
import { advance } from '../testing/simulated.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

const { consumerKey, consumerSecret } = SIMULATED_MERCHANT
const GOOD = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`

const requested = async (url: string, authorization: string | undefined, grantType: string) => {
  const response = await fetch(`${url}/oauth/v1/generate?grant_type=${grantType}`, {
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a token lives for an hour, given as a text or as a number', async () => {
  const { url } = await simulatedDaraja()
  const payments = new Set<unknown>()
  for (let turn = 0; turn < 20; turn++) {
    const { status, body } = await requested(url, GOOD, 'client_credentials')
    expect(status).toBe(200)
    payments.add(body.expires_in)
  }
  expect(payments).toEqual(new Set(['3599', 3599]))
})

test('wrong credentials and a wrong grant type have codes of their own', async () => {
  const { url } = await simulatedDaraja()
  for (const authorization of [undefined, 'Basic d3Jvbmc6d3Jvbmc=', 'Bearer x'])
    expect(await requested(url, authorization, 'client_credentials')).toMatchObject({
      status: 400,
      body: { errorCode: '400.008.01' },
    })
  expect(await requested(url, GOOD, 'password')).toMatchObject({ status: 400, body: { errorCode: '400.008.02' } })
})

test('accepts all tokens until their hour is over, and no forged one', async () => {
  const simulator = await simulatedDaraja()
  const caller = darajaCaller(simulator)
  const [first, second] = [await caller.token(), await caller.token()]
  expect(first).not.toBe(second)
  const status = async (token: string) => (await caller.post('pullTransactions', {}, token)).status
  await advance(simulator, 3_598_000)
  expect([await status(first), await status(second)]).toEqual([400, 400])
  await advance(simulator, 1_000)
  expect(await status(first)).toBe(401)
  expect(await status(`${Number.MAX_SAFE_INTEGER.toString(16)}${first.slice(14)}`)).toBe(401)
})

test('a wrong token is a 404 with its own code, at the list of transactions a 401', async () => {
  const caller = darajaCaller(await simulatedDaraja())
  for (const operation of ['stkPush', 'queryStkPush', 'payOut', 'queryTransactionStatus'] as const)
    expect(await caller.post(operation, {}, 'wrong')).toMatchObject({
      status: 404,
      body: { errorCode: '404.001.03' },
    })
  expect(await caller.post('pullTransactions', {}, 'wrong')).toMatchObject({
    status: 401,
    body: { errorCode: '401.002.01' },
  })
})

test('refuses an unknown path and method', async () => {
  const { url } = await simulatedDaraja()
  const reported = async (path: string) => {
    const response = await fetch(`${url}${path}`)
    return [response.status, ((await response.json()) as { errorCode: string }).errorCode]
  }
  expect(await reported('/mpesa/c2b/v1/registerurl')).toEqual([404, '404.001.01'])
  expect(await reported('/mpesa/stkpush/v1/processrequest')).toEqual([405, '405.001'])
})
