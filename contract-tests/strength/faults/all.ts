import type { SourceFault } from '../../../server/verification/planted-faults/planted-fault.ts'
import { additionFaults } from './additions.ts'
import { limitFaults } from './limits.ts'
import { merchantFaults } from './merchants.ts'
import { messageFaults } from './messages.ts'
import { paymentFaults } from './payments.ts'
import { referenceFaults } from './references.ts'
import { replyFaults } from './replies.ts'
import { requestFaults } from './requests.ts'

/** Every planted fault that the contract suite finds. */
export const FAULTS: readonly SourceFault[] = [
  ...requestFaults,
  ...replyFaults,
  ...referenceFaults,
  ...paymentFaults,
  ...messageFaults,
  ...merchantFaults,
  ...limitFaults,
  ...additionFaults,
]
