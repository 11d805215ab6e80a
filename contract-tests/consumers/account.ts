import { DEMO_MERCHANT } from '../../server/verification/testing/gateway.ts'
import { runCli } from '../../server/verification/testing/served-gateway.ts'
import { RECEIVER_PATHS } from '../harness/receiver-paths.ts'

/**
 * Points the four URLs of the demo account at a port of this machine. @param dataDir of the gateway, which may be
 * running
 */
export async function pointAccountAt(port: number, dataDir: string): Promise<void> {
  const { collectionCallback, payoutCallback, refundCallback, handshake } = RECEIVER_PATHS
  const urls = {
    '--collection-callback-url': collectionCallback,
    '--payout-callback-url': payoutCallback,
    '--refund-callback-url': refundCallback,
    '--verification-url': handshake,
  }
  const options = Object.entries(urls).flatMap(([option, path]) => [option, `http://127.0.0.1:${port}${path}`])
  await runCli(['merchant', 'set', DEMO_MERCHANT.keys.publicKey, ...options], dataDir)
}
