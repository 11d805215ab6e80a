import {
  checkOutboundUrl,
  LIVE_POLICY,
  OutboundRefused,
  SANDBOX_POLICY,
  type OutboundPolicy,
} from '../../outbound/outbound-guard.ts'
import type { OperationContext } from './operation.ts'

/** Why the rules of the mode block this URL; undefined when it can be used. */
export function faultOfUrl(
  { mode }: Pick<OperationContext, 'mode'>,
  url: string,
  more: Pick<OutboundPolicy, 'allowPrivateNetworks'> = {},
): string | undefined {
  try {
    checkOutboundUrl(url, { ...(mode === 'live' ? LIVE_POLICY : SANDBOX_POLICY), ...more })
    return undefined
  } catch (error) {
    if (error instanceof OutboundRefused) return error.message
    throw error
  }
}
