import { addMerchant } from '../../server/verification/testing/another-merchant.ts'
import { DEMO_KEYS, DEMO_MERCHANT } from '../../server/verification/testing/gateway.ts'
import type { Gateway } from '../../server/main.ts'
import type { OtherMerchant, ReceiverSettings } from './part.ts'
import { OTHER_RECEIVER_PATHS, RECEIVER_PATHS } from './receiver-paths.ts'

/** Points the messages of the demo merchant, and of a second merchant that it adds, at a port of this machine. */
export async function merchantsAt(
  gateway: Gateway,
  port: number,
  now: Date,
): Promise<{ readonly receiver: ReceiverSettings; readonly other: OtherMerchant }> {
  const url = `http://127.0.0.1:${port}`
  await pointDemoMerchantAt(gateway, url)
  const { signingKey, webhookSecret } = DEMO_MERCHANT.keys
  return { receiver: { port, signingKey, webhookSecret }, other: await addOther(gateway, url, now) }
}

async function pointDemoMerchantAt(gateway: Gateway, url: string): Promise<void> {
  await gateway.pool.query(
    `update merchants set collection_callback_url = $2, payout_callback_url = $3, verification_url = $4,
       refund_callback_url = $5 where public_key = $1`,
    [DEMO_KEYS['public-key'], ...Object.values(RECEIVER_PATHS).map((path) => url + path)],
  )
  await gateway.refresh()
}

/**
 * Less money than the first merchant has, and not all of its options: a mix-up becomes visible. Of Rwanda exactly one
 * payout with its charge.
 */
const OTHER_PAYOUT_BALANCES = { UGX: 400_000, KES: 90_000, NGN: 70_000, RWF: 10_050 }

async function addOther(gateway: Gateway, url: string, now: Date): Promise<OtherMerchant> {
  const { publicKey, secretKey, signingKey, webhookSecret } = await addMerchant(
    gateway,
    {
      name: 'Duka Lingine',
      collectionCallbackUrl: url + OTHER_RECEIVER_PATHS.collectionCallback,
      payoutCallbackUrl: url + OTHER_RECEIVER_PATHS.payoutCallback,
      verificationUrl: url + OTHER_RECEIVER_PATHS.handshake,
      refundCallbackUrl: url + OTHER_RECEIVER_PATHS.refundCallback,
      payoutBalances: OTHER_PAYOUT_BALANCES,
      disabled: [
        ['airtel_rw', 'COLLECTION'],
        ['airtel_rw', 'PAYOUT'],
      ],
    },
    now,
  )
  return { publicKey, secretKey, receiver: { signingKey, webhookSecret } }
}
