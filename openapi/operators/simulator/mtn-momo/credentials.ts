import type { Call } from '../operator.ts'
import type { OperatorState } from '../world/world.ts'
import { PRODUCT_OF, PRODUCTS, type Product } from './contract.ts'

/** MTN's credentials: subscription keys, API users with their keys, tokens. Each belongs to one product. */
export type Credentials = ReturnType<typeof createCredentials>

interface ApiUser {
  readonly id: string
  readonly product: Product
  readonly callbackHost: string
  readonly keys: readonly string[]
}

/** Credentials that every simulator has from the start. They open nothing else. */
interface BuiltInCredentials {
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
}

export const BUILT_IN_CREDENTIALS: Readonly<Record<Product, BuiltInCredentials>> = {
  collection: {
    subscriptionKey: '5b158c87ce9b495fb64dcac1852d745b',
    apiUser: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
    apiKey: 'f1db798c98df4bcf83b538175893bbf0',
  },
  disbursement: {
    subscriptionKey: '8f1c2d3e4b5a69788796a5b4c3d2e1f0',
    apiUser: 'd3b07384-d9a0-4e9b-8f6a-1c2b3d4e5f60',
    apiKey: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  },
  remittance: {
    subscriptionKey: '1e2d3c4b5a69788796a5b4c3d2e1f00f',
    apiUser: 'a87ff679-a2f3-4e71-9181-a67b7542122c',
    apiKey: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  },
}

export const TOKEN_SECONDS = 3_600

export function createCredentials({ clock, chance }: OperatorState, callbackHost: string) {
  const users = new Map<string, { id: string; product: Product; callbackHost: string; keys: string[] }>()
  const tokens = new Map<string, { readonly userId: string; readonly product: Product; readonly endsMs: number }>()
  for (const product of PRODUCTS) {
    const { apiUser: id, apiKey } = BUILT_IN_CREDENTIALS[product]
    users.set(id, { id, product, callbackHost, keys: [apiKey] })
  }

  const productOfKey = (key: string | undefined): Product | undefined =>
    PRODUCTS.find((product) => BUILT_IN_CREDENTIALS[product].subscriptionKey === key)
  const user = (id: string) => users.get(id.toLowerCase())
  const liveToken = (headers: Call['headers']) => {
    const token = tokens.get(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')
    return token !== undefined && token.endsMs > clock.now().getTime() ? token : undefined
  }

  return {
    schemes: {
      subscriptionKey(headers: Call['headers'], operation: string): boolean {
        const product = productOfKey(headers['ocp-apim-subscription-key'])
        const wanted = PRODUCT_OF.get(operation)
        return product !== undefined && (wanted === undefined || wanted === product)
      },
      apiUserAndKey(headers: Call['headers'], operation: string): boolean {
        const [id = '', key = ''] = basicOf(headers)
        const known = user(id)
        return known !== undefined && known.product === PRODUCT_OF.get(operation) && known.keys.includes(key)
      },
      accessToken: (headers: Call['headers'], operation: string): boolean =>
        liveToken(headers)?.product === PRODUCT_OF.get(operation),
    },
    /** @returns undefined when there is one with this id */
    addUser(id: string, subscriptionKey: string, host: string): ApiUser | undefined {
      const product = productOfKey(subscriptionKey)
      if (product === undefined || user(id)) return undefined
      const added = { id: id.toLowerCase(), product, callbackHost: host, keys: [] }
      users.set(added.id, added)
      return added
    },
    user,
    /** The previous one stays valid: MTN's behaviour is not known. */
    newKey({ id }: ApiUser): string {
      const key = chance.hex(16)
      user(id)?.keys.push(key)
      return key
    },
    /** The product is not checked: the credentials were checked before. @returns the token */
    newToken(headers: Call['headers'], product: Product): string {
      const token = `${chance.hex(24)}.${chance.hex(24)}`
      const [userId = ''] = basicOf(headers)
      tokens.set(token, { userId, product, endsMs: clock.now().getTime() + TOKEN_SECONDS * 1_000 })
      return token
    },
    /** The API user of a request's token. */
    userOf(headers: Call['headers']): ApiUser | undefined {
      const token = liveToken(headers)
      return token && user(token.userId)
    },
  }
}

function basicOf({ authorization = '' }: Call['headers']): readonly string[] {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)]
}
