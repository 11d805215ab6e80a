import { byteFaults } from './bytes.ts'
import { combinedFaults } from './combined.ts'
import { callbackFaults, deliveryFaults, signatureFaults } from './callbacks.ts'
import { present } from '../../harness/part.ts'
import type { ContractFault, TrafficPlant } from './fault.ts'
import { handshakeFaults } from './handshake.ts'
import { keyFaults } from './keys.ts'
import { moneyFaults } from './money.ts'
import { redirectFaults } from './redirect.ts'
import { referenceFaults } from './references.ts'
import { formFaults, listFaults, lookupFaults, schemaFaults, statusFaults } from './replies.ts'
import { contradictionFaults } from './contradictions.ts'
import { currencyFaults } from './currencies.ts'
import { formFaultsOfRequests, inputFaults } from './incoming.ts'
import { orderFaults } from './incoming-order.ts'
import { limitFaults } from './limits.ts'
import { accountLimitFaults } from './limits-of-accounts.ts'
import { merchantFaults } from './merchants.ts'
import { optionFaults } from './options.ts'
import { outgoingFaults } from './outgoing.ts'
import { rsaFaults } from './rsa.ts'
import { wordFaults } from './words.ts'
import { bodyFaults, headerFaults, queryFaults } from './requests.ts'
import { stateFaults } from './states.ts'

/** Every planted fault that the contract suite finds. */
export const FAULTS: readonly ContractFault[] = [
  ...keyFaults,
  ...headerFaults,
  ...queryFaults,
  ...bodyFaults,
  ...statusFaults,
  ...formFaults,
  ...schemaFaults,
  ...listFaults,
  ...lookupFaults,
  ...referenceFaults,
  ...moneyFaults,
  ...stateFaults,
  ...contradictionFaults,
  ...signatureFaults,
  ...callbackFaults,
  ...deliveryFaults,
  ...handshakeFaults,
  ...redirectFaults,
  ...byteFaults,
  ...merchantFaults,
  ...optionFaults,
  ...limitFaults,
  ...accountLimitFaults,
  ...wordFaults,
  ...outgoingFaults,
  ...formFaultsOfRequests,
  ...inputFaults,
  ...combinedFaults,
  ...orderFaults,
  ...currencyFaults,
  ...rsaFaults,
]

/** For a part's own tests, which choose the faults in traffic that it must find. */
export function faultNamed(name: string): { readonly plant: TrafficPlant['start'] } {
  const { plant } = present(
    FAULTS.find((fault) => fault.name === name),
    `planted fault ${name}`,
  )
  if (plant.in !== 'traffic') throw new Error(`${name} is not planted in traffic`)
  return { plant: plant.start }
}
