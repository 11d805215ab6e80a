import type { OwnGateway } from '../../harness/part.ts'
import { reported } from '../../driver/api-replies.ts'
import type { Merchant } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { getAs, verify, wallets } from '../../driver/merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'

/** On average over ten seconds; a burst may use all of them. */
const BURST = 10
/** More than any burst, so that the limit applies. */
const TRIES_MAX = 4 * BURST
const LIMITS = { MALIPO_RATE_LIMIT: '1', MALIPO_RATE_LIMIT_ADDRESS: '1' }
const ABOUT = 'rate limits'

type SendAs = (merchant: Merchant) => Promise<ApiReply>
const withPublicKey: SendAs = (merchant) =>
  getAs(merchant, '/data/payment-providers?currency=UGX&transaction_type=COLLECTION')
const withSecretKey: SendAs = (merchant) => wallets(merchant)

/** Using up one merchant's rate limit leaves the other merchant's, and the same merchant's other bucket, unchanged. */
export async function rates(pair: MerchantPair, own: OwnGateway): Promise<void> {
  const { first, second, hold } = pair
  const free = async (sendRequest: SendAs, merchant: Merchant, after: string) => {
    const answer = await sendRequest(merchant)
    const which = sendRequest === withSecretKey ? 'with the secret key' : 'with the public key'
    const fault = answer.status === 429 && `a request of ${merchant.name} ${which} was answered 429 after ${after}`
    hold(ABOUT, after, fault, [answer])
  }
  const used = async (request: SendAs, merchant: Merchant, what: string) => {
    let answer = await request(merchant)
    for (let tries = 1; tries < TRIES_MAX && answer.status !== 429; tries++) answer = await request(merchant)
    hold(
      ABOUT,
      `${what} limited`,
      answer.status !== 429 &&
        `${TRIES_MAX} ${what} within a burst of ${BURST} were all answered, at last with ${reported(answer)}`,
      [answer],
    )
  }
  await own.restart(LIMITS)
  await used(withPublicKey, first, 'requests with the public key')
  await free(withPublicKey, second, 'the other merchant used its allowance up')
  await free(withSecretKey, second, 'the other merchant used its allowance up')
  await free(withSecretKey, first, 'its allowance of the public key was used up')
  await used(withSecretKey, first, 'requests with the secret key')
  await free(withSecretKey, second, 'the other merchant used its payout allowance up')

  await own.restart(LIMITS)
  await used((merchant) => verify(merchant, 'APART-NEVER-WAS'), second, 'verify of nothing')
  await free(withPublicKey, first, 'the other merchant guessed references')
  await used((merchant) => wallets(merchant, { 'secret-key': first.secretKey }), second, 'requests with wrong keys')
  await free(withSecretKey, second, 'its address sent wrong keys')
  await free(withPublicKey, first, 'its address sent wrong keys')
  await own.restart()
}
