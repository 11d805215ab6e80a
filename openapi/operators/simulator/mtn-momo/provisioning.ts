import type { Call, Handlers, OperatorReply } from '../operator.ts'
import { PRODUCT_OF, type operations } from './contract.ts'
import { TOKEN_SECONDS, type Credentials } from './credentials.ts'
import { loginFailed, refused, refusedByFront } from './refusals.ts'

type Provisioning = Pick<
  Handlers<operations>,
  | 'createApiUser'
  | 'getApiUser'
  | 'createApiKey'
  | 'createCollectionToken'
  | 'createDisbursementToken'
  | 'createRemittanceToken'
>

/** API users, their keys, and tokens. */
export function provisioning(credentials: Credentials, environment: string): Provisioning {
  const token = ({ headers, operation, body, quirk }: Call): OperatorReply => {
    if (body !== undefined) return refusedByFront(400, 'A body is not allowed')
    if (quirk('login_failed_500') !== undefined) return loginFailed(500)
    const product = PRODUCT_OF.get(operation)
    if (product === undefined) throw new Error(`${operation} has no product`)
    const accessToken = credentials.newToken(headers, product)
    return { status: 200, body: { access_token: accessToken, token_type: 'access_token', expires_in: TOKEN_SECONDS } }
  }
  return {
    createApiUser({ headers, body }) {
      const subscriptionKey = headers['ocp-apim-subscription-key'] ?? ''
      const added = credentials.addUser(headers['x-reference-id'] ?? '', subscriptionKey, body.providerCallbackHost)
      return added ? { status: 201 } : refused('RESOURCE_ALREADY_EXIST')
    },
    getApiUser({ params }) {
      const user = credentials.user(params.apiUser ?? '')
      if (user === undefined) return refused('RESOURCE_NOT_FOUND')
      return { status: 200, body: { providerCallbackHost: user.callbackHost, targetEnvironment: environment } }
    },
    createApiKey({ params }) {
      const user = credentials.user(params.apiUser ?? '')
      return user ? { status: 201, body: { apiKey: credentials.newKey(user) } } : refused('RESOURCE_NOT_FOUND')
    },
    createCollectionToken: token,
    createDisbursementToken: token,
    createRemittanceToken: token,
  }
}
