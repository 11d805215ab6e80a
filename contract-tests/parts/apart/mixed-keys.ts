import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { mobilePayout } from '../../driver/bodies.ts'
import { difference, reported } from '../../driver/api-replies.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { Merchant, MerchantPair } from './merchant-pair.ts'

/** The public key of one merchant with the secret key of the other is refused like an unknown secret key. */
export async function mixedKeys(pair: MerchantPair, contract: Contract): Promise<void> {
  const needSecret = contract.operations.filter(
    ({ kind, keys }) => kind === 'operation' && keys.some(({ header }) => header === 'secret-key'),
  )
  for (const [one, other] of pair.ways) for (const operation of needSecret) await mixed(pair, operation, one, other)
}

async function mixed({ fixture }: MerchantPair, { id, body, path }: Operation, one: Merchant, other: Merchant) {
  const driver = fixture.driver('the public key of one merchant with the secret key of the other').as(one)
  const reference = driver.reference()
  const payout = mobilePayout({ merchant_reference: reference, account_number: driver.phone() })
  const sendRequest = (secret: string): Promise<ApiReply> => {
    const headers = { 'secret-key': secret }
    return body ? driver.post('sendFunds', payout, headers) : driver.get(path, headers)
  }
  const came = await sendRequest(other.secretKey)
  if (!driver.expect(id, came, 401, 'mixed keys', 'page "Authentication"')) return
  // As long as a valid one.
  const nobodys = await sendRequest(`${'x'.repeat(Math.max(one.secretKey.length - 1, 1))}y`)
  const how = difference(came, nobodys)
  const words = `they were answered ${how} as for an unknown secret key`
  driver.hold(id, how === undefined, 'mixed keys in other words', words)
  if (!body) return
  for (const merchant of [one, other]) {
    const found = await driver.as(merchant).find(reference)
    const left = `a request with mixed keys left a transaction with ${merchant.name}: verify is answered ${reported(found)}`
    driver.hold(id, found.status === 404, 'mixed keys carried out', left)
  }
}
