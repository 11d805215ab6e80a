import { present } from '../../domain/present.ts'
import type { Canaries } from './canary.ts'
import { planted, validRequests, type PlantedRequest } from './canary-places.ts'
import type { Text } from './canary-scan.ts'
import { mobileMoneyCollection, uniqueReference } from './requests.ts'

/** The sender and the target. */
export interface Traffic {
  readonly url: string
  readonly keys: { readonly publicKey: string; readonly secretKey: string }
  readonly canaries: Canaries
}

export interface CanaryRequest {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Headers of a valid request of a merchant. */
export const headersOf = ({ keys }: Traffic): Record<string, string> => ({
  'public-key': keys.publicKey,
  'secret-key': keys.secretKey,
  'x-api-version': '1',
  'content-type': 'application/json',
})

/** Sends one request; does not follow redirects. */
export async function sendRequest(
  { url }: Traffic,
  method: string,
  path: string,
  { headers = {}, body }: CanaryRequest,
): Promise<Response> {
  return fetch(url + path, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
}

/** The whole reply: status, headers, body. */
export async function replyText(response: Response): Promise<string> {
  return `${response.status}\n${[...response.headers].join('\n')}\n\n${await response.text()}`
}

/**
 * Sends a request of the contract with its canary. Everything else in it is valid, and its reference and key are new.
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
  const response = await sendRequest(traffic, request.method, query === '' ? path : `${path}?${query}`, {
    headers: { ...headersOf(traffic), ...(body && { 'Idempotency-Key': uniqueReference() }), ...headers },
    ...(body && { body: JSON.stringify({ ...body, ...fresh }) }),
  })
  return { where: `reply to ${place}`, text: await replyText(response) }
}

/**
 * A collection that requires an OTP.
 * @returns its internal reference
 */
async function waitingForOtp(traffic: Traffic): Promise<string> {
  const response = await sendRequest(traffic, 'POST', '/collections/initialize', {
    headers: headersOf(traffic),
    body: JSON.stringify(mobileMoneyCollection({ msisdn: '256772000005' })),
  })
  return internalReference(response)
}

/** The internal reference of the accepted collection. */
export async function internalReference(response: Response): Promise<string> {
  const { data } = JSON.parse(await response.text()) as { data: { internal_reference: string } }
  return data.internal_reference
}

/** OTPs through the API: wrong, correct, and the same key again. */
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
    const response = await sendRequest(traffic, 'POST', request.path, {
      headers: { ...headersOf(traffic), 'idempotency-key': key },
      body: JSON.stringify(request.body),
    })
    texts.push({ where: `reply to ${place}`, text: await replyText(response) })
  }
  return texts
}
