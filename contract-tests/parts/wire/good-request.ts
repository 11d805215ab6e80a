import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { passOn, type WireRequest } from '../../harness/proxy.ts'
import type { ContractTarget } from '../../driver/contract-target.ts'
import { createTraffic } from '../../driver/traffic.ts'

/** A request that the server is known to answer with success, repeatedly. */
interface GoodRequest {
  readonly operation: Operation
  readonly request: WireRequest
}

/** Source of the bytes of the cases. */
export interface GoodRequests {
  /** Without a body; reading it changes nothing. */
  readonly lookup: GoodRequest
  /** With a JSON body; absent: the contract has none that is accepted. */
  readonly submission?: GoodRequest
}

/** The first operations of the contract that succeed; undefined: no read-only one does. */
export async function findGoodRequests(target: ContractTarget, contract: Contract): Promise<GoodRequests | undefined> {
  let counter = Date.now()
  const traffic = createTraffic(target, contract, () => counter++)
  const url = new URL(target.url)
  let lookup: GoodRequest | undefined
  let submission: GoodRequest | undefined
  for (const operation of contract.operations) {
    if (operation.kind !== 'operation') continue
    const isLookup = operation.method === 'GET' && !operation.request
    if ((isLookup && lookup) || (!isLookup && (submission ?? !operation.body))) continue
    const [first] = await traffic.drafts(operation)
    if (!first) continue
    const request = traffic.toRequest(operation, first.draft)
    const reply = await passOn(url, request).catch(() => undefined)
    if (!reply || reply.status >= 300) continue
    traffic.remember(operation, request, reply)
    if (isLookup) lookup = { operation, request }
    else submission = { operation, request }
  }
  return lookup && { lookup, ...(submission && { submission }) }
}
