import { randomUUID } from 'node:crypto'
import type { Product } from '../contract.ts'
import { BUILT_IN_CREDENTIALS } from '../credentials.ts'
import type { Simulator } from '../../simulator.ts'

interface CallerReply {
  readonly status: number
  /** Undefined for an empty body, a text when it is not JSON. */
  readonly body: unknown
  readonly contentType: string | null
}

export interface MtnCaller {
  /** With the token and subscription key of the product that the path begins with; `undefined` omits a header. */
  call(
    method: 'GET' | 'POST',
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string | undefined>> },
  ): Promise<CallerReply>
  /** @returns the reference id, and the reply */
  collect(
    order?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<SubmittedOrder>
  payOut(
    order?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<SubmittedOrder>
}

interface SubmittedOrder extends CallerReply {
  readonly id: string
}

/** A number that is in no table. */
export const ANYBODY = '46733123499'

export const collectionOf = (order: Readonly<Record<string, unknown>> = {}) => ({
  amount: '5000',
  currency: 'EUR',
  externalId: 'MLPRQZVFYDQTSNMNXZDV0WZHT',
  payer: { partyIdType: 'MSISDN', partyId: ANYBODY },
  payerMessage: 'Invoice 1042',
  payeeNote: 'Invoice 1042',
  ...order,
})

export const payoutOf = (order: Readonly<Record<string, unknown>> = {}) => {
  const { payer: payee, ...rest } = collectionOf()
  return { ...rest, payee, ...order }
}

/** Calls MTN as a rail does, with the built-in credentials. */
export function mtnCaller({ url }: Pick<Simulator, 'url'>, environment = 'sandbox'): MtnCaller {
  const tokens = new Map<Product, string>()

  const tokenOf = async (product: Product): Promise<string> => {
    const known = tokens.get(product)
    if (known !== undefined) return known
    const { subscriptionKey, apiUser, apiKey } = BUILT_IN_CREDENTIALS[product]
    const response = await fetch(`${url}/${product}/token/`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`,
        'ocp-apim-subscription-key': subscriptionKey,
      },
    })
    const { access_token: token } = (await response.json()) as { access_token: string }
    tokens.set(product, token)
    return token
  }

  const call: MtnCaller['call'] = async (method, path, { body, headers = {} } = {}) => {
    const product = path.split('/')[1] as Product
    const sent = {
      authorization: `Bearer ${await tokenOf(product)}`,
      'ocp-apim-subscription-key': BUILT_IN_CREDENTIALS[product].subscriptionKey,
      'x-target-environment': environment,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: Object.entries(sent).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: read(text), contentType: response.headers.get('content-type') }
  }

  const submit =
    (path: string, make: (order?: Readonly<Record<string, unknown>>) => object): MtnCaller['collect'] =>
    async (order, headers) => {
      const id = headers?.['x-reference-id'] ?? randomUUID()
      return { id, ...(await call('POST', path, { body: make(order), headers: { 'x-reference-id': id, ...headers } })) }
    }

  return {
    call,
    collect: submit('/collection/v1_0/requesttopay', collectionOf),
    payOut: submit('/disbursement/v1_0/transfer', payoutOf),
  }
}

function read(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
