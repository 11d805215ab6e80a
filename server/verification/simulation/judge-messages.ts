import { ACCOUNT_ADDRESS } from '../../domain/callback-tokens.ts'
import type { SimulatedGateway } from './gateway.ts'
import { messageKey } from './memory-store/rail-callbacks.ts'

/** Operators send no acknowledged message again, and polls may end its payment only later: so it is stored. */
export const lostMessages = ({ world, acknowledged }: SimulatedGateway): string[] =>
  acknowledged
    .filter((message) => message.orderId !== ACCOUNT_ADDRESS && !world.railCallbackKeys.has(messageKey(message)))
    .map(({ orderId }) => `lost: a message about ${orderId} was acknowledged and is not stored`)

/** Where nobody forges, the operator's own messages fit their orders: the polls hide that one does not. */
export const rejectedMessages = ({ world, rail }: SimulatedGateway): string[] =>
  rail.hasForged
    ? []
    : world.events
        .filter(({ kind, detail }) => kind === 'rail_callback_mismatch' && /order: (another|a name) /.test(detail))
        .map(({ transactionId, detail }) => `rejected: a genuine message about ${transactionId}: ${detail}`)
