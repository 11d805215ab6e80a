import type { DriverFixture } from '../../driver/fixture.ts'
import type { ReceiverReply } from '../../driver/merchant-replies.ts'

/** What the checks of this part share. */
export interface AdditionsFixture extends DriverFixture {
  /** How the handshake of a payout is answered: after 503 it waits. Absent: 200. */
  readonly handshakes: Map<string, ReceiverReply>
  /** References of refunds and batches that end, by the webhook that says so. */
  readonly ending: { readonly webhook: string; readonly reference: string }[]
}
