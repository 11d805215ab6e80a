import { present } from '../domain/present.ts'
import type { Canaries } from './canary.ts'
import { planted, validRequests, type PlantedRequest } from './canary-places.ts'
import type { Text } from './canary-scan.ts'
import { mobileMoneyCollection, uniqueReference } from './requests.ts'

/** Who sends, and where to. */
export interface Traffic {
  readonly url: string
  readonly keys: { readonly publicKey: string; readonly secretKey: string }
  readonly canaries: Canaries
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Of a merchant's request that is in order. */
export const headersOf = ({ keys }: Traffic): Record<string, string> => ({
  'public-key': keys.publicKey,
  'secret-key': keys.secretKey,
  'x-api-version': '1',
  'content-type': 'application/json',
})

/** One request; a redirect is not followed. */
export async function ask(
  { url }: Traffic,
  method: string,
  path: string,
  { headers = {}, body }: Asked,
): Promise<Response> {
  return fetch(url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
}

/** All that comes back: status, headers, body. */
export async function replyText(response: Response): Promise<string> {
  return `${response.status}\n${[...response.headers].join('\n')}\n\n${await response.text()}`
}

/**
 * Sends a request of the contract with its canary. Everything else in it is valid, and it is the first of its reference
 * and key.
 */
export async function sendPlanted(
  traffic: Traffic,
  { place, request, headers, path, query, body }: PlantedRequest,
): Promise<Text> {
  const fresh = {
    ...(body?.merchant_reference !== undefined &&
      !place.includes('body merchant_reference') && { merchant_reference: uniqueReference() }),
    ...(request.operationId === 'authorizeCollection' &&
      !place.includes('body internal_reference') && { internal_reference: await waitingForOtp(traffic) }),
  }
  const response = await ask(traffic, request.method, query === '' ? path : `${path}?${query}`, {
    headers: { ...headersOf(traffic), ...(body && { 'Idempotency-Key': uniqueReference() }), ...headers },
    ...(body && { body: JSON.stringify({ ...body, ...fresh }) }),
  })
  return { where: `reply to ${place}`, text: await replyText(response) }
}

/** A collection that asks for a one-time password. @returns its internal reference */
export async function waitingForOtp(traffic: Traffic): Promise<string> {
  const response = await ask(traffic, 'POST', '/collections/initialize', {
    headers: headersOf(traffic),
    body: JSON.stringify(mobileMoneyCollection({ msisdn: '256772000005' })),
  })
  return internalReference(response)
}

/** Of the collection that was accepted. */
export async function internalReference(response: Response): Promise<string> {
  const { data } = JSON.parse(await response.text()) as { data: { internal_reference: string } }
  return data.internal_reference
}

/** One-time passwords through the API: wrong, right, and the same key again. */
export async function sendOtps(traffic: Traffic): Promise<Text[]> {
  const authorize = present(
    validRequests.find(({ operationId }) => operationId === 'authorizeCollection'),
    'a request of authorizeCollection',
  )
  const { canaries } = traffic
  const texts: Text[] = []
  const internal_reference = await waitingForOtp(traffic)
  for (const [place, otp] of [
    ['wrong otp', Number(canaries.plant('otp', 'wrong otp'))],
    ['right otp', 123_456],
    ['right otp again', 123_456],
  ] as const) {
    const key = place.replace(' again', '').replace(' ', '-') + internal_reference
    const request = planted(authorize, place, { body: { internal_reference, otp } })
    const response = await ask(traffic, 'POST', request.path, {
      headers: { ...headersOf(traffic), 'idempotency-key': key },
      body: JSON.stringify(request.body),
    })
    texts.push({ where: `reply to ${place}`, text: await replyText(response) })
  }
  return texts
}
