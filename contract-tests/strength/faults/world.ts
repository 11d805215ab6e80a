import { DEMO_MERCHANT } from '../../../server/verification/testing/gateway.ts'
import { passOn } from '../../harness/proxy.ts'
import type { FaultContext } from './fault.ts'

/** Context of a gateway with its demo merchant. @param gatewayUrl known only when the gateway has started, as is `other` */
export function worldAround(
  gatewayUrl: () => string,
  receiverPort: number,
  other?: FaultContext['other'],
): FaultContext {
  const { publicKey, secretKey, signingKey, webhookSecret } = DEMO_MERCHANT.keys
  return {
    publicKey,
    secretKey,
    signingKey,
    webhookSecret,
    ...(other && { other }),
    send: (request) => passOn(new URL(gatewayUrl()), request),
    deliver: (request) => passOn(new URL(`http://127.0.0.1:${receiverPort}`), request),
  }
}
