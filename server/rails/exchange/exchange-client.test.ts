import createClient from 'openapi-fetch'
import { afterEach, expect, test } from 'vitest'
import type { paths } from '../../../generated/operators/mtn-momo.d.ts'
import { listenHttp } from '../../outbound/testing/hostile-network.ts'
import { operatorContract } from '../operator-contract.ts'
import { NoAnswer } from '../operator-errors.ts'
import { sampleExchange } from '../testing/sample-exchange.ts'

// Uses the exchange as an adapter does: through openapi-fetch, typed by the operator's contract.

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

/** A client of an MTN that gives every call the same reply. */
async function clientOf(status: number, body: string, contentType = 'application/json') {
  const arrived: string[] = []
  const server = await listenHttp((request, response) => {
    arrived.push(`${request.method} ${request.url} ${request.headers['content-length'] ?? 'no length'}`)
    response.writeHead(status, { ...(body !== '' && { 'content-type': contentType }) }).end(body)
  })
  const baseUrl = `http://127.0.0.1:${server.port}`
  const { fetchFor, close } = sampleExchange(baseUrl, { contract: operatorContract('mtn-momo') })
  ends.push(close, server.stop)
  const client = createClient<paths>({ baseUrl, fetch: fetchFor({ purpose: 'submit', orderId: 'o-1' }) })
  return {
    arrived,
    token: () => client.POST('/collection/token/'),
    pay: () =>
      client.POST('/collection/v1_0/requesttopay', {
        params: {
          header: { 'X-Reference-Id': '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11', 'X-Target-Environment': 'sandbox' },
        },
        body: {
          amount: '5000',
          currency: 'EUR',
          externalId: 'MLP1',
          payer: { partyIdType: 'MSISDN', partyId: '46733123454' },
          payerMessage: 'a',
          payeeNote: 'b',
        },
      }),
  }
}

test('an empty 202 is a reply without a body', async () => {
  const { pay } = await clientOf(202, '')
  const { response, data, error } = await pay()
  expect([response.status, data, error]).toEqual([202, undefined, undefined])
})

test('a refusal is the error that the contract declares', async () => {
  const { pay } = await clientOf(409, '{"code":"RESOURCE_ALREADY_EXIST","message":"x"}')
  const { response, error } = await pay()
  expect([response.status, error]).toEqual([409, { code: 'RESOURCE_ALREADY_EXIST', message: 'x' }])
})

test('a call without a body says so, and its reply is read', async () => {
  const { token, arrived } = await clientOf(200, '{"access_token":"t","token_type":"access_token","expires_in":3600}')
  expect((await token()).data).toMatchObject({ access_token: 't', expires_in: 3600 })
  expect(arrived).toEqual(['POST /collection/token/ 0'])
})

test('a reply that breaks the contract never reaches the adapter', async () => {
  await expect((await clientOf(200, '{}')).pay()).rejects.toThrow(NoAnswer)
  await expect((await clientOf(409, '{"code":"A","code":"B"}')).pay()).rejects.toThrow(NoAnswer)
  await expect((await clientOf(502, '<html></html>', 'text/html')).pay()).rejects.toThrow(NoAnswer)
})
