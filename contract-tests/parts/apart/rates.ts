import type { OwnGateway } from '../../harness/part.ts'
import { reported } from '../../driver/api-replies.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { driversOf, type MerchantPair } from './merchant-pair.ts'

/** On average over ten seconds; a burst may use all of them. */
const BURST = 10
/** More than any burst, so that the limit applies. */
const TRIES_MAX = 4 * BURST
const LIMITS = { MALIPO_RATE_LIMIT: '1', MALIPO_RATE_LIMIT_ADDRESS: '1' }
const ABOUT = 'rate limits'

type SendAs = (driver: PaymentDriver) => Promise<ApiReply>
const withPublicKey: SendAs = (driver) => driver.get('/data/payment-providers?currency=UGX&transaction_type=COLLECTION')
const withSecretKey: SendAs = (driver) => driver.wallets()

/** Using up one merchant's rate limit leaves the other merchant's, and the same merchant's other bucket, unchanged. */
export async function rates(pair: MerchantPair, own: OwnGateway): Promise<void> {
  const drivers = () => driversOf(pair, 'many requests')
  const isFree = async (sendRequest: SendAs, driver: PaymentDriver, after: string) => {
    const { status } = await sendRequest(driver)
    const what = `a request ${sendRequest === withSecretKey ? 'with the secret key' : 'with the public key'} was answered 429 after ${after}`
    driver.hold(ABOUT, status !== 429, after, what)
  }
  const useUp = async (request: SendAs, driver: PaymentDriver, what: string) => {
    let answer = await request(driver)
    for (let tries = 1; tries < TRIES_MAX && answer.status !== 429; tries++) answer = await request(driver)
    const all = `${TRIES_MAX} ${what} within a burst of ${BURST} were all answered, at last with ${reported(answer)}`
    driver.hold(ABOUT, answer.status === 429, `${what} limited`, all)
  }
  await own.restart(LIMITS)
  const { one, other } = drivers()
  await useUp(withPublicKey, one, 'requests with the public key')
  await isFree(withPublicKey, other, 'the other merchant used its allowance up')
  await isFree(withSecretKey, other, 'the other merchant used its allowance up')
  await isFree(withSecretKey, one, 'its allowance of the public key was used up')
  await useUp(withSecretKey, one, 'requests with the secret key')
  await isFree(withSecretKey, other, 'the other merchant used its payout allowance up')

  await own.restart(LIMITS)
  const again = drivers()
  await useUp((driver) => driver.find('APART-NEVER-WAS'), again.other, 'verify of nothing')
  await isFree(withPublicKey, again.one, 'the other merchant guessed references')
  const wrong = { 'secret-key': pair.first.secretKey }
  await useUp((driver) => driver.wallets(wrong), again.other, 'requests with wrong keys')
  await isFree(withSecretKey, again.other, 'its address sent wrong keys')
  await isFree(withPublicKey, again.one, 'its address sent wrong keys')
  await own.restart()
}
