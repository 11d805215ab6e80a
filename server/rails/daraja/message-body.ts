import { operatorContract } from '../operator-contract.ts'
import type { RailWorld, ReceivedCallback } from '../rail-kind.ts'

/** The body of a message that its contract admits; what differs from the contract is counted. */
export function bodyOf(name: string, message: ReceivedCallback, onDrift?: RailWorld['onDrift']): unknown {
  const found = operatorContract('daraja').readCallback(name, message)
  if ('fault' in found) return undefined
  onDrift?.(name, found.drift)
  return found.value
}
