import { decryptCredential } from './key-pair.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'

/** Whether the name is the initiator's, and the credential its password, encrypted with the simulator's certificate. */
export function isInitiator(name: string, credential: string): boolean {
  const { initiatorName, initiatorPassword } = SIMULATED_MERCHANT
  return name === initiatorName && decryptCredential(credential) === initiatorPassword
}
