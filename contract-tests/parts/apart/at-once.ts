import { isDeepStrictEqual } from 'node:util'
import { reported } from '../../driver/api-replies.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { CreatedPayment } from './created-payments.ts'
import type { Merchant, MerchantPair } from './merchant-pair.ts'

/** A server may answer in one statement what comes at one moment. */
const ROUNDS = 3
const ALIKE = 3
const VERIFY = '/data/transaction/verify/'
const LISTS = [
  ['listWalletBalances', '/data/wallet-balances?currency=UGX'],
  ['listTransactions', '/data/transactions?limit=5'],
  ['listEvents', '/data/events?limit=5'],
  ['listPaymentProviders', '/data/payment-providers?currency=RWF&transaction_type=PAYOUT'],
] as const

/** What both merchants read at the same moment is what each of them reads alone. */
export async function readAtOnce(pair: MerchantPair, made: readonly CreatedPayment[]): Promise<void> {
  const driver = pair.fixture.driver('both merchants read at the same moment')
  const shared = driver.reference()
  for (const [merchant] of pair.ways) {
    await driver.as(merchant).collect({ merchant_reference: shared, msisdn: driver.phone() })
    await driver.as(merchant).settled(shared)
  }
  const final = made.filter(({ ends }) => ends).map(({ reference }) => reference)
  const verifies = [shared, ...final].map((reference) => ['verifyTransaction', VERIFY + reference] as const)
  for (const [about, path] of [...verifies, ...LISTS]) await readBy(driver, [pair.first, pair.second], about, path)
}

async function readBy(
  driver: PaymentDriver,
  merchants: readonly Merchant[],
  about: string,
  path: string,
): Promise<void> {
  const read = async (merchant: Merchant) => {
    const reply = await driver.as(merchant).get(path, { 'secret-key': merchant.secretKey })
    return { merchant, reply, said: { status: reply.status, data: reply.data } }
  }
  const alone = new Map<Merchant, Awaited<ReturnType<typeof read>>>()
  for (const merchant of merchants) alone.set(merchant, await read(merchant))
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = Array.from({ length: ALIKE }, () => (round % 2 === 0 ? merchants : merchants.toReversed())).flat()
    for (const { merchant, reply, said } of await Promise.all(order.map(read))) {
      const own = alone.get(merchant)
      // What a payment has moved meanwhile is read alone once more.
      const isOwn = isDeepStrictEqual(said, own?.said) || isDeepStrictEqual(said, (await read(merchant)).said)
      const what = `GET ${path}, sent by both merchants at the same moment, was answered ${reported(reply)} ${JSON.stringify(said.data)} to ${merchant.name}, which alone gets ${own && reported(own.reply)} ${JSON.stringify(own?.said.data)}`
      if (!driver.hold(about, isOwn, 'read at the same moment', what)) return
    }
  }
}
