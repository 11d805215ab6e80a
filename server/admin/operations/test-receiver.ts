import type { InboxMessage } from '../../domain/received/message.ts'

/** The gateway's own receiver of callbacks, for merchants. */
export interface TestReceiver {
  /** Sends a callback to it, and stores what arrived. @returns undefined if there is no such callback (any more) */
  receive(callbackId: bigint): Promise<InboxMessage | undefined>
}
