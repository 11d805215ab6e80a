import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { mobilePayout } from '../../driver/bodies.ts'
import { difference, reported } from '../../driver/api-replies.ts'
import { getAs, payOut, verify, type Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** The public key of one merchant with the secret key of the other is refused like an unknown secret key. */
export async function mixedKeys(pair: MerchantPair, contract: Contract): Promise<void> {
  const needSecret = contract.operations.filter(
    ({ kind, keys }) => kind === 'operation' && keys.some(({ header }) => header === 'secret-key'),
  )
  for (const [one, other] of pair.ways) for (const operation of needSecret) await mixed(pair, operation, one, other)
}

async function mixed(pair: MerchantPair, operation: Operation, one: Merchant, other: Merchant): Promise<void> {
  const reference = pair.reference('MIXED')
  const body = mobilePayout({ merchant_reference: reference, account_number: pair.phone('001') })
  const sendRequest = (secret: string): Promise<ApiReply> => {
    const headers = { 'secret-key': secret }
    return operation.body ? payOut(one, body, headers) : getAs(one, operation.path, headers)
  }
  const came = await sendRequest(other.secretKey)
  // As long as a valid one.
  const nobodys = await sendRequest(`${'x'.repeat(Math.max(one.secretKey.length - 1, 1))}y`)
  const how = difference(came, nobodys)
  const whose = `the public key of one merchant with the secret key of the other`
  pair.hold(operation.id, 'mixed keys', came.status !== 401 && `${whose} was answered ${reported(came)}, not 401`, [
    came,
  ])
  pair.hold(
    operation.id,
    'mixed keys in other words',
    came.status === 401 && how !== undefined && `${whose} was answered ${how} as for an unknown secret key`,
    [came],
  )
  if (!operation.body) return
  for (const merchant of [one, other]) {
    const found = await verify(merchant, reference)
    const fault =
      found.status !== 404 &&
      `a request with mixed keys left a transaction with ${merchant.name}: verify is answered ${reported(found)}`
    pair.hold(operation.id, 'mixed keys carried out', fault, [came, found])
  }
}
